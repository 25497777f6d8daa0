"""Claims of Chen, Covert, Lundberg & Lee 2023."""

from ..base import grouped
from . import (
    adaptive,
    allocation,
    budgets,
    decomposition,
    encodings,
    fastest,
    grid_bias,
    grids,
    kernel,
    kernel_draws,
    normalisation,
    orders,
    pairing,
    removal,
    sgd,
    subsets,
    trees,
    walks,
)

PAPER = "chen-covert-lundberg-lee-2023"

_MODULES = (
    fastest,
    grids,
    grid_bias,
    normalisation,
    decomposition,
    subsets,
    orders,
    kernel,
    kernel_draws,
    walks,
    pairing,
    adaptive,
    allocation,
    sgd,
    removal,
    encodings,
    trees,
    budgets,
)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "The fastest": (1,),
    "Multilinear extension sampling": (4,),
    "Normalisation, bias and variance": (7, 8),
    "Random orders": (9, 11, 12),
    "Antithetic sampling": (3,),
    "Adaptive sampling": (2, 5),
    "Least squares on samples": (6, 10),
    "Ways to remove a feature": (13, 14, 16),
    "Trees": (15,),
    "Budgets": (18,),
}
CLAIMS = grouped(_MODULES, GROUPS)

__all__ = ["CLAIMS", "PAPER"]
