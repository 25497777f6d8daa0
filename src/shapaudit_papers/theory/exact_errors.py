"""Exact expected squared errors of multilinear extension sampling and of random walks."""

from typing import NamedTuple

import numpy as np

from shapaudit.samplers.quadrature import RuleName, paired_rule, quadrature_rule

from .multilinear import bias_and_variance, size_moments
from .pairing import walk_parts


class Errors(NamedTuple):
    """Squared bias and variance, summed over the players, of one estimate."""

    squared_bias: float
    variance: float

    @property
    def total(self) -> float:
        """Expected squared error."""
        return self.squared_bias + self.variance


def multilinear_errors(
    values: np.ndarray, grid: RuleName, levels: int, draws: int, paired: bool = False
) -> Errors:
    """Exact `Errors` on a table (2^d,) with ``draws`` at each of L levels.

    Pairs are drawn at the levels up to 1/2.
    """
    rule = (paired_rule if paired else quadrature_rule)(grid, levels)
    counts = np.full(len(rule.weights), draws)
    bias, variance = bias_and_variance(size_moments(values, paired), rule, counts)
    return Errors(float(np.square(bias).sum()), float(variance.sum()))


def walk_errors(values: np.ndarray, walks: float, antithetic: bool = False) -> Errors:
    """Exact `Errors` on a table (2^d,) of the mean of so many walks, half of them reversed walks
    of the others where they are antithetic.
    """
    parts = walk_parts(values)
    ratio = float(parts.ratio()) if antithetic else 1.0
    return Errors(0.0, ratio * float(parts.plain.sum()) / walks)
