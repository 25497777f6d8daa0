"""Evidence on claims 65, 69 and 81: rows that removals take, what they keep, what plays them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.estimators import create as create_estimator
from shapaudit.games import all_coalitions, tabulate
from shapaudit.models import train
from shapaudit.removals import REGISTRY, FittedRemoval, Removal, create
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

FEATURES, ROWS = 4, 120
NET = {"hidden": (8,), "epochs": 2}
DRAWS = 8
SMALL: dict[str, dict[str, Any]] = {
    "autoencoder": {"draws": DRAWS, "latent": 2, **NET},
    "combined": {"draws": DRAWS, "largest": 1},
    "copula": {"draws": DRAWS, "outside": "edge"},
    "exact-match": {"own_row": True},
    "gaussian": {"draws": DRAWS},
    "missingness": NET,
    "mixture": {"draws": DRAWS, "components": 2},
    "product": {"draws": DRAWS},
    "surrogate": NET,
    "uniform": {"draws": DRAWS},
}
STRATEGIES = {
    "semivalue": "featurewise-order",
    "random order": "optimised-monte-carlo",
    "multilinear extension": "multilinear",
    "least squares": "kernel-shap",
    "least squares by descent": "projected-sgd",
}
BUDGET = 100


def small_data(context: Context) -> Dataset:
    """Correlated Gaussian features, and a target with an interaction."""
    rng = context.generator("ccll23-65")
    rows = rng.normal(size=(ROWS, FEATURES)) @ (np.eye(FEATURES) + 0.4)
    target = rows[:, 0] - 2 * rows[:, 1] * rows[:, 2] + 0.1 * rng.normal(size=ROWS)
    names = tuple(f"x{j + 1}" for j in range(FEATURES))
    split = {"train": np.arange(ROWS - 20), "test": np.arange(ROWS - 20, ROWS)}
    return Dataset("small", rows, target, names, split, "generated")


def removals() -> list[Removal]:
    """All removals of the package, with few draws and small networks."""
    return [create(name, SMALL.get(name)) for name in sorted(REGISTRY)]


def fitted(context: Context, removal: Removal, depth: int = 3) -> FittedRemoval:
    """Fit a removal to the data with boosted trees of a given depth as the model."""
    data = small_data(context)
    model = train("xgboost", data, {"n_estimators": 5, "max_depth": depth}, 0)
    return removal.fit(model, data, context.generator("ccll23-65", removal.id))


def gather_rows(context: Context, wanted: Sequence[str] = ("surrogate", "autoencoder")) -> Evidence:
    """Return rows of f and of a removal's own model, for the fit and for each value, by removal."""
    rows = []
    middle = all_coalitions(FEATURES)[1:-1]
    for name in wanted:
        made = fitted(context, create(name, SMALL[name]))
        explicand = np.median(small_data(context).features, axis=0)
        game = made.game(explicand, context.generator("ccll23-65", name, "game"))
        own = game.auxiliary_rows(middle) if hasattr(game, "auxiliary_rows") else 0 * middle[:, 0]
        rows.append(
            {
                "removal": name,
                "fit": made.fit_rows,
                "per_value": int(game.rows(middle).max()),
                "own_per_value": int(own.max()),
            }
        )
    return {"rows": rows, "training_rows": ROWS - 20, "draws": DRAWS}


def gather_shared(context: Context, kinds: Sequence[str] = ("distribution",)) -> Evidence:
    """Return whether a removal learns the same arrays, byte by byte, for two models.

    The removals are those whose cards say that they learn one of ``kinds``.
    """
    rows = []
    for removal in removals():
        if removal.card is None or removal.card.uses not in kinds:
            continue
        first, second = (fitted(context, removal, depth) for depth in (3, 2))
        rows.append(
            {
                "removal": removal.id,
                "fit_rows": first.fit_rows,
                "same": all(
                    array.tobytes() == second.arrays[key].tobytes()
                    for key, array in first.arrays.items()
                ),
            }
        )
    return {"rows": rows}


def gather_players(context: Context, strategies: dict[str, str] = STRATEGIES) -> Evidence:
    """Return whether estimates on a removal's game equal those on its table, by strategy."""
    rows = []
    explicand = np.median(small_data(context).features, axis=0)
    for removal in removals():
        made = fitted(context, removal)
        game = made.game(explicand, context.generator("ccll23-81", removal.id))
        table = tabulate(game)
        row: Evidence = {"removal": removal.id}
        for strategy, name in strategies.items():
            played_estimate, table_estimate = (
                create_estimator(name)
                .estimate(played, BUDGET, context.generator("ccll23-81", strategy))
                .values
                for played in (game, table)
            )
            finite = np.isfinite([played_estimate, table_estimate]).all()
            row[strategy] = bool(finite) and np.array_equal(played_estimate, table_estimate)
        rows.append(row)
    return {"rows": rows}
