"""Conditional values of linear models from means and covariances, in exact arithmetic.

Chen et al. 2023, Section 5.2.3, Equation 11. Vectors and matrices are object arrays of fractions.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals, solve


def linear_prediction_game(
    coefficients: np.ndarray, mean: np.ndarray, covariance: np.ndarray, explicand: np.ndarray
) -> np.ndarray:
    """beta'E[x | x_S] (2^d,) by linear regressions with these moments, a Gaussian law's among them.

    Raises ValueError where the covariance of some S is singular.
    """
    d = len(coefficients)
    gains, moved = covariance @ coefficients, explicand - mean
    values = []
    for members in range(1 << d):
        inside = [j for j in range(d) if members >> j & 1]
        value = coefficients @ mean
        if inside:
            value += solve(covariance[np.ix_(inside, inside)], gains[inside]) @ moved[inside]
        values.append(value)
    return rationals(values)


def identity(n: int) -> np.ndarray:
    """The identity matrix (n, n) of fractions."""
    return np.array([rationals(row) for row in np.eye(n, dtype=int).tolist()])


def unit_factor(covariance: np.ndarray) -> np.ndarray:
    """The lower triangular matrix T with ones on its diagonal and T E T' = covariance, E diagonal.

    Raises ValueError unless the leading minors are all different from zero.
    """
    rest = covariance.copy()
    factor = identity(len(rest))
    for k in range(len(rest)):
        if rest[k, k] == 0:
            raise ValueError("the covariance is singular: a column is determined by others.")
        factor[k:, k] = rest[k:, k] / rest[k, k]
        rest = rest - np.outer(factor[:, k], rest[k])
    return factor


def order_contributions(
    coefficients: np.ndarray, covariance: np.ndarray, moved: np.ndarray, order: Sequence[int]
) -> np.ndarray:
    """What each feature (d,) adds to beta'E[x

    x_S] when it joins in an order.

    With T of `unit_factor` in that order and x less its mean ``moved``, the k-th feature adds
    (T'beta)_k (T^{-1} moved)_k: the second is its innovation, uncorrelated with the features
    before.
    """
    order = list(order)
    factor = unit_factor(covariance[np.ix_(order, order)])
    values = rationals([Fraction(0)] * len(order))
    values[order] = (factor.T @ coefficients[order]) * solve(factor, moved[order])
    return values
