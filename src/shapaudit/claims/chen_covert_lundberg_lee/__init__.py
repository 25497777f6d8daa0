"""Claims of Chen, Covert, Lundberg & Lee 2023."""

from ..base import grouped
from . import (
    adaptive,
    allocation,
    budgets,
    decomposition,
    encodings,
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
    walks,
)

PAPER = "chen-covert-lundberg-lee-2023"

_MODULES = (
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
    budgets,
)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Multilinear extension sampling": (4,),
    "Normalisation, bias and variance": (7, 8),
    "Random orders": (9, 11, 12),
    "Antithetic sampling": (3,),
    "Adaptive sampling": (2, 5),
    "Least squares on samples": (6, 10),
    "Ways to remove a feature": (13, 14, 16),
    "Budgets": (18,),
}
CLAIMS = grouped(_MODULES, GROUPS)

__all__ = ["CLAIMS", "PAPER"]
