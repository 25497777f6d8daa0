"""Evidence on claim 7: additive efficient normalisation."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games, random_integers, small_dimensions
from shapaudit_papers.theory.grids import grid_expectation
from shapaudit_papers.theory.normalisation import normalise, squared_norm

POINTS = 5
LEVELS = (3, 6)  # of the grids that are normalised

Normalisation = Callable[[np.ndarray, Fraction], np.ndarray]


def gather_error(context: Context, normalisation: Normalisation = normalise) -> Evidence:
    """Return squared errors before and after normalisation, at random points on random games."""
    cases, before_after = [], []
    for label, d, values in integer_games(
        context, "ccll23-07", dimensions=small_dimensions(context, 6)
    ):
        truth = shapley_values(values)
        for k in range(POINTS):
            point = random_integers(context, "ccll23-07", "point", label, k, count=d)
            gap = truth.sum() - point.sum()
            if point.sum() == 0:
                continue
            before = squared_norm(point - truth)
            after = squared_norm(normalisation(point, truth.sum()) - truth)
            cases.append(Case(f"{label}, point {k + 1}", before - after, gap**2 / Fraction(d)))
            before_after.append((before, after))
    return {"cases": cases, "errors": before_after}


def gather_bias(context: Context, expectation: Callable = grid_expectation) -> Evidence:
    """Return bias vectors of the fixed grid before and after normalisation, on random games."""
    rows, zero_stays = [], []
    for label, d, values in integer_games(
        context, "ccll23-07b", dimensions=small_dimensions(context, 5)
    ):
        truth = shapley_values(values)
        zero_stays.append((normalise(truth, truth.sum()) == truth).all())
        for levels in LEVELS:
            mean = expectation(values, levels)
            before = squared_norm(mean - truth)
            after = squared_norm(normalise(mean, truth.sum()) - truth)
            gap = (mean - truth).sum()
            row = {"game": label, "levels": levels, "squared_bias": before, "normalised": after}
            rows.append(row | {"gap_squared_over_d": gap**2 / Fraction(d)})
    return {"rows": rows, "zero_stays": all(zero_stays)}
