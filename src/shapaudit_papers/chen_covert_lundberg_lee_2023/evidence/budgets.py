"""Evidence on claim 18: budgets beyond the number of coalitions."""

from collections.abc import Mapping

import numpy as np

from shapaudit.games import CountedGame, UnanimityGame, tabulate
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from .common import PLAYERS, published

TERMS = 50  # of the random game that is enumerated


def gather_budgets(context: Context, players: Mapping[str, int] = PLAYERS) -> Evidence:
    """Return published cells with more samples than coalitions, and the cost of one enumeration."""
    cells = [*published(context, "bias"), *published(context, "variance")]
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
    """Return evaluations and relative error of enumerating a random sum of unanimity games."""
    rng = context.generator("ccll23-18", d)
    members = rng.random((TERMS, d)) < 0.5
    game = UnanimityGame(rng.standard_normal(TERMS), members)
    counted = CountedGame(game, 1 << d)
    values = shapley_from_table(tabulate(counted).values)
    truth = game.shapley_values()
    error = float(np.abs(values - truth).max() / np.abs(truth).max())
    return {"players": d, "evaluations": counted.evaluations, "relative_error": error}
