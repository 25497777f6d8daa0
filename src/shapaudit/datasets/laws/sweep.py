"""Conditional normal laws of many coalitions at once, by the sweep operator.

Sweeping the covariance on the members S turns its blocks into -inv(C_SS), the regression
C_RS inv(C_SS) of the rest R on S, and the covariance that this leaves (Beaton 1964; Goodnight
1979), in d^2 operations for each member. Members are swept in their order, and coalitions taken in
an order in which each continues where an earlier one began: of all 2^d coalitions each costs one
sweep, as along a Gray code, but what is found for one does not depend on the others, nor does
rounding add up along the way.
"""

from typing import NamedTuple

import numpy as np
from numba import njit


class Conditionals(NamedTuple):
    """Normal laws given each coalition S; entries that do not belong there are 0.

    Attributes
    ----------
    gains : (m, d, d), with mean + gains (x - mean) the expectation given x_S, x itself on S
    left : (m, d, d), covariance of the rest given S
    precisions : (m, d, d), inverse of the covariance of S
    log_determinants : (m,), of the covariance of S
    """

    gains: np.ndarray
    left: np.ndarray
    precisions: np.ndarray
    log_determinants: np.ndarray


def conditionals(covariance: np.ndarray, coalitions: np.ndarray) -> Conditionals:
    """Conditional laws of a positive definite covariance (d, d), given coalitions (m, d) bool."""
    coalitions = np.ascontiguousarray(coalitions, dtype=np.bool_)
    m, d = coalitions.shape
    swept, log_determinants = np.empty((m, d, d)), np.empty(m)
    order = np.lexsort(coalitions.T[::-1]) if d else np.arange(m)
    _sweep_all(np.array(covariance, dtype=np.float64), coalitions, order, swept, log_determinants)
    present, absent = coalitions[:, :, None], ~coalitions[:, :, None]
    others = coalitions[:, None, :]
    gains = np.where(absent & others, swept, 0.0)
    gains[:, range(d), range(d)] = coalitions
    left = np.where(absent & ~others, swept, 0.0)
    return Conditionals(gains, left, np.where(present & others, -swept, 0.0), log_determinants)


@njit(cache=True, nogil=True)
def _sweep_all(covariance, coalitions, order, swept, log_determinants):
    """Sweep on the members of each coalition; returns the number of sweeps."""
    d = covariance.shape[0]
    levels, logs = np.empty((d + 1, d, d)), np.zeros(d + 1)  # after each member of the last path
    levels[0] = covariance
    path, length, sweeps = np.empty(d, dtype=np.int64), 0, 0
    for t in order:
        level, shared = 0, True
        for j in range(d):
            if not coalitions[t, j]:
                continue
            shared = shared and level < length and path[level] == j
            if not shared:
                levels[level + 1] = levels[level]
                logs[level + 1] = logs[level] + _sweep(levels[level + 1], j)
                path[level] = j
                sweeps += 1
            level += 1
        length = level
        swept[t], log_determinants[t] = levels[level], logs[level]
    return sweeps


@njit(cache=True, nogil=True)
def _sweep(matrix, k):
    """Sweep on k; returns what this adds to the logarithm of the determinant."""
    d = matrix.shape[0]
    pivot = matrix[k, k]
    for i in range(d):
        if i != k:
            share = matrix[i, k] / pivot
            for j in range(i + 1):
                if j != k:
                    matrix[i, j] -= share * matrix[k, j]
                    matrix[j, i] = matrix[i, j]
    for i in range(d):
        if i != k:
            matrix[i, k] /= pivot
            matrix[k, i] = matrix[i, k]
    matrix[k, k] = -1.0 / pivot
    return np.log(pivot)
