"""All 2^p losses of a regression, by a depth-first walk over the subsets of its features.

A subset is its parent, which lacks its last feature, and one step of modified Gram-Schmidt: the
last feature's column, as the parent left it, is taken from the columns of the features after it.
Only these are needed by the subsets below. With r features after the last one a step costs of the
order of p r, and half of the subsets have r = 0, a quarter r = 1, and so on: about 4 p steps of a
multiplication and an addition per subset altogether, and there is no squared condition number.
"""

import numpy as np
from numba import njit

from ..sums import dot, fma


@njit(cache=True, nogil=True)
def _include(train, test, left, k, parent, child, response):
    """Let feature k join: states (levels, p, ...) of ``parent`` to ``child``; return the loss."""
    p, w = train.shape[1], test.shape[2]
    squared = dot(train[parent, k], train[parent, k])
    fit = dot(train[parent, k], response) / squared
    for i in range(w):
        left[child, i] = fma(-fit, test[parent, k, i], left[parent, i])
    for j in range(k + 1, p):
        m = dot(train[parent, k], train[parent, j]) / squared
        for i in range(p):
            train[child, j, i] = fma(-m, train[parent, k, i], train[parent, j, i])
        for i in range(w):
            test[child, j, i] = fma(-m, test[parent, k, i], test[parent, j, i])
    return dot(left[child], left[child])


@njit(cache=True, nogil=True)
def add_losses(factor, response, rows, target, table):
    """Add to the table (2^p,) the squared test errors of the fits on all subsets."""
    p, w = rows.shape
    train, test = np.empty((p + 1, p, p)), np.empty((p + 1, p, w))
    left = np.empty((p + 1, w))
    for j in range(p):
        for i in range(p):
            train[0, j, i] = factor[i, j]
        for i in range(w):
            test[0, j, i] = rows[j, i]
    for i in range(w):
        left[0, i] = target[i]
        table[0] += target[i] * target[i]
    index = np.zeros(p + 1, dtype=np.int64)
    # Where the state is that feature k would join, the ones before it being decided.
    state = np.zeros(p + 1, dtype=np.int64)
    for n in range(1, 1 << p):
        k = p - 1
        while (n >> (p - 1 - k)) & 1 == 0:
            k -= 1
        parent = state[k]
        index[k + 1] = index[parent] | (1 << k)
        table[index[k + 1]] += _include(train, test, left, k, parent, k + 1, response)
        for j in range(k + 1, p):
            state[j] = k + 1
