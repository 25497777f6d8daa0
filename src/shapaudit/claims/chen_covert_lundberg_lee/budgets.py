"""Claim 18: budgets beyond the number of coalitions."""

from collections.abc import Mapping

import numpy as np

from ...games import CountedGame, UnanimityGame, tabulate
from ...truth import shapley_from_table
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from .common import AGNOSTIC, PLAYERS, claim, published

TERMS = 50  # of the random game that is enumerated
ROUNDING = 1e-12


def gather_budgets(context: Context, players: Mapping[str, int] = PLAYERS) -> Evidence:
    """Published cells with more samples than coalitions; one enumeration, counted."""
    cells = [*published("bias"), *published("variance")]
    rows = []
    for data, d in players.items():
        samples = [n for name, _, n in cells if name == data]
        budgets = sorted(set(samples))
        beyond = [n for n in budgets if n > 1 << d]
        row = {"data": data, "players": d, "coalitions": float(1 << d), "budgets": len(budgets)}
        row |= {"budgets_beyond": len(beyond), "cells": len(samples)}
        rows.append(row | {"cells_beyond": sum(n in beyond for n in samples)})
    d = min(players.values())
    return {"rows": rows, "enumerated": enumerate_once(context, min(d, PLAYERS["diabetes"]))}


def enumerate_once(context: Context, d: int) -> dict[str, float]:
    """Evaluations and relative error of enumerating a random sum of unanimity games."""
    rng = context.generator("ccll23-18", d)
    members = rng.random((TERMS, d)) < 0.5
    game = UnanimityGame(rng.standard_normal(TERMS), members)
    counted = CountedGame(game, 1 << d)
    found = shapley_from_table(tabulate(counted).values)
    truth = game.shapley_values()
    error = float(np.abs(found - truth).max() / np.abs(truth).max())
    return {"players": d, "evaluations": counted.evaluations, "relative_error": error}


def check_budgets(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when published numbers of samples exceed the number of coalitions."""
    rows, once = tuple(evidence["rows"]), evidence["enumerated"]
    beyond = [row for row in rows if row["budgets_beyond"]]
    numbers = {"cells_beyond": sum(row["cells_beyond"] for row in rows), **once}
    if once["relative_error"] > ROUNDING:
        return Verdict("inconclusive", "Enumeration was not exact.", "sample", numbers, rows=rows)
    if not beyond:
        return Verdict("proved", "All budgets are below 2 to the d.", "sound", numbers, rows=rows)
    told = "; ".join(
        f"{row['budgets_beyond']} of {row['budgets']} budgets and {row['cells_beyond']} of "
        f"{row['cells']} cells of the tables on the {row['data']} data (d = {row['players']})"
        for row in beyond
    )
    return Verdict(
        "refuted",
        f"Not for {told}. There, evaluating each coalition once takes {once['evaluations']} "
        f"evaluations and gives the values to a relative {show(once['relative_error'])}: no sample "
        "of that size is of use. On the other data there are more coalitions than samples.",
        "hypothesis",
        numbers,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-18",
        title="Fewer evaluations than coalitions",
        where=f"{AGNOSTIC}, first paragraph, beside Tables 2 to 7",
        statement=r"Model-agnostic approaches sidestep evaluating the model with an exponential "
        r"number of subsets, $2^d$, by using a smaller number of subsets chosen at random.",
        gather=gather_budgets,
        check=check_budgets,
    ),
)
