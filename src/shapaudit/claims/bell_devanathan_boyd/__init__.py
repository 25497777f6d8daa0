"""Claims of Bell, Devanathan & Boyd 2024: Shapley attribution of a regression's R^2."""

from ..base import grouped
from . import costs, identities, printed, risk, sampling, stability, stopping

PAPER = "bell-devanathan-boyd-2024"

_MODULES = (identities, stability, costs, printed, sampling, risk, stopping)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Lifts and chains": (1, 2, 5),
    "Batches, ridge, reduction": (3, 4, 6),
    "Costs": (7, 14, 15),
    "Printed numbers": (8, 9, 10),
    "Permutations": (11,),
    "Risk and stopping": (12, 13),
}
CLAIMS = grouped(_MODULES, GROUPS)

__all__ = ["CLAIMS", "PAPER"]
