"""Second moments of the stochastic gradient, by enumeration of all coalitions of a table.

Grah & Thouvenot 2020, Section 4.2. The factor n of g_i cancels against (n p_i)^-1.
"""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals

from .least_squares import proper_coalitions


@cache
def _table_sizes(n_players: int) -> np.ndarray:
    """Number of players (2^d,) of each coalition of a table."""
    return np.bitwise_count(np.arange(1 << n_players)).astype(np.int64)


def residuals(values: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """<x_S, phi> - (v(S) - v(empty)) for every coalition (2^d,) of a table of values (2^d,)."""
    predicted = np.zeros(1)
    for share in phi:
        predicted = np.concatenate([predicted, predicted + share])
    return predicted - (values - values[0])


def squares_by_size(values: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Mean squared residual (d - 1,) over the coalitions of each size 1, ..., d - 1."""
    sizes = _table_sizes(len(phi))
    sums = np.bincount(sizes, weights=np.square(residuals(values, phi)))
    return (sums / np.bincount(sizes))[1:-1]


def second_moment(
    squares: np.ndarray, size_probabilities: np.ndarray, projected: bool = False
) -> float:
    """E ||(n p_i)^-1 grad g_i||^2 under p_i = q_l / C(d, l), q the size distribution (d - 1,).

    ``squares`` comes from `squares_by_size`. Since w_l = (d - 1) / (C(d, l) l (d - l)),
    w_l / p_i = (d - 1) / (l (d - l) q_l) and the moment is the sum over sizes of
    q_l (2 w_l / p_i)^2 ||x||^2 squares_l. With ``projected``, the gradient is projected on the
    directions of the efficiency hyperplane, where ||P x||^2 = l (d - l) / d instead of l.
    """
    d = len(squares) + 1
    size = np.arange(1, d)
    norm = size * (d - size) / d if projected else size
    factor = 2 * (d - 1) / (size * (d - size) * size_probabilities)
    return float((size_probabilities * np.square(factor) * norm * squares).sum())


def exact_growth(probabilities: list[Fraction]) -> Fraction:
    """`recursion.gradient_growth`, 4 (d - 1)/d^2 sum_l 1/q_l, exactly."""
    d = len(probabilities) + 1
    return Fraction(4 * (d - 1), d * d) * sum(1 / q for q in probabilities)


def fourth_moment(probabilities: list[Fraction]) -> np.ndarray:
    """E[c^2 ||Px||^2 Px(Px)'] (d, d), by enumeration in exact arithmetic."""
    d = len(probabilities) + 1
    moment = rationals([0] * d * d).reshape(d, d)
    for x in proper_coalitions(d):
        size = int(x.sum())
        q = probabilities[size - 1]
        factor = Fraction(2 * (d - 1)) / (size * (d - size) * q)
        projected = rationals(x.tolist()) - Fraction(size, d)
        weight = q / comb(d, size) * factor**2 * (projected @ projected)
        moment += weight * np.outer(projected, projected)
    return moment
