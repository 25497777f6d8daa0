"""Exact variances of sampling in pairs: a permutation with its reverse, a coalition with its rest.

Split a game into its odd and its even part with respect to complements,

    v = o + e,    o(S) = (v(S) - v(D minus S)) / 2,    e(S) = (v(S) + v(D minus S)) / 2.

A unit of the samplers below is linear in the game, the unit and its partner have the same law, and
from one to the other the part that o makes stays and the part that e makes changes its sign. With
O and E the covariances of the two parts, a unit has O + E and the mean of a pair has O: at equal
evaluations the variances are as 2 O to O + E (the report's Proposition prop:pairs). Shapley values
depend on o alone.

Values are tables (..., 2^d) in the order of `games.coalition_index`, in floating point or, as an
object array of fractions, in exact arithmetic.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals


@dataclass(frozen=True, eq=False)
class Parts:
    """Variances (..., d) of one unit, by player, that it owes to the odd and to the even part."""

    odd: np.ndarray
    even: np.ndarray

    @property
    def plain(self) -> np.ndarray:
        """Variances (..., d) of one unit."""
        return self.odd + self.even

    def ratio(self) -> np.ndarray:
        """Total variance in pairs over that without, at equal evaluations: from 0 to 2.

        Where there is no variance at all it is 1.
        """
        # Rounding can leave a variance of zero slightly below it.
        odd, even = (np.maximum(part.sum(axis=-1), 0) for part in (self.odd, self.even))
        plain = odd + even
        still = plain == 0
        return np.where(still, 1, 2 * odd / np.where(still, 1, plain))


def split(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Odd and even part of the tables, each (..., 2^d)."""
    flipped = values[..., ::-1]
    return (values - flipped) / 2, (values + flipped) / 2


def walk_parts(values: np.ndarray) -> Parts:
    """Of the contributions along a uniform permutation; the partner is the reversed permutation.

    The predecessors of a player are a uniform set of uniform size. Theta(d 2^d) per table.
    """
    odd, even = split(values)
    d = values.shape[-1].bit_length() - 1
    weights = _like(predecessor_weights(d), values)
    means, odd_squares, even_squares = [], [], []
    for player in range(d):
        steps = _steps(odd, player)
        means.append(steps @ weights)
        odd_squares.append(np.square(steps) @ weights)
        even_squares.append(np.square(_steps(even, player)) @ weights)
    mean, odd_square, even_square = (
        np.stack(rows, axis=-1) for rows in (means, odd_squares, even_squares)
    )
    return Parts(odd_square - mean**2, even_square)


def draw_parts(
    values: np.ndarray, probabilities: np.ndarray | None = None, fitted: bool = False
) -> Parts:
    """Of one coalition in least squares along the hyperplane; the partner is the complement.

    A coalition S of size l, of probability q_l / C(d, l), gives d / (l (d - l) q_l) y Px with
    Px = 1_S - l/d. With y = v(S) - v(empty) this is the unbiased KernelSHAP; with y the residual
    at the Shapley values (``fitted``) it is the influence of S on KernelSHAP, whose variance from
    m coalitions is that over m, up to terms of order 1/m^2.

    Parameters
    ----------
    values : (..., 2^d), d at least 2
    probabilities : of the sizes 1, ..., d - 1; the Shapley kernel by default
    fitted : whether the line through the Shapley values is taken off
    """
    d = values.shape[-1].bit_length() - 1
    law = kernel_law(d) if probabilities is None else probabilities
    sizes = np.bitwise_count(np.arange(1, (1 << d) - 1)).astype(int)
    chances = _like(np.array([law[k - 1] / comb(d, k) for k in range(1, d)]), values)[sizes - 1]
    factors = _like(np.array([d / (k * (d - k) * law[k - 1]) for k in range(1, d)]), values)
    factors, shares = factors[sizes - 1], _like(rationals([Fraction(1, d)]), values) * sizes
    odd, even = split(values)
    first, total = values[..., :1], values[..., -1:] - values[..., :1]
    start = even[..., :1] if fitted else first
    odd, even = odd[..., 1:-1], even[..., 1:-1] - start
    slopes = _projected(chances * factors * odd, shares, d)
    centre = slopes
    if fitted:
        half = _like(rationals([Fraction(1, 2)]), values)
        odd = odd - _line(slopes, d) + shares * slopes.sum(axis=-1, keepdims=True)
        odd = odd - (shares - half) * total
        centre = 0 * slopes
    squares = [_spread(chances * (factors * part) ** 2, shares, d) for part in (odd, even)]
    return Parts(squares[0] - centre**2, squares[1])


@cache
def predecessor_weights(n_players: int) -> np.ndarray:
    """Probability (2^(d-1),), fractions, of each set of the others before a given player."""
    d = n_players
    by_size = rationals([Fraction(1, d * comb(d - 1, size)) for size in range(d)])
    return by_size[np.bitwise_count(np.arange(1 << (d - 1))).astype(int)]


def kernel_law(n_players: int) -> np.ndarray:
    """Probability (d - 1,), fractions, of the sizes under the Shapley kernel."""
    d = n_players
    law = rationals([Fraction(1, size * (d - size)) for size in range(1, d)])
    return law / law.sum()


def _like(exact, values):
    """The numbers in the arithmetic of the values."""
    return exact if values.dtype == object else exact.astype(float)


def _steps(values, player):
    """Contributions (..., 2^(d-1)) of a player to the sets of the others, in their order."""
    pairs = values.reshape(*values.shape[:-1], -1, 2, 1 << player)
    steps = pairs[..., 1, :] - pairs[..., 0, :]
    return steps.reshape(*values.shape[:-1], -1)


def _with_player(weights, d):
    """Sums (..., d) over the proper coalitions with each player."""
    padded = np.zeros((*weights.shape[:-1], 1 << d), dtype=weights.dtype)
    padded[..., 1:-1] = weights
    sums = [
        padded.reshape(*weights.shape[:-1], -1, 2, 1 << player)[..., 1, :].sum(axis=(-2, -1))
        for player in range(d)
    ]
    return np.stack(sums, axis=-1)


def _projected(weights, shares, d):
    """Sums (..., d) of weight times Px."""
    return _with_player(weights, d) - (weights * shares).sum(axis=-1, keepdims=True)


def _spread(weights, shares, d):
    """Sums (..., d) of weight times the squared entries of Px: l/d without, 1 - l/d with."""
    without = (weights * shares**2).sum(axis=-1, keepdims=True)
    return without + _with_player(weights * (1 - 2 * shares), d)


def _line(slopes, d):
    """Sums of the slopes (..., d) over each proper coalition."""
    sums = np.zeros((*slopes.shape[:-1], 1), dtype=slopes.dtype)
    for player in range(d):
        sums = np.concatenate([sums, sums + slopes[..., player : player + 1]], axis=-1)
    return sums[..., 1:-1]
