"""Claims of Okhrati & Lipani 2021."""

from ..base import grouped
from . import comparisons, convergence, integral, notation, weights

PAPER = "okhrati-lipani-2021"

# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Convergence": (1, 7),
    "Weights of the levels": (2,),
    "Against permutations": (3, 5),
    "Halving": (4,),
    "The integral": (6,),
}
CLAIMS = grouped((convergence, weights, notation, comparisons, integral), GROUPS)

__all__ = ["CLAIMS", "PAPER"]
