"""Defaults shared by the claims of this paper."""

from collections.abc import Iterable, Sequence
from functools import partial

from shapaudit_audit.audit.base import Claim
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.verdict import ClaimError

from .. import PAPER

BOTH = "HAL and arXiv versions"

NO_GAMES = "no game of the study has two different values."
NO_RUNS = "no simulated runs; the games of the study are constant."

claim = partial(Claim, paper=PAPER.key)

LARGE = {
    "classification-large": "classification with 300 players",
    "regression-large": "regression with 300 players",
}


def named(game: str) -> str:
    """A game or experiment of the paper in words, from its name in the configuration."""
    return LARGE.get(game, game)


def grouped(rows: Iterable[Evidence], *keys: str) -> dict[tuple, list[Evidence]]:
    """Return rows grouped by the values under some keys, in order of first occurrence."""
    groups: dict[tuple, list[Evidence]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def required(evidence: Sequence[Evidence], fault: str = NO_GAMES) -> Sequence[Evidence]:
    """Return the evidence of a check; raises `ClaimError` with the fault where it is empty."""
    if not evidence:
        raise ClaimError(fault)
    return evidence
