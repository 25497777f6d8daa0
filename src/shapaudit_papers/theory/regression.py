"""Least squares and its R^2 in rational arithmetic: Bell, Devanathan & Boyd 2024, Sections 2 to 4.

Matrices are object arrays of fractions.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial

import numpy as np

Part = tuple[np.ndarray, np.ndarray]  # rows (n, p) and target (n,)


def solve(matrix: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solution (k,) of a square system, by elimination; raises ZeroDivisionError if singular."""
    k = len(rhs)
    table = np.column_stack([matrix, rhs])
    for i in range(k):
        pivot = next((j for j in range(i, k) if table[j, i] != 0), i)
        table[[i, pivot]] = table[[pivot, i]]
        table[i] = table[i] / table[i, i]
        for j in range(k):
            if j != i:
                table[j] = table[j] - table[j, i] * table[i]
    return table[:, -1]


def fit(rows: np.ndarray, target: np.ndarray, members: Sequence[int]) -> np.ndarray:
    """Parameters (p,) of least squares with the given features, 0 elsewhere (equation 3)."""
    theta = np.full(rows.shape[1], Fraction(0), dtype=object)
    chosen = rows[:, list(members)]
    if len(chosen[0]):
        theta[list(members)] = solve(chosen.T @ chosen, chosen.T @ target)
    return theta


def r_squared(rows: np.ndarray, target: np.ndarray, theta: np.ndarray) -> Fraction:
    """R^2 of parameters on test rows (equation 2)."""
    residual = rows @ theta - target
    return 1 - (residual @ residual) / (target @ target)


def lifts(train: Part, test: Part, order: Sequence[int]) -> np.ndarray:
    """Lifts (p,) by feature along an order, each model solved on its own (Section 2.2)."""
    gains, before = np.full(len(order), Fraction(0), dtype=object), Fraction(0)
    for k, j in enumerate(order):
        value = r_squared(*test, fit(*train, order[: k + 1]))
        gains[j], before = value - before, value
    return gains


def chain_parameters(rows: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Column k holds the parameters of the first k + 1 features: equation 8, one factorisation.

    With X'X = L D L', L of unit diagonal, R is D^(1/2) L' and Q'y is D^(-1/2) L^-1 X'y,
    so that R^-1 triu(Q'y 1') = L'^-1 triu(D^-1 L^-1 X'y 1') needs no roots.
    """
    p = rows.shape[1]
    lower, upper = np.full((p, p), Fraction(0), dtype=object), rows.T @ rows
    z = rows.T @ target
    for k in range(p):
        lower[k:, k] = upper[k:, k] / upper[k, k]
        for j in range(k + 1, p):
            z[j] = z[j] - lower[j, k] * z[k]
            upper[j] = upper[j] - lower[j, k] * upper[k]
    z = z / np.diag(upper)
    theta = np.triu(np.tile(z[:, None], (1, p)))
    for k in range(p - 1, -1, -1):
        for j in range(k + 1, p):
            theta[k] = theta[k] - lower[j, k] * theta[j]
    return theta


def shapley(values: dict[tuple[int, ...], Fraction], p: int) -> np.ndarray:
    """Shapley values (p,) from the values of all coalitions, by sorted tuple."""
    values_by_player = np.full(p, Fraction(0), dtype=object)
    for members, value in values.items():
        size = len(members)
        for j in range(p):
            if j in members:
                values_by_player[j] += value * Fraction(
                    factorial(size - 1) * factorial(p - size), factorial(p)
                )
            else:
                values_by_player[j] -= value * Fraction(
                    factorial(size) * factorial(p - size - 1), factorial(p)
                )
    return values_by_player


def subsets(p: int) -> Iterator[tuple[int, ...]]:
    """All coalitions of p features, as sorted tuples."""
    for size in range(p + 1):
        yield from combinations(range(p), size)


def merged(batches: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and biased covariance of equal batches of lifts by the updates (12) and (13)."""
    mean, covariance = moments(batches[0])
    for j, batch in enumerate(batches[1:], start=2):
        own, spread = moments(batch)
        share, between = Fraction(1, j), mean - own
        covariance = (1 - share) * covariance + share * spread
        covariance = covariance + Fraction(j - 1, j * j) * np.outer(between, between)
        mean = (1 - share) * mean + share * own
    return mean, covariance


def moments(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean (d,) and biased covariance (d, d) of rows."""
    mean = rows.sum(axis=0) / Fraction(len(rows))
    return mean, (rows - mean).T @ (rows - mean) / Fraction(len(rows))
