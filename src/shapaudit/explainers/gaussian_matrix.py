"""The matrix B with phi = B (x - mean), for a linear model and features of a Gaussian law.

v(S) = c_S'(x - mean)_S with Sigma_SS c_S = g_S and g = Sigma beta. So, with w(s) = s! (d - s - 1)!
/ d! and w(d) = 0, row i of B is the sum over S of c_S times w(|S| - 1) where i is in S, and times
-w(|S|) where it is not.

Along one order, the innovation z_k = (L^{-1} (x - mean))_k with Sigma = L L' in that order adds
(L'beta)_k z_k = (L^{-1} g)_k z_k to v. Rows of L^{-1} need no inverse of L: where the precision
matrix, its columns in the reverse order, is U'U with U upper triangular, they are the rows of U.
"""

import numpy as np
from numba import njit

from ..samplers.permutations import uniform_permutations
from ..truth import size_weights


def exact_matrix(covariance: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """B (d, d) by all coalitions; covariance (d, d) positive definite, coefficients (d,)."""
    outside = size_weights(len(covariance))[1:]
    return _enumerated(covariance, covariance @ coefficients, outside)


def sampled_matrix(
    covariance: np.ndarray, coefficients: np.ndarray, orders: int, rng: np.random.Generator
) -> np.ndarray:
    """B (d, d) as a mean over random orders, half of them the reverses of the others."""
    forwards = uniform_permutations(orders // 2, len(covariance), rng)
    both = np.concatenate([forwards, forwards[:, ::-1]])
    precision = np.linalg.inv(covariance)
    return _along_orders((precision + precision.T) / 2, covariance @ coefficients, both)


@njit(cache=True, nogil=True)
def _enumerated(covariance: np.ndarray, gains: np.ndarray, outside: np.ndarray) -> np.ndarray:
    """Coalitions in lexicographic order: a neighbour's Cholesky factor has one row more or other.

    ``outside`` (d + 1,) are the weights w(0), ..., w(d).
    """
    d = len(gains)
    inside_part, column_part = np.zeros((d, d)), np.zeros(d)
    members = np.empty(d, dtype=np.int64)
    factor, scores, solution = np.zeros((d, d)), np.empty(d), np.empty(d)
    members[0] = size = 0
    while True:
        player = members[size]
        row = factor[size]
        for k in range(size):
            total = covariance[player, members[k]]
            for j in range(k):
                total -= row[j] * factor[k, j]
            row[k] = total / factor[k, k]
        variance, score = covariance[player, player], gains[player]
        for j in range(size):
            variance -= row[j] * row[j]
            score -= row[j] * scores[j]
        row[size] = np.sqrt(variance)
        scores[size] = score / row[size]
        size += 1
        for k in range(size):
            solution[k] = scores[k]
        for k in range(size - 1, -1, -1):
            solution[k] /= factor[k, k]
            for j in range(k):
                solution[j] -= factor[k, j] * solution[k]
        inside = outside[size - 1] + outside[size]
        for k in range(size):
            column_part[members[k]] += outside[size] * solution[k]
            solution[k] *= inside
        for i in range(size):
            for k in range(size):
                inside_part[members[i], members[k]] += solution[k]
        if player < d - 1:
            members[size] = player + 1
        else:
            size -= 2
            if size < 0:
                return inside_part - column_part
            members[size] += 1


@njit(cache=True, nogil=True)
def _take_four(
    target: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    c: np.ndarray,
    d: np.ndarray,
    factors: np.ndarray,
) -> None:
    """Four rows off a fifth: in this form the compiler makes vector instructions of it."""
    p, q, r, s = factors[0], factors[1], factors[2], factors[3]
    for j in range(target.size):
        target[j] -= (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])


@njit(cache=True, nogil=True)
def _along_orders(precision: np.ndarray, gains: np.ndarray, orders: np.ndarray) -> np.ndarray:
    """Mean over the orders, each by one Cholesky factorisation, row by row."""
    d = len(gains)
    total = np.zeros((d, d))
    # Three rows of zeros before the factor fill up the first group of four.
    work, column = np.zeros((d + 3, d)), np.zeros(d + 3)
    for order in orders:
        for i in range(d):
            row = work[i + 3, i:]
            for j in range(i, d):
                row[j - i] = precision[order[i], order[j]]
            for k in range(i + 3):
                column[k] = work[k, i]
            for k in range((i + 3) % 4, i + 3, 4):
                a, b, c, e = work[k, i:], work[k + 1, i:], work[k + 2, i:], work[k + 3, i:]
                _take_four(row, a, b, c, e, column[k:])
            scale = 1.0 / np.sqrt(row[0])
            step = 0.0
            for j in range(i, d):
                row[j - i] *= scale
                step += row[j - i] * gains[order[j]]
            target = total[order[i]]
            for j in range(i, d):
                target[order[j]] += step * row[j - i]
    return total / len(orders)
