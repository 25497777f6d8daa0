"""Evidence on claims 61, 64, 66, 67 and 78: what fitted conditional expectations tend to."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values, solve
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, small_dimensions, vector_cases
from shapaudit_papers.theory.conditional import (
    agrees,
    cell_optimum,
    conditional_table,
    entropy_slope,
    linear_fit_game,
    odds,
    odds_differ,
    predictions,
    separate_regressions,
    squared_slope,
)
from shapaudit_papers.theory.joint_tables import JointLaw, conditional
from shapaudit_papers.theory.removal import Model, Row

from .laws import TOP, last, square_law, worlds

ZERO, ONE = Fraction(0), Fraction(1)
SPARE = 3  # rows of a regression beyond its coefficients


def covariances(context: Context) -> list[tuple[str, np.ndarray]]:
    """Return random covariance matrices A A' + I (d, d) with integer A; all of them are regular."""
    matrices = []
    for d in small_dimensions(context, TOP):
        for k in range(context.settings.random_games):
            drawn = random_integers(context, "ccll23-61", d, k, count=d * d).reshape(d, d)
            matrices.append(
                (
                    f"d = {d}, law {k + 1}",
                    drawn @ drawn.T
                    + rationals(np.eye(d, dtype=int).ravel().tolist()).reshape(d, d),
                )
            )
    return matrices


def gather_gaussian(context: Context, regress: Callable = solve) -> Evidence:
    """Return covariances between regression residuals of absent features and present features.

    ``square`` is E[X2^2

    X1 = 1], for unit variances and the correlation 1/2, and the square of E[X2

    X1 = 1]: the expectation of a model is not the model at the expectation.
    """
    cases = []
    for label, matrix in covariances(context):
        d = len(matrix)
        for members in range(1, (1 << d) - 1):
            inside = [j for j in range(d) if members >> j & 1]
            for absent in (j for j in range(d) if not members >> j & 1):
                slopes = regress(matrix[np.ix_(inside, inside)], matrix[inside, absent])
                rest = matrix[absent, inside] - matrix[np.ix_(inside, inside)] @ slopes
                name = f"{label}, feature {absent + 1} given coalition {members}"
                cases += [Case(name, Fraction(left), ZERO) for left in rest]
    half = Fraction(1, 2)
    return {"cases": cases, "square": [1 - half**2 + half**2, half**2]}


def gather_square(context: Context, law: Callable[[], JointLaw] = square_law) -> Evidence:
    """Return conditional values of f(x) = x2 for X2 = X1^2, and those under a normal law.

    The normal law has the same mean and covariance.
    """
    rows = []
    square = law()
    outputs = [last(row) for row in square.rows]
    for x in square.rows:
        exact = conditional(last, x, square)
        fitted = linear_fit_game(*square, outputs, x)
        for name, table in (("exact", exact), ("Gaussian", fitted)):
            values = shapley_values(table)
            rows.append(
                {
                    "explicand": f"({x[0]}, {x[1]})",
                    "law": name,
                    "first_alone": table[1],
                    "first": values[0],
                    "second": values[1],
                }
            )
    return {"rows": rows}


Mask = Callable[[Row, int], Fraction]


def independent_mask(row: Row, members: int) -> Fraction:
    """Return the weight of the mask S for a row: the same for all rows."""
    return ONE


def gather_surrogate(context: Context, mask: Mask = independent_mask) -> Evidence:
    """Return slopes of the surrogate's loss at E[f

    x_S], for squared error and cross-entropy.

    Outputs are probabilities. ``mask`` is the weight with which a row is seen on a coalition.
    """
    cases: dict[str, list[Case]] = {"squared error": [], "cross-entropy": []}
    for world in worlds(context, "ccll23-64"):
        chances = [(output + 10) / 20 for output in world.outputs]
        for x in (world.law.rows[0], world.law.rows[-1]):
            values = conditional_table(*world.law, chances, x)
            for members, value in enumerate(values):
                cell = [
                    (weight * mask(row, members), chance)
                    for row, weight, chance in zip(*world.law, chances, strict=True)
                    if agrees(row, x, members)
                ]
                weights, seen = ([part[k] for part in cell] for k in (0, 1))
                label = f"{world.label}, coalition {members}"
                for loss, slope in (
                    ("squared error", squared_slope),
                    ("cross-entropy", entropy_slope),
                ):
                    cases[loss].append(Case(f"{label}, {loss}", slope(weights, seen, value), ZERO))
    return {"cases": [case for group in cases.values() for case in group]}


def gather_saturated(context: Context, best: Callable = cell_optimum) -> Evidence:
    """Return the optimal value of a surrogate in each cell, and the mean over matching rows.

    The surrogate is fitted to a sample and has a free value for each cell (x_S, S).
    """
    cases = []
    for world in worlds(context, "ccll23-64b"):
        sample = list(zip(world.law.rows, world.outputs, strict=True))[1:]
        x = sample[-1][0]
        for members in range(1 << len(x)):
            seen = [output for row, output in sample if agrees(row, x, members)]
            value = best([ONE] * len(seen), seen)
            slope = squared_slope([ONE] * len(seen), seen, sum(seen, ZERO) / len(seen))
            label = f"{world.label}, coalition {members}"
            cases += [
                Case(f"{label}, value", value, sum(seen, ZERO) / len(seen)),
                Case(f"{label}, slope", slope, ZERO),
            ]
    return {"cases": cases}


def gather_odds(context: Context, differ: Callable = odds_differ) -> Evidence:
    """Return the odds of the mean of two probabilities, and the geometric mean of their odds.

    Both are squared, so that they are rational.
    """
    rows = []
    for first, second in ((1, 9), (2, 5), (5, 5)):
        chances = [Fraction(first, 10), Fraction(second, 10)]
        mean = cell_optimum([ONE, ONE], chances)
        rows.append(
            {
                "first": chances[0],
                "second": chances[1],
                "odds_of_mean": odds(mean),
                "product_of_odds": odds(chances[0]) * odds(chances[1]),
                "differ": differ([1, 1], chances),
            }
        )
    return {"rows": rows}


def gather_tower(context: Context, model: Model | None = None) -> Evidence:
    """E[y | x_S] and E[f | x_S], where f = E[y | x] or another model.

    ``labels`` are those of Bayes classifiers: of x_S alone, and on average over x given x_S.
    """
    cases = []
    for world in worlds(context, "ccll23-66"):
        rows = [(*row, y) for row in world.law.rows for y in (ZERO, ONE)]
        chances = [(output + 10) / 20 for output in world.outputs]
        pairs = zip(world.law.weights, chances, strict=True)
        weights = [part for weight, p in pairs for part in (weight * (1 - p), weight * p)]
        x = world.law.rows[-1]
        best = dict(zip(world.law.rows, chances, strict=True))
        targets = [row[-1] for row in rows]
        inner = [row[:-1] for row in rows]
        trained = conditional_table(inner, weights, targets, x)
        explained = conditional(model or best.__getitem__, x, world.law)
        cases += vector_cases(world.label, trained, explained)
    return {"cases": cases, "labels": _labels()}


def _labels() -> dict[str, Fraction]:
    """Return the label of the mean chance and the mean of the labels, for two rows.

    The rows are equally likely and have the chances 3/5 and 1/5.
    """
    chances = [Fraction(3, 5), Fraction(1, 5)]
    half = Fraction(1, 2)
    labels = [Fraction(chance > half) for chance in chances]
    return {"of_mean": Fraction(sum(chances) / 2 > half), "mean_of": sum(labels, Fraction(0)) / 2}


def gather_separate(context: Context, separate: Callable = separate_regressions) -> Evidence:
    """Return separate regressions on each set of features, and conditional means of the full fit.

    The latter are taken under a normal law.
    """
    cases = []
    for d in small_dimensions(context, TOP):
        n = d + 1 + SPARE
        for k in range(context.settings.random_games):
            drawn = random_integers(context, "ccll23-67", d, k, count=n * (d + 1)).reshape(n, d + 1)
            rows, target = [tuple(row[:d]) for row in drawn], list(drawn[:, d])
            x = rows[0]
            own = separate(rows, target, x)
            of_fit = linear_fit_game(rows, [ONE] * n, predictions(rows, target, rows), x)
            cases += vector_cases(f"d = {d}, data {k + 1}", own, of_fit)
    return {"cases": cases}
