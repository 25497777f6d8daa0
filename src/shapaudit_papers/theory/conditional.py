"""Expectations of the removals for conditional values, exactly (Chen et al. 2023, 5.1.3).

Rows are tuples of fractions; a weighted table is a list of rows and a list of weights.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals, solve

from .removal import Row

Weights = Sequence[Fraction]


def conditional_table(
    rows: Sequence[Row], weights: Weights, outputs: Sequence[Fraction], explicand: Row
) -> np.ndarray:
    """E[f | X_S = x_S] (2^d,) of a table with outputs f (n,); the explicand is one of its rows."""
    values = []
    for members in range(1 << len(explicand)):
        chosen = [
            (weight, output)
            for row, weight, output in zip(rows, weights, outputs, strict=True)
            if agrees(row, explicand, members)
        ]
        values.append(_mean(chosen))
    return rationals(values)


def agrees(row: Row, explicand: Row, members: int) -> bool:
    """Whether a row equals the explicand on the members of a coalition, given by its index."""
    pairs = zip(row, explicand, strict=True)
    return all(a == b for j, (a, b) in enumerate(pairs) if members >> j & 1)


def own_row_bias(probability: Fraction, rows: int, gap: Fraction) -> Fraction:
    """Bias of the mean over exact matches when the explicand is one of the rows.

    Among n further independent rows each matches x_S with probability p. With gap = f(x) - v(S),

    E v-hat(S) - v(S) = gap (1 - (1 - p)^(n + 1)) / ((n + 1) p).
    """
    p, n = Fraction(probability), rows
    return Fraction(gap) * (1 - (1 - p) ** (n + 1)) / ((n + 1) * p)


def own_row_bias_by_counting(probability: Fraction, rows: int, gap: Fraction) -> Fraction:
    """The same bias, summed over the binomial number of matches.

    Of M matches besides the explicand the estimate has the expectation (f(x) + M v) / (M + 1).
    """
    p, n = Fraction(probability), rows
    chances = ((m, comb(n, m) * p**m * (1 - p) ** (n - m)) for m in range(n + 1))
    return Fraction(gap) * sum(chance / (m + 1) for m, chance in chances)


def linear_fit_game(
    rows: Sequence[Row], weights: Weights, outputs: Sequence[Fraction], explicand: Row
) -> np.ndarray:
    """Best linear prediction of f from x_S (2^d,): E[f | x_S] by the table's first two moments.

    It is what a Gaussian with the mean and covariance of the table says of a linear f.
    Raises ValueError where the covariance of some S is singular.
    """
    total = sum(weights, Fraction(0))
    columns = [*zip(*rows, strict=True), tuple(outputs)]
    means = [_dot(weights, column) / total for column in columns]
    centred = [[x - mean for x in column] for column, mean in zip(columns, means, strict=True)]
    d = len(explicand)
    moments = rationals(
        [
            _dot(weights, [a * b for a, b in zip(row, other, strict=True)]) / total
            for row in centred
            for other in centred
        ]
    ).reshape(d + 1, d + 1)
    values = []
    for members in range(1 << d):
        inside = [j for j in range(d) if members >> j & 1]
        slopes: Iterable[Fraction] = ()
        if inside:
            slopes = solve(moments[np.ix_(inside, inside)], moments[inside, d])
        shifts = [explicand[j] - means[j] for j in inside]
        values.append(means[d] + _dot(slopes, shifts))
    return rationals(values)


def separate_regressions(
    rows: Sequence[Row], target: Sequence[Fraction], explicand: Row
) -> np.ndarray:
    """Predictions at x_S (2^d,) of least squares on the features S with an intercept.

    The normal equations of each set of columns are solved; raises ValueError where they are
    singular.
    """
    values = []
    for members in range(1 << len(explicand)):
        inside = [j for j in range(len(explicand)) if members >> j & 1]
        design = [[Fraction(1), *(row[j] for j in inside)] for row in rows]
        columns = list(zip(*design, strict=True))
        gram = rationals([_dot(a, b) for a in columns for b in columns])
        right = rationals([_dot(column, target) for column in columns])
        slopes = solve(gram.reshape(len(columns), len(columns)), right)
        values.append(_dot(slopes, [Fraction(1), *(explicand[j] for j in inside)]))
    return rationals(values)


def predictions(
    rows: Sequence[Row], target: Sequence[Fraction], new: Sequence[Row]
) -> list[Fraction]:
    """Predictions for new rows of least squares on all features with an intercept."""
    whole = (1 << len(rows[0])) - 1
    return [separate_regressions(rows, target, row)[whole] for row in new]


def squared_slope(weights: Weights, outputs: Sequence[Fraction], value: Fraction) -> Fraction:
    """Derivative at g of sum w (f - g)^2 / 2, the surrogate's loss in one cell (x_S, S)."""
    return _dot(weights, [value - f for f in outputs])


def entropy_slope(weights: Weights, outputs: Sequence[Fraction], value: Fraction) -> Fraction:
    """Derivative at g in (0, 1) of -sum w (f log g + (1 - f) log(1 - g)), the cross-entropy."""
    return _dot(weights, [(1 - f) / (1 - value) - f / value for f in outputs])


def cell_optimum(weights: Weights, outputs: Sequence[Fraction]) -> Fraction:
    """The value at which both slopes are 0, the weighted mean of f; both losses are convex."""
    return _mean(list(zip(weights, outputs, strict=True)))


def saturated_surrogate(
    rows: Sequence[Row], outputs: Sequence[Fraction], explicand: Row
) -> np.ndarray:
    """The surrogate of a sample with a free value for each cell (x_S, S), at an explicand.

    The explicand is in the sample. For each coalition the value minimises the loss of the
    matching rows.
    """
    ones = [Fraction(1)] * len(rows)
    return conditional_table(rows, ones, outputs, explicand)


def odds(probability: Fraction) -> Fraction:
    """p / (1 - p)."""
    return probability / (1 - probability)


def odds_differ(weights: Sequence[int], outputs: Sequence[Fraction]) -> bool:
    """Whether the log-odds of the mean of f differ from the mean of the log-odds of f.

    With whole weights w that is odds(E f)^(sum w) against the product of odds(f)^w.
    """
    together = Fraction(1)
    for weight, f in zip(weights, outputs, strict=True):
        together *= odds(f) ** weight
    mean = cell_optimum([Fraction(w) for w in weights], outputs)
    return odds(mean) ** sum(weights) != together


def _mean(pairs: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    total = sum((weight for weight, _ in pairs), Fraction(0))
    return sum((weight * x for weight, x in pairs), Fraction(0)) / total


def _dot(vector: Iterable[Fraction], other: Iterable[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(vector, other, strict=True)), Fraction(0))
