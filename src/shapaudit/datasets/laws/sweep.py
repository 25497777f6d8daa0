"""Conditional normal laws of many coalitions at once, by the sweep operator.

Sweeping the covariance on the members S turns its blocks into -inv(C_SS), the regression
C_RS inv(C_SS) of the rest R on S, and the covariance that this leaves (Beaton 1964; Goodnight
1979). Sweeping back undoes it. So one step of d^2 operations leads from a coalition to any
neighbour, and a Gray code goes through all 2^d coalitions by neighbours.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

RESTART = 64  # coalitions after which the covariance is taken afresh, so that no rounding adds up


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
    start = np.array(covariance, dtype=np.float64)
    _sweep_all(start, coalitions, gray_order(coalitions), swept, log_determinants)
    present, absent = coalitions[:, :, None], ~coalitions[:, :, None]
    others = coalitions[:, None, :]
    gains = np.where(absent & others, swept, 0.0)
    gains[:, range(d), range(d)] = coalitions
    left = np.where(absent & ~others, swept, 0.0)
    return Conditionals(gains, left, np.where(present & others, -swept, 0.0), log_determinants)


def gray_order(coalitions: np.ndarray) -> np.ndarray:
    """Order (m,) in which the coalitions (m, d) bool come in a Gray code over all coalitions."""
    if coalitions.shape[1] == 0:
        return np.arange(len(coalitions))
    place = np.logical_xor.accumulate(coalitions[:, ::-1], axis=1)  # binary digits, highest first
    return np.lexsort(np.packbits(place, axis=1).T[::-1])


@njit(cache=True, nogil=True)
def _sweep_all(start, coalitions, order, swept, log_determinants):
    d = start.shape[0]
    matrix, inside = start.copy(), np.zeros(d, dtype=np.bool_)
    log_determinant = 0.0
    for t in range(order.size):
        members = coalitions[order[t]]
        if t % RESTART == 0:
            matrix[:] = start
            inside[:] = False
            log_determinant = 0.0
        for j in range(d):
            if members[j] != inside[j]:
                log_determinant += _sweep(matrix, j, inside[j])
                inside[j] = members[j]
        swept[order[t]] = matrix
        log_determinants[order[t]] = log_determinant


@njit(cache=True, nogil=True)
def _sweep(matrix, k, back):
    """Sweep on k, or back; returns what this adds to the logarithm of the determinant."""
    d = matrix.shape[0]
    pivot = matrix[k, k]
    for i in range(d):
        if i != k:
            share = matrix[i, k] / pivot
            for j in range(i + 1):
                if j != k:
                    matrix[i, j] -= share * matrix[k, j]
                    matrix[j, i] = matrix[i, j]
    sign = -1.0 if back else 1.0
    for i in range(d):
        if i != k:
            matrix[i, k] *= sign / pivot
            matrix[k, i] = matrix[i, k]
    matrix[k, k] = -1.0 / pivot
    return np.log(abs(pivot))
