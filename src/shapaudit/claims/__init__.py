"""Claims of the source papers, the checks that decide them, and the audit of a study.

A paper is a module or package with a tuple `CLAIMS`; it is added to `PAPERS`.
"""

from collections import Counter
from collections.abc import Sequence

from . import bell_devanathan_boyd, chen_covert_lundberg_lee, field, grah_thouvenot, okhrati_lipani
from .audit import audit, document, to_json, write_json
from .base import KINDS, STATUSES, Claim, ClaimError, Limit, Verdict
from .context import Context, Settings, StudyEstimates, StudyGame

PAPERS: dict[str, tuple[Claim, ...]] = {
    paper.PAPER: paper.CLAIMS
    for paper in (
        grah_thouvenot,
        chen_covert_lundberg_lee,
        okhrati_lipani,
        bell_devanathan_boyd,
        field,
    )
}


def _registry() -> dict[str, Claim]:
    claims = [claim for paper in PAPERS.values() for claim in paper]
    if twice := [name for name, n in Counter(claim.id for claim in claims).items() if n > 1]:
        raise ClaimError(f"claims registered twice: {', '.join(twice)}.")
    return {claim.id: claim for claim in claims}


REGISTRY: dict[str, Claim] = _registry()


def select(names: Sequence[str] | None = None) -> list[Claim]:
    """Claims by paper key or id, in the order of the registry; all of them by default.

    Raises `ClaimError` naming what is unknown and the papers there are.
    """
    if names is None:
        return list(REGISTRY.values())
    if unknown := [name for name in names if name not in PAPERS and name not in REGISTRY]:
        raise ClaimError(
            f"unknown claims {', '.join(unknown)}; the papers are {', '.join(PAPERS)}, and a claim "
            f"is named like {next(iter(REGISTRY))}."
        )
    return [claim for claim in REGISTRY.values() if claim.paper in names or claim.id in names]


__all__ = [
    "KINDS",
    "PAPERS",
    "REGISTRY",
    "STATUSES",
    "Claim",
    "ClaimError",
    "Context",
    "Limit",
    "Settings",
    "StudyEstimates",
    "StudyGame",
    "Verdict",
    "audit",
    "document",
    "select",
    "to_json",
    "write_json",
]
