"""Claims of Chen, Covert, Lundberg & Lee 2023."""

from dataclasses import replace

from . import (
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
    "Least squares on samples": (10,),
    "Ways to remove a feature": (13, 14, 16),
    "Budgets": (18,),
}
_GROUP_OF = {number: group for group, numbers in GROUPS.items() for number in numbers}
CLAIMS = tuple(
    sorted(
        (replace(claim, group=_GROUP_OF[claim.number]) for m in _MODULES for claim in m.CLAIMS),
        key=lambda claim: claim.id,
    )
)

__all__ = ["CLAIMS", "PAPER"]
