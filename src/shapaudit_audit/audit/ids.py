"""Ids of claims, "gt20-02a": the prefix of the paper, the number of the claim, and a letter."""

import re
from collections.abc import Mapping, Sequence

PATTERN = re.compile(r"[a-z]+[0-9]{2}-[0-9]{2}[a-z]?")


def prefix(claim: str) -> str:
    """Prefix of a claim's paper, from the claim's id: "gt20"."""
    return claim.partition("-")[0]


def short_id(claim: str) -> str:
    """Number and letter of a claim within its paper, from the claim's id: "2a"."""
    return claim.partition("-")[2].lstrip("0")


def number_of(claim: str) -> int:
    """Number of a claim within its paper, which its sub-claims share, from the claim's id: 2."""
    return int(claim.partition("-")[2][:2])


def by_paper(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Records of claims by the `prefix` of their paper, in their order."""
    papers: dict[str, list[Mapping]] = {}
    for claim in claims:
        papers.setdefault(prefix(claim["id"]), []).append(claim)
    return papers
