"""Random coalitions and permutations, shared by all estimators."""

from .coalitions import sample_sizes, uniform_subsets
from .permutations import uniform_permutations
from .sizes import binomial_sizes, kernel_sizes, projected_gradient_sizes

__all__ = [
    "binomial_sizes",
    "kernel_sizes",
    "projected_gradient_sizes",
    "sample_sizes",
    "uniform_permutations",
    "uniform_subsets",
]
