"""The covariance of odd parts of unanimity games, in which sets of players act together.

The unanimity game of a set T is 1 where all members are present. Its odd part, u_T(S) = (1[T in S]
- 1[T in the complement of S]) / 2, is that of the game that is 1 where any member is present. Sums
of such games over nested sets are the largest or smallest of some numbers; leaves of trees are
among them too. With independent coefficients of variance 1 / C(d, |T|), so that all sizes weigh
the same, and a players in both of two coalitions, the sum over all T in these is

    sum_k C(a, k) / C(d, k) = (d + 1) / (d + 1 - a),

of which sets of up to two players, whose odd part is additive, are left out.
"""

from functools import lru_cache

import numpy as np
from numba import njit

from .relevance import triple_covariance


@lru_cache(maxsize=8)
def _shared(n_players: int) -> np.ndarray:
    """Total weight (d + 1,) of all sets of at least three within a = 0, ..., d common players."""
    d, a = n_players, np.arange(n_players + 1.0)
    weights = (d + 1.0) / (d + 1.0 - a) - 1.0 - a / d - a * (a - 1.0) / max(d * (d - 1.0), 1.0)
    weights[:3] = 0.0
    weights.setflags(write=False)
    return weights


@njit(cache=True, nogil=True, error_model="numpy")
def _looked_up(
    sums: np.ndarray,
    counts: np.ndarray,
    others: np.ndarray,
    weights: np.ndarray,
    triples: np.ndarray,
    upper: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Both covariances, looked up by the sums of u_j and the sizes; ``upper``: a triangle only."""
    d = len(weights) - 1
    shares, bit = weights / d, np.uint64(1)
    together, unanimity = np.zeros(sums.shape), np.zeros(sums.shape)
    for row in range(sums.shape[0]):
        own = np.uint64(counts[row])
        for column in range(row if upper else 0, sums.shape[1]):
            # Without a sign: indices that may be negative take longer.
            other = np.uint64(others[column])
            agreed = np.uint64(d + np.int64(sums[row, column])) >> bit
            both = (own + other + agreed - np.uint64(d)) >> bit
            together[row, column] = triples[agreed]
            alike = shares[both] + shares[agreed - both]
            unanimity[row, column] = alike - shares[own - both] - shares[other - both]
    return together, unanimity


def _alike(signs: np.ndarray, others: np.ndarray, upper: bool) -> tuple[np.ndarray, np.ndarray]:
    d = signs.shape[1]
    triples = triple_covariance(2.0 * np.arange(d + 1.0) - d, d)
    counts = ((signs > 0).sum(axis=1), (others > 0).sum(axis=1))
    return _looked_up(signs @ others.T, *counts, _shared(d), triples, upper)


def alike_covariances(signs: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Covariances (n, k) with exchangeable players, between signs (n, d) and others (k, d).

    The first is `relevance.triple_covariance`, the second that of unanimity games, the sums above
    times 4 / d.
    """
    return _alike(signs, others, False)


def alike_triangles(signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """As `alike_covariances` of the signs with themselves: lower triangles (n, n), column-major."""
    together, unanimity = _alike(signs, signs, True)
    return together.T, unanimity.T


def unanimity_shapley(signs: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Shapley values (d,) of sum_i amounts_i covariance(., signs_i), unanimity games' covariance.

    A set shares its coefficient equally among its members. Of the sets of k among a players, the
    share k / a contains a given one of them.
    """
    d = signs.shape[1]
    weights, members = _shared(d), (0.5 * (d + signs.sum(axis=1))).astype(int)
    inside, outside = (
        amounts * weights[count] / np.maximum(count, 1) for count in (members, d - members)
    )
    return (inside @ (signs > 0) - outside @ (signs < 0)) * (2.0 / d)
