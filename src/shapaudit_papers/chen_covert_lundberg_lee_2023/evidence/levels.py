"""Evidence on claim 21: a fixed grid of q against random q, at equal evaluations."""

from collections.abc import Callable
from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.benchmark import expected_errors
from shapaudit_papers.theory.exact_errors import walk_errors
from shapaudit_papers.theory.grids import Grid, fixed_grid

from .common import PLAYERS as DATA_PLAYERS
from .common import SAMPLES, printed_errors, printed_explicands

PLAYERS, DRAWS = 10, 2  # of the unanimity game; subsets at each level, as in the original version
LEVELS = (3, 5, 9, 17, 33, 65)
RIVALS = {"ME": "ME_RAND", "MEF": "MEF_RAND"}


def gather_levels(
    context: Context, grid: Callable[[int], Grid] = lambda n: fixed_grid("equal", n)
) -> Evidence:
    """Return errors of both rules on a unanimity game; ratios on printed explicand and tables."""
    return {
        "unanimity": [unanimity_row(grid(levels), levels) for levels in LEVELS],
        "expected": [
            {"game": name, "method": fixed, "samples": n, "ratio": _ratio(values, fixed, n)}
            for name, values in printed_explicands(context).items()
            if walk_errors(values, 1).total > 0
            for fixed in RIVALS
            for n in SAMPLES
        ],
        "printed": printed_rows(context),
    }


def unanimity_row(grid: Grid, levels: int) -> Evidence:
    """Return the expected squared error of one player of a unanimity game, in fractions.

    All players are needed: a contribution is 1 with probability q^(d - 1), and otherwise 0; the
    Shapley value is 1/d.
    """
    phi = Fraction(1, PLAYERS)
    chances = [Fraction(node, grid.denominator) ** (PLAYERS - 1) for node in grid.nodes]
    weights = [Fraction(weight, grid.parts) for weight in grid.weights]
    bias = sum(w * p for w, p in zip(weights, chances, strict=True)) - phi
    noise = sum(w * w * p * (1 - p) for w, p in zip(weights, chances, strict=True)) / DRAWS
    row = {"levels": levels, "fixed": bias**2 + noise}
    return row | {"random": phi * (1 - phi) / (DRAWS * levels)}


def _ratio(values, fixed, samples):
    return (
        expected_errors(values, fixed, samples).total
        / expected_errors(values, RIVALS[fixed], samples).total
    )


def printed_rows(context: Context) -> list[Evidence]:
    """Return the printed errors on the grid over those with random q, by data set."""
    errors = printed_errors(context)
    rows = []
    for data in DATA_PLAYERS:
        ratios = [
            errors[data, fixed, n] / errors[data, free, n]
            for fixed, free in RIVALS.items()
            for n in SAMPLES
            if (data, fixed, n) in errors and (data, free, n) in errors
        ]
        row = {"data": data, "cells": len(ratios), "helped": sum(ratio < 1 for ratio in ratios)}
        rows.append(row | {"least": min(ratios), "largest": max(ratios)})
    return rows
