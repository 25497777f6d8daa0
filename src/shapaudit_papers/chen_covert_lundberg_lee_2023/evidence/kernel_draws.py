"""Evidence on claims 10 and 40: the unbiased version, pairs, bias among noise, a penalty."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions, vector_cases
from shapaudit_papers.theory.normalisation import squared_norm
from shapaudit_papers.theory.sampled_least_squares import (
    deviation,
    draw_outcomes,
    expected_fit,
    first_order,
    penalised_moments,
)

from .common import SAMPLES, TRIALS
from .grid_bias import tables
from .kernel import PLAYERS, first_games

PENALTIES, PENALISED_DRAWS = (Fraction(0), Fraction(1, 10), Fraction(1)), 3
expected_pairs = partial(expected_fit, paired=True)


def gather_unbiased(context: Context, outcomes=draw_outcomes) -> Evidence:
    """Return the expectation of one draw of the unbiased KernelSHAP, single and in pairs."""
    cases = []
    for label, _, values in integer_games(
        context, "ccll23-10c", dimensions=small_dimensions(context, 6)
    ):
        for paired in (False, True):
            mean = sum(chance * x for chance, x in outcomes(values, paired))
            name = f"{label}, {'pairs' if paired else 'single draws'}"
            cases += vector_cases(name, mean, deviation(values))
    return {"cases": cases}


def gather_pairs(context: Context, pairs: Callable = expected_pairs) -> Evidence:
    """Return expectations of m pairs and of m single draws, each enumerated on its own."""
    cases = []
    for d, draws in ((3, (1, 2, 3)), (PLAYERS, (1, 2))):
        for label, _, values in first_games(context, "ccll23-10d", (d,)):
            for m in draws:
                sides = pairs(values, m), expected_fit(values, m)
                cases += vector_cases(f"{label}, m = {m}", *sides)
    return {"cases": cases}


def gather_penalised(context: Context, moments: Callable = penalised_moments) -> Evidence:
    """Return exact squared bias and variance by penalty, on games of three players."""
    rows = []
    for label, _, values in first_games(context, "ccll23-40", (3,)):
        truth = shapley_values(values)
        for penalty in PENALTIES:
            mean, variance = moments(values, PENALISED_DRAWS, penalty)
            row = {"game": label, "penalty": penalty, "draws": PENALISED_DRAWS}
            row |= {"squared_bias": float(squared_norm(mean - truth))}
            rows.append(row | {"variance": float(variance)})
    return {"rows": rows}


def gather_moderate(context: Context, terms=first_order) -> Evidence:
    """Return the number of samples from which 100 trials do not detect the bias.

    It is taken to first order, on random games and on games of the study.
    """
    rows = []
    for name, values in tables(context):
        bias, variance = terms(values)
        hidden = TRIALS * float(bias @ bias) / variance
        rows.append({"game": name, "players": len(bias), "samples": hidden})
    return {"rows": rows, "fewest": min(SAMPLES)}
