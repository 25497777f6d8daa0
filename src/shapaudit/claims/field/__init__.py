"""Claims of the field beyond the source papers, each with the paper that states it."""

from ..base import grouped
from . import bias, leverage, pairing, polynomial, recovery, stopping, svarm

PAPER = "field-2026"

_MODULES = (pairing, leverage, bias, svarm, recovery, polynomial, stopping)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Sampling in pairs": (1, 3, 7),
    "What an estimator is worth": (2, 4, 5),
    "Additive games": (6,),
    "When to stop": (20,),
}
CLAIMS = grouped(_MODULES, GROUPS)

__all__ = ["CLAIMS", "PAPER"]
