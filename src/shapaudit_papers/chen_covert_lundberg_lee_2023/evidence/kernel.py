"""Evidence on claim 10: the bias of KernelSHAP, by enumeration of its samples."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games
from shapaudit_papers.theory.normalisation import squared_norm
from shapaudit_papers.theory.sampled_least_squares import (
    deviation,
    expected_fit_by_axes,
    first_order,
)

DRAWS = (2, 4, 6)
LATER = (4, 8, 12)  # draws at which the limit is approached
PLAYERS = 4  # the fewest for which the bias is of order 1/m
GAMES = 2  # of so many players

Expectation = Callable[[np.ndarray, int], np.ndarray]


def first_games(context: Context, name: str, dimensions):
    """Yield the first random integer games of each dimension."""
    for label, d, values in integer_games(context, name, dimensions=dimensions):
        if int(label.split()[-1]) <= GAMES:
            yield label, d, values


def gather_bias(context: Context, expectation: Expectation = expected_fit_by_axes) -> Evidence:
    """Return the exact bias of KernelSHAP over all samples of m draws, for d = 2, 3 and 4."""
    rows = []
    for label, d, values in first_games(context, "ccll23-10", (2, 3, PLAYERS)):
        star = deviation(values)
        for draws in DRAWS:
            bias = expectation(values, draws) - shapley_values(values)
            row = {"game": label, "players": d, "draws": draws}
            row["squared_bias"] = float(squared_norm(bias))
            row["unbiased"] = not any(bias)
            # One direction drawn alone: a half of the deviation from the equal split is missed.
            singular = -star * Fraction(1, 2 * 3 ** (draws - 1))
            row["from_repeated_draws_only"] = d == 3 and bool((bias == singular).all())
            rows.append(row)
    return {"rows": rows}


def gather_limit(context: Context, expectation: Expectation = expected_fit_by_axes) -> Evidence:
    """Return m times the exact bias and its distance from the limit, for games of four players."""
    rows = []
    for label, _, values in first_games(context, "ccll23-10b", (PLAYERS,)):
        limit, _ = first_order(values)
        star = shapley_values(values)
        for draws in LATER:
            scaled = (draws * (expectation(values, draws) - star)).astype(float)
            row = {"game": label, "draws": draws, "scaled_bias": float(np.linalg.norm(scaled))}
            row["limit"] = float(np.linalg.norm(limit))
            rows.append(row | {"distance": float(np.linalg.norm(scaled - limit))})
    return {"rows": rows}
