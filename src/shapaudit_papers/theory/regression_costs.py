"""Multiplications and divisions of the ways to attribute a regression's R^2, counted.

Each count is that of the loops of `games.regression_kernels` and `games.regression_table`, with p
features and test rows of p + 1 entries; additions come along with multiplications and are left out.
"""

from fractions import Fraction


def reduction(n_rows: int, p: int) -> int:
    """Gram matrix of N rows [X y], half of it (Section 4.4)."""
    return n_rows * (p + 1) * (p + 2) // 2


def chain(p: int) -> int:
    """Cholesky factor, coefficients, elimination of the test rows, losses of one chain."""
    factor = sum((k + 1) * (k + 2) // 2 for k in range(p))
    coefficients = p * (p + 1) // 2
    elimination = (p + 1) * p * (p + 1) // 2
    losses = 2 * p * (p + 1)
    return factor + coefficients + elimination + losses


def shift(p: int) -> int:
    """The next chain of a cyclic orbit: p - 1 rotations of the triangle and of the test rows."""
    triangle = sum(4 * (p - k) for k in range(p - 1))
    rows = (p - 1) * (4 * (p + 1) + 4 + 4)
    losses = 2 * p * (p + 1)
    return triangle + rows + losses


def naive_chain(n_rows: int, n_test: int, p: int) -> int:
    """p regressions on all rows, each by its own Gram matrix and tested on all rows (3.1)."""
    total = 0
    for k in range(1, p + 1):
        normal = n_rows * (k * (k + 1) // 2 + k)
        solution = sum((j + 1) * (j + 2) // 2 for j in range(k)) + k * (k + 1)
        total += normal + solution + n_test * (k + 1)
    return total


def all_subsets(p: int) -> int:
    """All 2^p losses by the depth-first walk: feature k joins 2^k subsets."""
    step = [2 * p + 2 * (p + 1) + (p - 1 - k) * (p + p + (p + 1) + 1) + 1 for k in range(p)]
    return sum((1 << k) * cost for k, cost in enumerate(step))


def speed_up(n: int, k: int, p: int) -> Fraction:
    """K N p^3 over N p^2 + K p^3: order (6) over order (9), for K chains and N rows."""
    return Fraction(k * n * p**3, n * p**2 + k * p**3)
