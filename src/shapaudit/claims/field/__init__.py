"""Claims of the field beyond the source papers, each with the paper that states it."""

from dataclasses import replace

from . import bias, leverage, pairing, polynomial, recovery, svarm

PAPER = "field-2026"

_MODULES = (pairing, leverage, bias, svarm, recovery, polynomial)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Sampling in pairs": (1, 3, 7),
    "What an estimator is worth": (2, 4, 5),
    "Additive games": (6,),
}
_GROUP_OF = {number: group for group, numbers in GROUPS.items() for number in numbers}
CLAIMS = tuple(
    sorted(
        (replace(claim, group=_GROUP_OF[claim.number]) for m in _MODULES for claim in m.CLAIMS),
        key=lambda claim: claim.id,
    )
)

__all__ = ["CLAIMS", "PAPER"]
