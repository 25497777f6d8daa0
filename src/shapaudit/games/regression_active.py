"""Compiled fits whose parameters are kept from changing sign: the active set method.

They minimise |C' theta - y|^2 + 2 h |theta|_1 over the members of a coalition, with theta >= 0
where fits are not ``signed``. On a set of active features with known signs the minimum is a
least-squares solution, from QR of their columns. The feature that violates the conditions of
optimality most becomes active, and one whose parameter would change its sign on the way to the new
solution leaves, as Lawson & Hanson 1974, Chapter 23, do for non-negative parameters. A coalition
with one feature more starts from the solution that it has without.
"""

import numpy as np
from numba import njit

from ..sums import dot

STEPS = 50  # times the number of features: many times more than are needed
SMALL = 1e-12  # what counts as nothing, relative to the lengths of a column and of the response


@njit(cache=True, nogil=True)
def _subtract(share, row, out):
    for i in range(out.size):
        out[i] -= share * row[i]


@njit(cache=True, nogil=True)
def _append(column, k, basis, upper):
    """Column k of the QR factors: rows of the basis (p, p), upper (p, p); False if dependent."""
    left = basis[k]
    for i in range(left.size):
        left[i] = column[i]
    for m in range(k):
        upper[m, k] = 0.0
    for _ in range(2):  # the second time takes off what rounding left
        for m in range(k):
            share = dot(basis[m], left)
            upper[m, k] += share
            _subtract(share, basis[m], left)
    length = np.sqrt(dot(left, left))
    if length <= SMALL * np.sqrt(dot(column, column)):
        return False
    upper[k, k] = length
    for i in range(left.size):
        left[i] /= length
    return True


@njit(cache=True, nogil=True)
def _solution(k, response, half, signs, basis, upper, solution):
    """Overwrite found by the parameters of k active features."""
    for i in range(k):  # upper' x = half signs
        solution[i] = half * signs[i]
        for m in range(i):
            solution[i] -= upper[m, i] * solution[m]
        solution[i] /= upper[i, i]
    for i in range(k - 1, -1, -1):
        solution[i] = dot(basis[i], response) - solution[i]
        for m in range(i + 1, k):
            solution[i] -= upper[i, m] * solution[m]
        solution[i] /= upper[i, i]


@njit(cache=True, nogil=True)
def _residual(theta, rows, target):
    """The target (w,) minus theta (p,) times the rows (p, w)."""
    left = np.empty(target.size)
    for i in range(target.size):
        left[i] = target[i]
    for j in range(theta.size):
        if theta[j] != 0.0:
            _subtract(theta[j], rows[j], left)
    return left


@njit(cache=True, nogil=True)
def _enter(columns, response, half, signed, inside, barred, theta):
    """The feature that violates optimality most, and the sign of its gradient; -1 if none does."""
    left = _residual(theta, columns, response)
    length = np.sqrt(dot(response, response))
    entering, sign, most = -1, 1.0, 0.0
    for j in range(len(theta)):
        if not inside[j] or barred[j] or theta[j] != 0.0:
            continue
        gradient = dot(columns[j], left)
        excess = (abs(gradient) if signed else gradient) - half
        if excess > max(most, SMALL * length * np.sqrt(dot(columns[j], columns[j]))):
            entering, most = j, excess
            sign = 1.0 if gradient > 0.0 else -1.0
    return entering, sign


@njit(cache=True, nogil=True)
def _leave(m, k, columns, active, signs, basis, upper):
    """Take place m from the k active features."""
    for i in range(m, k - 1):
        active[i], signs[i] = active[i + 1], signs[i + 1]
        _append(columns[active[i]], i, basis, upper)


@njit(cache=True, nogil=True)
def _settle(k, columns, response, half, active, signs, basis, upper, theta):
    """Go from theta to the solution on k active features, or on fewer; return how many are left."""
    solution = np.empty(len(theta))
    while k > 0:
        _solution(k, response, half, signs, basis, upper, solution)
        leaving, step = -1, 1.0
        for m in range(k):
            if solution[m] * signs[m] <= 0.0:
                old = theta[active[m]]
                share = old / (old - solution[m]) if old != solution[m] else 0.0
                if leaving < 0 or share < step:
                    leaving, step = m, share
        for m in range(k):
            theta[active[m]] += step * (solution[m] - theta[active[m]])
        if leaving < 0:
            for m in range(k):
                theta[active[m]] = solution[m]
            return k
        theta[active[leaving]] = 0.0
        _leave(leaving, k, columns, active, signs, basis, upper)
        k -= 1
    return k


@njit(cache=True, nogil=True)
def _fit(k, columns, response, half, signed, inside, active, signs, basis, upper, theta):
    """Overwrite theta (p,), of which k are active, by the minimum; return how many are, or -1."""
    p = len(theta)
    barred = np.zeros(p, dtype=np.bool_)
    for _ in range(STEPS * p):
        entering, sign = _enter(columns, response, half, signed, inside, barred, theta)
        if entering < 0:
            return k
        if not _append(columns[entering], k, basis, upper):
            barred[entering] = True
            continue
        active[k], signs[k] = entering, sign
        k = _settle(k + 1, columns, response, half, active, signs, basis, upper, theta)
        # What leaves at once would enter again at once.
        for j in range(p):
            barred[j] = j == entering and theta[j] == 0.0
    return -1


@njit(cache=True, nogil=True)
def _loss(theta, test, target):
    left = _residual(theta, test, target)
    return dot(left, left)


@njit(cache=True, nogil=True)
def coalition_losses(columns, response, test, target, half, signed, coalitions, out):
    """Add to out (m,) the squared test errors on the coalitions (m, p); False where a fit fails."""
    m, p = coalitions.shape
    active, signs = np.empty(p, dtype=np.int64), np.empty(p)
    basis, upper = np.empty((p, p)), np.empty((p, p))
    fixed = active, signs, basis, upper
    for t in range(m):
        theta = np.zeros(p)
        if _fit(0, columns, response, half, signed, coalitions[t], *fixed, theta) < 0:
            return False
        out[t] += _loss(theta, test, target)
    return True


@njit(cache=True, nogil=True)
def walk_losses(columns, response, test, target, half, signed, permutations, out):
    """Add to out (m, p) those along the permutations (m, p); False where a fit fails."""
    m, p = permutations.shape
    active, signs = np.empty(p, dtype=np.int64), np.empty(p)
    basis, upper = np.empty((p, p)), np.empty((p, p))
    fixed = active, signs, basis, upper
    for t in range(m):
        theta, inside, k = np.zeros(p), np.zeros(p, dtype=np.bool_), 0
        for place in range(p):
            inside[permutations[t, place]] = True
            k = _fit(k, columns, response, half, signed, inside, *fixed, theta)
            if k < 0:
                return False
            out[t, place] += _loss(theta, test, target)
    return True
