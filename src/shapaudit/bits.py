"""Products of coalitions with numbers, without a float in memory for each bit.

NumPy converts a boolean matrix before it multiplies, which takes ten times as long.
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})
def _by_row(coalitions, weights, out):
    for t in range(coalitions.shape[0]):
        total = 0.0
        for j in range(coalitions.shape[1]):
            total += coalitions[t, j] * weights[j]
        out[t] = total


@njit(cache=True, nogil=True)
def _by_column(weights, coalitions, out):
    for t in range(coalitions.shape[0]):
        weight = weights[t]
        for j in range(coalitions.shape[1]):
            out[j] += weight * coalitions[t, j]


def sums_over_members(coalitions: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum (m,) of the weights (d,) of the members of each coalition (m, d) bool."""
    out = np.empty(len(coalitions))
    _by_row(np.ascontiguousarray(coalitions, dtype=np.bool_), weights, out)
    return out


def sums_over_coalitions(weights: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
    """Sum (d,) of the weights (m,) of the coalitions (m, d) bool that each player is in."""
    out = np.zeros(coalitions.shape[1])
    _by_column(weights, np.ascontiguousarray(coalitions, dtype=np.bool_), out)
    return out
