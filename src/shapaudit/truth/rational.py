"""Exact arithmetic with fractions: vectors, linear systems, and the Shapley value by definition.

Vectors of fractions are NumPy arrays of dtype object; coalitions are in the order of
`games.coalition_index`.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np

Vector = Sequence[Any] | np.ndarray


def rationals(values: Vector) -> np.ndarray:
    """The values as an object array of fractions, shape (len(values),)."""
    return np.array([Fraction(value) for value in values], dtype=object)


def shapley_values(values: Vector) -> np.ndarray:
    """Shapley values (d,) of a game from its 2^d values, by the definition of Shapley (1953)."""
    worth = rationals(values)
    d = len(worth).bit_length() - 1
    phi = rationals([0] * d)
    for player in range(d):
        others = [1 << other for other in range(d) if other != player]
        for size in range(d):
            share = Fraction(factorial(size) * factorial(d - size - 1), factorial(d))
            for members in combinations(others, size):
                without = sum(members)
                phi[player] += share * (worth[without | 1 << player] - worth[without])
    return phi


def solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solution (k,) of a square system of fractions; raises ValueError when it is singular."""
    rows = np.column_stack([matrix, right])
    size = len(rows)
    for column in range(size):
        pivot = next((row for row in range(column, size) if rows[row, column] != 0), None)
        if pivot is None:
            raise ValueError("the system is singular: its solution is not unique.")
        rows[[column, pivot]] = rows[[pivot, column]]
        rows[column] = rows[column] / rows[column, column]
        for row in range(size):
            if row != column:
                rows[row] = rows[row] - rows[row, column] * rows[column]
    return rows[:, -1]
