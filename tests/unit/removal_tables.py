"""Made-up tables of studies of removals: errors that are known, and fall with the rows."""

from itertools import product

import numpy as np

SPENT = {"fit_rows": 10, "prepared_rows": 1, "auxiliary_fit_rows": 0}
NOISE = 0.01


def values(block, scales, players=3, noise=NOISE, seed=0):
    """Values whose fitted games are off by scale / sqrt(rows), the same for every player."""
    rng, rows = np.random.default_rng(seed), []
    cells = (range(block.explicands), range(players), block.budgets, range(block.runs))
    for name, count, fit in product(block.removals, block.rows, range(block.fits)):
        shift = scales.get(name, 1.0) / np.sqrt(count) * np.exp(noise * rng.normal())
        for explicand, player, budget, run in product(*cells):
            truth = 1.0 + explicand + player
            exact = truth + shift
            estimate = exact + noise * rng.normal() / np.sqrt(budget)
            cell = (name, count, fit, explicand, player, budget, run)
            rows.append((*cell, estimate, exact, truth, 2 * truth, 10 + budget))
    names = ["removal", "rows", "fit", "explicand", "player", "budget", "run", "estimate"]
    return columns([*names, "exact", "truth", "marginal", "model_rows"], rows)


def fits(block, scales, players=3, noise=0.0, seed=0):
    """Errors of values scale^2 / rows for every size; the law leaves a variance of 1."""
    rng, rows = np.random.default_rng(seed), []
    for name, count, fit in product(block.removals, block.rows, range(block.fits)):
        error = scales.get(name, 1.0) ** 2 / count * np.exp(noise * rng.normal())
        for size in range(players):
            own = (name, count, fit, size, 1 + size, error, 1 + error, 1.0, 5.0)
            rows.append((*own, *SPENT.values()))
    names = ["removal", "rows", "fit", "size", "coalitions", "error", "error_from_data"]
    return columns([*names, "remaining", "rows_per_value", *SPENT], rows)


def rows(block, scales, noise=NOISE, seed=0):
    """Errors scale / sqrt(rows limit), the same by both ways of counting."""
    rng, made = np.random.default_rng(seed), []
    for name, count, fit in product(block.removals, block.rows, range(block.fits)):
        drawn = np.exp(noise * rng.normal(size=len(block.row_limits)))
        shifts = dict(zip(block.row_limits, scales.get(name, 1.0) * drawn, strict=True))
        axes = (range(block.explicands), ("model", "all"), block.row_limits)
        for explicand, counted, limit, run in product(*axes, range(block.runs)):
            cell = (name, count, fit, explicand, counted, limit, run)
            square = shifts[limit] ** 2 / count / limit
            made.append((*cell, 6, limit, square, 9 * square))
    names = ["removal", "rows", "fit", "explicand", "counted", "limit", "run", "evaluations"]
    return columns([*names, "spent", "squared_error", "marginal_error"], made)


def refusals(*cells):
    """Refused fits, given as removal, rows and fit; none by default."""
    kinds = {"removal": str, "rows": int, "fit": int, "reason": str}
    made = [(*cell, f"{cell[0]}: cannot.") for cell in cells]
    parts = zip(*made, strict=True) if made else ((),) * len(kinds)
    return {
        name: np.array(part, dtype=kind)
        for (name, kind), part in zip(kinds.items(), parts, strict=True)
    }


def tables(block, scales, **drawn):
    """All tables of a study in which nothing was refused, by name; ``drawn`` is noise and seed."""
    made = {kind: make(block, scales, **drawn) for kind, make in MAKERS.items()}
    return made | {"refusals": refusals()}


def columns(names, rows):
    made = zip(*rows, strict=True)
    return {name: np.array(column) for name, column in zip(names, made, strict=True)}


MAKERS = {"values": values, "fits": fits, "rows": rows}
