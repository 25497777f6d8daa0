"""Claim 10: the bias of KernelSHAP, by enumeration of its samples."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ...theory.least_squares import shapley_values
from ...theory.normalisation import squared_norm
from ...theory.sampled_least_squares import (
    deviation,
    expected_fit_by_axes,
    first_order,
)
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import integer_games, show
from .common import AGNOSTIC, TABLE_1, claim

DRAWS = (2, 4, 6)
LATER = (4, 8, 12)  # draws at which the limit is approached
PLAYERS = 4  # the fewest for which the bias is of order 1/m
GAMES = 2  # of so many players

Expectation = Callable[[np.ndarray, int], np.ndarray]


def first_games(context: Context, name: str, dimensions):
    """The first random integer games of each dimension."""
    for label, d, values in integer_games(context, name, dimensions=dimensions):
        if int(label.split()[-1]) <= GAMES:
            yield label, d, values


def gather_bias(context: Context, expectation: Expectation = expected_fit_by_axes) -> Evidence:
    """Bias of KernelSHAP over all samples of m draws, exactly, for d = 2, 3 and 4."""
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


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an expectation that is not the vector of Shapley values."""
    rows = tuple(evidence["rows"])
    biased = [row for row in rows if not row["unbiased"]]
    numbers = {"biased": len(biased), "cases": len(rows)}
    if not biased:
        return Verdict(
            "proved", "All expectations are the Shapley values.", "sound", numbers, rows=rows
        )
    least = min(row["players"] for row in biased)
    only = all(row["from_repeated_draws_only"] for row in rows if row["players"] == 3)
    return Verdict(
        "refuted",
        f"In rational arithmetic over all samples the bias is not zero in {len(biased)} of "
        f"{len(rows)} cases, from d = {least} on. "
        + (
            "At d = 3 it comes only from samples that draw one pair of complements throughout, and "
            "falls by the factor 3 with every draw; from d = 4 on it is of order 1/m. "
            if only
            else ""
        )
        + "The mark is right of the limit and of the other version, as the caption has it.",
        "convention",
        numbers,
        rows=rows,
        evidence="prop:chen-kernel",
    )


def gather_limit(context: Context, expectation: Expectation = expected_fit_by_axes) -> Evidence:
    """m times the exact bias, and the distance to its limit, for games of four players."""
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


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when m times the bias comes at least twice as close to its limit."""
    rows = tuple(evidence["rows"])
    by_game = {}
    for row in rows:
        by_game.setdefault(row["game"], []).append(row["distance"])
    sample = {"games": len(by_game)}
    if any(distances[-1] > distances[0] / 2 for distances in by_game.values()):
        return Verdict(
            "refuted", "m times the bias has another limit.", "false", sample=sample, rows=rows
        )
    last = rows[-1]
    return Verdict(
        "proved",
        "m times the bias tends to a limit in closed form, which is not zero in general. At m = "
        f"{last['draws']} draws the exact values are {show(last['scaled_bias'])} and "
        f"{show(last['limit'])} in norm.",
        "sound",
        {"draws": last["draws"]},
        sample=sample,
        rows=rows,
        evidence="prop:chen-kernel",
    )


CLAIMS = (
    claim(
        id="ccll23-10a",
        title="KernelSHAP among the bias-free methods",
        where=f"{TABLE_1}, column Bias-free; Figure 5",
        statement=r"KernelSHAP is bias-free: one version has been proven to be so, and the "
        r"original version is asymptotically unbiased. (Here: the mark Yes, taken exactly and of "
        r"the original version.)",
        gather=gather_bias,
        check=check_bias,
    ),
    claim(
        id="ccll23-10b",
        title="KernelSHAP is asymptotically unbiased",
        where=f"{AGNOSTIC}; {TABLE_1}",
        statement=r"KernelSHAP is consistent and asymptotically unbiased; made quantitative, "
        r"$m\,\mathbb E[\hat\phi-\phi]$ tends to $-\frac1{c^2}\mathbb E\bigl[\|a\|^2ar\bigr]$.",
        gather=gather_limit,
        check=check_limit,
    ),
)
