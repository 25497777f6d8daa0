"""Characteristic functions of sums over s players, at the frequencies 2 pi k / period.

Put z_j = exp(i theta w_j), and let b_s be the mean of prod_{j in S} z_j over the coalitions S of s
of n players: C(n, s) b_s is the coefficient of y^s in prod_j (1 + y z_j).

**Exactly** (`mean_characteristics`). One player after the other, b_s becomes
((m - s) b_s + s z_m b_{s-1}) / m, a weighted mean of numbers of modulus at most 1. Leaving player i
out solves d b_s = (d - s) b_s^i + s z_i b_{s-1}^i for b_s^i, upwards from b_0^i = 1; up to s =
floor((d - 1) / 2) an earlier error is multiplied by s / (d - s) < 1. The upper half of the sizes
is the conjugate of the lower times prod_{j != i} z_j, because |z_j| = 1.

**A bound** (`size_bounds`) from c >= |sum_j z_j| alone. First, sum_s C(n, s) b_s y^s = exp(sum_m
(-1)^{m-1} p_m y^m / m) with p_m = sum_j z_j^m, of which |p_1| <= c, |p_2| <= c_2 and |p_m| <= n;
the coefficients of exp(c y + c_2 y^2 / 2 + n (y^3 / 3 + y^4 / 4 + ...)) are therefore at least the
moduli of those of the left-hand side. Secondly, by Cauchy's formula on |y| = q / (1 - q) and by
Jensen's inequality for the logarithm,

    C(n, s) |b_s| q^s (1 - q)^{n-s} <= max_a prod_j |1 - q + q exp(i a) z_j|
                                    <= (1 - 2 q (1 - q) (1 - c / n))^{n/2},

since |1 - q + q exp(i t)|^2 = 1 - 2 q (1 - q) (1 - cos t) and sum_j cos(a + theta w_j) <= c. Take
q = s / n. The first is good for few players, the second for many.
"""

from math import comb, lgamma

import numpy as np
from numba import njit

SERIES = 40  # largest size of the first bound; it is no better than the second beyond
COLUMNS = 512  # frequencies that share a matrix product
UNIT, SINGLE = 2.0**-53, 2.0**-24  # of rounding


@njit(cache=True, nogil=True)
def mean_characteristics(
    shifts: np.ndarray, step: float, tops: np.ndarray, first: int
) -> np.ndarray:
    """Mean over the sizes s of the other d - 1 players of b_s^i, at the first frequencies (K, d).

    ``step`` is 2 pi / period. The sizes are first, ..., d - 1 - first; at frequency k + 1 those
    above tops[k] <= (d - 1) // 2, up to their mirror images, are left out. The sum is divided by d.
    """
    d = shifts.size
    means = np.zeros((tops.size, d), dtype=np.complex128)
    b = np.empty(d // 2 + 1, dtype=np.complex128)
    zr, zi, ar, ai, low_r, low_i, high_r, high_i = np.empty((8, d))
    for k in range(tops.size):
        whole = 1.0 + 0.0j
        for j in range(d):
            phase = ((k + 1) * step) * shifts[j]
            zr[j], zi[j] = np.cos(phase), np.sin(phase)
            whole *= complex(zr[j], zi[j])
        b[:] = 0
        b[0] = 1
        for m in range(1, d + 1):
            z = complex(zr[m - 1], zi[m - 1])
            for s in range(min(m, tops[k]), 0, -1):
                b[s] += (s / m) * (z * b[s - 1] - b[s])
        ar[:], ai[:] = 1, 0
        low_r[:], low_i[:], high_r[:], high_i[:] = 0, 0, 0, 0
        for s in range(1, tops[k] + 1):
            share = s / (d - s)
            own_r, own_i = (1 + share) * b[s].real, (1 + share) * b[s].imag
            lower = 1.0 if s >= first else 0.0
            upper = lower if 2 * s != d - 1 else 0.0
            for i in range(d):
                x = own_r - share * (ar[i] * zr[i] - ai[i] * zi[i])
                y = own_i - share * (ar[i] * zi[i] + ai[i] * zr[i])
                ar[i], ai[i] = x, y
                low_r[i] += lower * x
                low_i[i] += lower * y
                high_r[i] += upper * x
                high_i[i] += upper * y
        for i in range(d):
            others = whole * complex(zr[i], -zi[i])
            mirrored = others * complex(high_r[i], -high_i[i])
            means[k, i] = (complex(low_r[i], low_i[i]) + mirrored) / d
    return means


def characteristics_rounding(n_players: int, phase: float) -> float:
    """Bound of the rounding errors of `mean_characteristics`, with phases of at most ``phase``.

    Of the z_j: three roundings of the phase, one of the cosine and sine. Each player adds an error
    of its z_j and of eight operations to the b_s; leaving one out, the recursion of the docstring.
    """
    d = n_players
    factor = 3 * UNIT * phase + 2 * UNIT
    product = d * (factor + 8 * UNIT)
    error = largest = 0.0
    for s in range(1, (d - 1) // 2 + 1):
        error = (d * (product + 4 * UNIT) + s * (error + factor + 6 * UNIT)) / (d - s)
        largest = max(largest, error)
    return largest + product + d * UNIT


def size_bounds(n_players: int, second: float) -> np.ndarray:
    """Bounds (n + 1, n // 2 + 1) of |b_s| of n players, by c = 0, ..., n and by s.

    ``second`` is the bound of |p_2|.
    """
    n, c = n_players, np.arange(n_players + 1.0)
    bounds = np.ones((n + 1, n // 2 + 1))
    for s in range(1, n // 2 + 1):
        q = s / n
        chosen = lgamma(n + 1) - lgamma(s + 1) - lgamma(n - s + 1)
        with np.errstate(divide="ignore"):  # log 0 where c = 0 and n = 2
            product = n / 2 * np.log(1 - 2 * q * (1 - q) * (1 - c / n))
        log = product - chosen - s * np.log(q) - (n - s) * np.log1p(-q)
        bounds[:, s] = np.minimum(np.exp(log), 1)
    # Coefficients a_s of the series: (s + 1) a_{s+1} = c a_s + c_2 a_{s-1} + n sum_{j<s-1} a_j.
    terms, rest = [np.ones(n + 1), c], np.zeros(n + 1)
    for s in range(1, min(SERIES, n // 2)):
        terms.append((c * terms[s] + second * terms[s - 1] + n * rest) / (s + 1))
        rest = rest + terms[s - 1]
    for s in range(1, min(SERIES, n // 2) + 1):
        bounds[:, s] = np.minimum(bounds[:, s], terms[s] / comb(n, s))
    return bounds


def sum_bounds(shifts: np.ndarray, step: float, cells: int, stride: int) -> np.ndarray:
    """Bounds (cells,) of |sum_j exp(i k step w_j)| over stride consecutive k each, from k = 1.

    The modulus is that of the middle of the cell, and changes by at most sum_j |w_j - c| times the
    distance, whatever c: take the median. Moduli are in single precision: a sum of 2 d products is
    off by at most its 2 d roundings times d, in both parts, and its factors by a few more.
    """
    centred = shifts - np.median(shifts)
    rows = -(-cells // COLUMNS)
    starts = (np.arange(rows) * COLUMNS * stride + (stride + 1) / 2) * step
    turns = np.arange(COLUMNS) * stride * step
    at_starts = np.exp(1j * np.outer(starts, centred)).astype(np.complex64)
    moduli = np.abs(at_starts @ np.exp(1j * np.outer(centred, turns)).astype(np.complex64))
    reach = (stride - 1) / 2 * step * np.abs(centred).sum()
    d = shifts.size
    return moduli.ravel()[:cells].astype(np.float64) + (reach + d * (3 * d + 8) * SINGLE)
