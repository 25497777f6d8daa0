"""Evidence on claims 13 and 14: linear models, and marginal values as means of baseline values."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, small_dimensions, vector_cases
from shapaudit_papers.theory.removal import (
    Model,
    Row,
    baseline_game,
    linear,
    linear_shap,
    marginal_game,
    mean_row,
    product_of,
    quadratic,
)

ROWS = 3  # of the random backgrounds
DRAWN = 2  # baselines of a random sample
Game = Callable[[Model, Row, Sequence[Row]], np.ndarray]


def problems(
    context: Context, name: str, build: Callable, count: Callable[[int], int]
) -> Iterator[tuple[str, list, Model, list, list[list]]]:
    """Yield label, coefficients, model, explicand and background of random models."""
    for d in small_dimensions(context, 4):
        for k in range(context.settings.random_games):
            drawn = random_integers(context, name, d, k, count=count(d) + (ROWS + 1) * d).tolist()
            coefficients, rest = drawn[: count(d)], drawn[count(d) :]
            rows = [rest[i : i + d] for i in range(0, len(rest), d)]
            yield f"d = {d}, model {k + 1}", coefficients, build(coefficients), rows[0], rows[1:]


def gather_linear(context: Context, formula: Callable = linear_shap) -> Evidence:
    """Return marginal values, baseline values at the mean and the closed form, of random models."""
    cases = []
    for label, beta, model, x, background in problems(
        context, "ccll23-13", linear, lambda d: d + 1
    ):
        marginal = shapley_values(marginal_game(model, x, background))
        mean = mean_row(background)
        at_mean = shapley_values(baseline_game(model, x, mean))
        cases += vector_cases(f"{label}, mean baseline", at_mean, marginal)
        cases += vector_cases(f"{label}, Equation 10", formula(beta, x, mean), marginal)
    return {"cases": cases}


Example = tuple[str, Model, Row, Sequence[Row], bool]


def examples() -> list[Example]:
    """Return the smallest non-linear models with background, and whether the two values differ."""
    one, zero = Fraction(1), Fraction(0)
    corners = [[a, b] for a in (zero, one) for b in (zero, one)]

    def square(row):
        return row[0] ** 2

    return [
        ("x squared, background -1 and 1", square, [zero], [[-one], [one]], True),
        ("x y, background on a diagonal", product_of, [one, zero], [corners[0], corners[3]], True),
        ("x y, background of all corners", product_of, [one, zero], corners, False),
    ]


def gather_beyond(context: Context, models: Callable[[], list[Example]] = examples) -> Evidence:
    """Return marginal values and baseline values at the mean of the examples."""
    rows, wrong = [], []
    for label, model, x, background, differ in models():
        marginal = shapley_values(marginal_game(model, x, background))
        at_mean = shapley_values(baseline_game(model, x, mean_row(background)))
        if (marginal != at_mean).any() != differ:
            wrong.append(label)
        rows += [
            {"model": label, "feature": j + 1, "marginal": a, "mean_baseline": b}
            for j, (a, b) in enumerate(zip(marginal, at_mean, strict=True))
        ]
    return {"rows": rows, "wrong": wrong}


def gather_average(context: Context, game: Game = marginal_game) -> Evidence:
    """Return values of the marginal game and the mean of baseline values, for quadratic models.

    ``sampled`` has the mean of a sample's values over all samples of baselines, and the
    population's values.
    """
    cases = []
    for label, _, model, x, background in problems(
        context, "ccll23-14", quadratic, lambda d: d * d
    ):
        values = [shapley_values(baseline_game(model, x, row)) for row in background]
        mean = np.mean(values, axis=0)
        cases += vector_cases(label, shapley_values(game(model, x, background)), mean)
    return {"cases": cases, "sampled": sampled_cases(context, game)}


def sampled_cases(context: Context, game: Game) -> list[Case]:
    """Return the mean of values over all samples of baselines, and the population's values."""
    cases = []
    for label, _, model, x, population in problems(
        context, "ccll23-14a", quadratic, lambda d: d * d
    ):
        samples = list(product(population, repeat=DRAWN))
        mean = np.mean([shapley_values(game(model, x, rows)) for rows in samples], axis=0)
        whole = shapley_values(marginal_game(model, x, population))
        cases += vector_cases(label, mean, whole)
    return cases
