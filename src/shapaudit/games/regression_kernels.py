"""Compiled walks of a regression-R^2 game: one factorisation per chain, or one update per shift.

Let G = R'R be the Gram matrix of the training columns in the order of a chain, L its Cholesky
factor, b the products with the response, and T the test columns (one per row). The rows of
L^-1 [T | b] are test columns of a basis that is orthonormal for G and spans, in its first k
vectors, the first k features; the last column z holds the coefficients of the fit. So the
prediction of the first k features is the sum of the first k rows, each times its z, and the loss of
every model of the chain follows from one pass (Bell, Devanathan & Boyd 2024, Section 3.3, whose
equation 8 forms the parameters as well).

Moving the first feature of a chain to its end turns the triangle into a Hessenberg matrix;
d - 1 Givens rotations restore it, and the same rotations of the rows of T give the next chain.
"""

import numpy as np
from numba import njit

from ..sums import dot, fma

LANES = 16  # loops over so many entries, or a multiple, have no remainder
BLOCK = 128  # rows eliminated by loops; what is before them by one matrix product


@njit(cache=True, nogil=True)
def _eliminate(lower, rows):
    """Overwrite the rows (k, w) by lower^-1 rows: four pivots at a time, two rows at a time."""
    p, w = rows.shape
    for j in range(0, p, 4):
        stop = min(j + 4, p)
        for k in range(j, stop):
            for i in range(j, k):
                m = lower[k, i]
                for c in range(w):
                    rows[k, c] -= m * rows[i, c]
            m = 1.0 / lower[k, k]
            for c in range(w):
                rows[k, c] *= m
        for k in range(stop, p - 1, 2):
            a0, a1, a2, a3 = lower[k, j], lower[k, j + 1], lower[k, j + 2], lower[k, j + 3]
            b0, b1, b2, b3 = (
                lower[k + 1, j],
                lower[k + 1, j + 1],
                lower[k + 1, j + 2],
                lower[k + 1, j + 3],
            )
            for c in range(w):
                x0, x1, x2, x3 = rows[j, c], rows[j + 1, c], rows[j + 2, c], rows[j + 3, c]
                rows[k, c] -= a0 * x0 + a1 * x1 + a2 * x2 + a3 * x3
                rows[k + 1, c] -= b0 * x0 + b1 * x1 + b2 * x2 + b3 * x3
        if stop < p and (p - stop) % 2:
            k = p - 1
            a0, a1, a2, a3 = lower[k, j], lower[k, j + 1], lower[k, j + 2], lower[k, j + 3]
            for c in range(w):
                rows[k, c] -= (
                    a0 * rows[j, c]
                    + a1 * rows[j + 1, c]
                    + a2 * rows[j + 2, c]
                    + a3 * rows[j + 3, c]
                )


@njit(cache=True, nogil=True)
def forward(lower, rows):
    """Overwrite the rows (p, w) by lower^-1 rows."""
    p, w = rows.shape
    for j in range(0, p, BLOCK):
        stop = min(j + BLOCK, p)
        if j:
            left = np.empty((stop - j, j))
            for k in range(j, stop):
                for i in range(j):
                    left[k - j, i] = lower[k, i]
            reached = np.dot(left, rows[:j])
            for k in range(j, stop):
                for c in range(w):
                    rows[k, c] -= reached[k - j, c]
        _eliminate(lower[j:stop, j:stop], rows[j:stop])


@njit(cache=True, nogil=True)
def _triangle(gram, factor, response, stable, members):
    """Lower factor (k, k) of the members' columns and their coefficients z (k,).

    By QR of the columns where they are badly conditioned (``stable``), else by Cholesky.
    """
    k, p = len(members), len(factor)
    z = np.zeros(k)
    if stable:
        columns = np.empty((p, k))
        for i in range(p):
            for j in range(k):
                columns[i, j] = factor[i, members[j]]
        q, r = np.linalg.qr(columns)
        turned = np.empty((k, k))
        for j in range(k):
            for i in range(k):
                turned[j, i] = r[i, j]
            for i in range(p):
                z[j] += q[i, j] * response[i]
        return turned, z
    chosen = np.empty((k, k))
    for i in range(k):
        for j in range(k):
            chosen[i, j] = gram[members[i], members[j]]
    lower = np.linalg.cholesky(chosen)
    for i in range(k):
        total = gram[p, members[i]]
        for j in range(i):
            total -= lower[i, j] * z[j]
        z[i] = total / lower[i, i]
    return lower, z


@njit(cache=True, nogil=True)
def losses(gram, factor, response, stable, test, target, coalitions, out):
    """Add to out (m,) the squared test errors of the fits on the coalitions (m, p)."""
    p, w = test.shape
    members, residual = np.empty(p, dtype=np.int64), np.empty(w)
    for t in range(len(coalitions)):
        size = 0
        for j in range(p):
            if coalitions[t, j]:
                members[size] = j
                size += 1
        for c in range(w):
            residual[c] = target[c]
        if size:
            lower, theta = _triangle(gram, factor, response, stable, members[:size])
            for i in range(size - 1, -1, -1):
                for j in range(i + 1, size):
                    theta[i] -= lower[j, i] * theta[j]
                theta[i] /= lower[i, i]
                for c in range(w):
                    residual[c] -= theta[i] * test[members[i], c]
        for c in range(w):
            out[t] += residual[c] * residual[c]


@njit(cache=True, nogil=True)
def _leave(row, residual, z):
    """Take z times the row (w,) from the residual; return its squared norm."""
    for i in range(residual.size):
        residual[i] = fma(-z, row[i], residual[i])
    return dot(residual, residual)


@njit(cache=True, nogil=True)
def _turn_triangle(upper, k, carry, c, s, c2, s2, first, last):
    """Two rotations of the carry with rows k + 1 and k + 2, into rows k and k + 1.

    The columns are those from ``first`` to ``last`` and some around them, of features that are
    gone, zeros below the diagonal to rounding, or to come: nobody reads what becomes of them.
    """
    first -= first % LANES
    last += (first - last) % LANES
    # Unsigned, because an index that may be negative keeps a loop out of the vector registers.
    for i in range(np.uint64(first), np.uint64(last)):
        above, middle, below = carry[i], upper[k + 1, i], upper[k + 2, i]
        upper[k, i] = fma(c, above, s * middle)
        above = fma(c, middle, -s * above)
        upper[k + 1, i] = fma(c2, above, s2 * below)
        carry[i] = fma(c2, below, -s2 * above)


@njit(cache=True, nogil=True)
def _turn_rows(rows, k, work, c, s, c2, s2, z, z2):
    """The same of the test rows, the carry in row 0 of work; return the losses that they leave."""
    for i in range(rows.shape[1]):
        above, middle, below = work[0, i], rows[k + 1, i], rows[k + 2, i]
        row = fma(c, above, s * middle)
        above = fma(c, middle, -s * above)
        row2 = fma(c2, above, s2 * below)
        rows[k, i] = row
        rows[k + 1, i] = row2
        work[0, i] = fma(c2, below, -s2 * above)
        left = fma(-z, row, work[1, i])
        work[2, i] = left
        work[1, i] = fma(-z2, row2, left)
    return dot(work[2], work[2]), dot(work[1], work[1])


@njit(cache=True, nogil=True)
def _shift(upper, rows, z, carry, work, target, f, drops):
    """Move the first feature, in column f of the triangle (p + 2, ...), to the end: column f + p.

    Rotations are made in twos, which halves the traffic of memory. Two rows of zeros after the
    triangle, the test rows and z let the last one, or two, be the identity.
    """
    p, w = len(rows) - 2, rows.shape[1]
    loss = 0.0
    for i in range(w):
        work[0, i] = rows[0, i]
        work[1, i] = target[i]
        loss += target[i] * target[i]
    for i in range(f + 1, f + p):
        carry[i] = upper[0, i]
    carry[f + p] = upper[0, f]
    first = z[0]
    for k in range(0, p, 2):
        i = f + 1 + k
        c, s, c2, s2 = 1.0, 0.0, 1.0, 0.0
        if k < p - 1:
            above, below = carry[i], upper[k + 1, i]
            length = np.sqrt(above * above + below * below)
            c, s = above / length, below / length
        if k < p - 2:
            above, below = c * upper[k + 1, i + 1] - s * carry[i + 1], upper[k + 2, i + 1]
            length = np.sqrt(above * above + below * below)
            c2, s2 = above / length, below / length
        _turn_triangle(upper, k, carry, c, s, c2, s2, i, f + p + 1)
        z[k] = c * first + s * z[k + 1]
        first = c * z[k + 1] - s * first
        z[k + 1] = c2 * first + s2 * z[k + 2]
        first = c2 * z[k + 2] - s2 * first
        now, now2 = _turn_rows(rows, k, work, c, s, c2, s2, z[k], z[k + 1])
        drops[k], drops[k + 1] = loss - now, now - now2
        loss = now2


@njit(cache=True, nogil=True)
def shifts_of(permutations):
    """Which (m,) of the permutations are their predecessor with its first player moved last."""
    m, d = permutations.shape
    shifted = np.zeros(m, dtype=np.bool_)
    for t in range(1, m):
        same = permutations[t, d - 1] == permutations[t - 1, 0]
        k = 0
        while same and k < d - 1:
            same = permutations[t, k] == permutations[t - 1, k + 1]
            k += 1
        shifted[t] = same and d > 1
    return shifted


@njit(cache=True, nogil=True)
def run(gram, factor, response, stable, test, target, permutation, shifts, out):
    """Add to out (1 + shifts, p) the drops of the loss, by player, along a permutation.

    Row f is of the permutation with its first f players moved to its end. There are fewer shifts
    than players.
    """
    p, w = test.shape
    lower, coefficients = _triangle(gram, factor, response, stable, permutation)
    rows, residual, loss = np.zeros((p + 2, w)), np.empty(w), 0.0
    for k in range(p):
        for c in range(w):
            rows[k, c] = test[permutation[k], c]
    forward(lower, rows[:p])
    for c in range(w):
        residual[c] = target[c]
        loss += target[c] * target[c]
    for k in range(p):
        now = _leave(rows[k], residual, coefficients[k])
        out[0, permutation[k]] += loss - now
        loss = now
    if shifts == 0:
        return
    width = 2 * p + 2 * LANES
    upper, z, drops = np.zeros((p + 2, width)), np.zeros(p + 2), np.empty(p + 1)
    carry, work = np.zeros(width), np.empty((3, w))
    for i in range(p):
        z[i] = coefficients[i]
        for j in range(i, p):
            upper[i, j] = lower[j, i]
    for f in range(shifts):
        _shift(upper, rows, z, carry, work, target, f, drops)
        for k in range(p):
            j = f + 1 + k
            out[f + 1, permutation[j if j < p else j - p]] += drops[k]
