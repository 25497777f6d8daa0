"""The covariance of odd parts of games of thresholds, where sets of players act together or not.

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


@lru_cache(maxsize=8)
def _shared(n_players: int) -> np.ndarray:
    """Weights (d + 1,) of all sets of at least three among so many players."""
    d, a = n_players, np.arange(n_players + 1.0)
    weights = (d + 1.0) / (d + 1.0 - a) - 1.0 - a / d - a * (a - 1.0) / max(d * (d - 1.0), 1.0)
    weights[:3] = 0.0
    weights.setflags(write=False)
    return weights


@njit(cache=True, nogil=True)
def _looked_up(agreement, sums, others, weights):
    d = len(weights) - 1
    found = np.empty(agreement.shape)
    for row in range(agreement.shape[0]):
        own = int(sums[row])
        for column in range(agreement.shape[1]):
            other = int(others[column])
            both = (d + own + other + int(agreement[row, column])) // 4
            first, second = (d + own) // 2 - both, (d + other) // 2 - both
            neither = d - both - first - second
            together = weights[both] + weights[neither]
            found[row, column] = (together - weights[first] - weights[second]) / d
    return found


def unanimity_covariance(signs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Covariances (n, k) between signs (n, d) and others (k, d): those sums times 4 / d."""
    weights = _shared(signs.shape[1])
    return _looked_up(signs @ others.T, signs.sum(axis=1), others.sum(axis=1), weights)


def unanimity_shapley(signs: np.ndarray, amounts: np.ndarray) -> np.ndarray:
    """Shapley values (d,) of sum_i amounts_i unanimity_covariance(., signs_i).

    A set shares its coefficient equally, and a member of a players is in the share k / a of the
    sets of k among them.
    """
    d = signs.shape[1]
    weights, members = _shared(d), (0.5 * (d + signs.sum(axis=1))).astype(int)
    inside, outside = (
        amounts * weights[count] / np.maximum(count, 1) for count in (members, d - members)
    )
    return (inside @ (signs > 0) - outside @ (signs < 0)) * (2.0 / d)
