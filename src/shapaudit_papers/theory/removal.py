"""Games of models with features removed, exactly (Chen et al. 2023, Sections 4 and 5.1).

Rows are tuples of fractions; tables are in the order of `games.coalition_index`.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from shapaudit.truth.rational import rationals

Row = Sequence[Fraction]
Model = Callable[[Row], Fraction]


def baseline_game(model: Model, explicand: Row, baseline: Row) -> np.ndarray:
    """f at hybrid rows, the explicand on S and the baseline off it (Equation 2), (2^d,)."""
    pairs = list(zip(baseline, explicand, strict=True))
    return rationals(
        [
            model([pair[members >> j & 1] for j, pair in enumerate(pairs)])
            for members in range(1 << len(pairs))
        ]
    )


def marginal_game(model: Model, explicand: Row, background: Sequence[Row]) -> np.ndarray:
    """Mean of f at the hybrid rows of a background: the empirical Equation 4, (2^d,)."""
    pairs = list(zip(explicand, zip(*background, strict=True), strict=True))
    values = []
    for members in range(1 << len(pairs)):
        columns = [
            [x] * len(background) if members >> j & 1 else list(column)
            for j, (x, column) in enumerate(pairs)
        ]
        outputs = [Fraction(model(row)) for row in zip(*columns, strict=True)]
        values.append(sum(outputs, Fraction(0)) / len(background))
    return rationals(values)


def mean_row(background: Sequence[Row]) -> list[Fraction]:
    """Mean of each feature over the background."""
    return [sum(column, Fraction(0)) / len(background) for column in zip(*background, strict=True)]


def gaussian_game(coefficients: Row, explicand: Row, correlation: Fraction) -> np.ndarray:
    """E[beta'x | x_S] of standard Gaussian features, the last two correlated (Equation 5), (2^d,).

    The others are independent. One of the pair alone predicts the other by the correlation.
    """
    d = len(coefficients)
    partner = {d - 2: d - 1, d - 1: d - 2}
    values = []
    for members in range(1 << d):
        total = Fraction(0)
        for j, (beta, x) in enumerate(zip(coefficients, explicand, strict=True)):
            if members >> j & 1:
                total += beta * x
            elif j in partner and members >> partner[j] & 1:
                total += beta * correlation * explicand[partner[j]]
        values.append(total)
    return rationals(values)


def linear(coefficients: Row) -> Model:
    """beta_0 + beta'x, the intercept first."""
    return lambda row: (
        coefficients[0] + sum(b * x for b, x in zip(coefficients[1:], row, strict=True))
    )


def product_of(row: Row) -> Fraction:
    """The product of all features."""
    return prod(row, start=Fraction(1))


def quadratic(coefficients: Row) -> Model:
    """sum of c_ij x_i x_j with coefficients (d^2,), row by row."""
    return lambda row: sum(
        (c * x * y for c, (x, y) in zip(coefficients, product(row, row), strict=True)), Fraction(0)
    )


def linear_shap(coefficients: Row, explicand: Row, mean: Row) -> np.ndarray:
    """beta_i (x_i - mu_i) (d,), the intercept first among the coefficients (Equation 10)."""
    rows = zip(coefficients[1:], explicand, mean, strict=True)
    return rationals([b * (x - mu) for b, x, mu in rows])
