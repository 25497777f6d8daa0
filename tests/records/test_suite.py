"""Exact values of the games of the suite, and values of some of their coalitions."""

import numpy as np
import pytest

from recorded import compare
from solved_games import data, entries, fitted, real


@pytest.mark.parametrize(
    "entry",
    [entry for entry in entries() if entry.few and not entry.wider],
    ids=lambda entry: entry.name,
)
def test_games_of_few_players(entry):
    solved, rng = entry.solved, np.random.default_rng(3)
    values = solved.game(rng.random((40, entry.n_players)) < 0.5)
    parts = {"values": values, "shapley": solved.values, "kind": entry.kind, "part": entry.part}
    compare("suite", {entry.name: parts})


@pytest.mark.parametrize("name", [*data.FEW_TABLES, *data.MANY_TABLES])
def test_tables(name):
    d, make = (data.FEW_TABLES | data.MANY_TABLES)[name]
    table = make(np.random.default_rng(4))
    features = table.features[::40]  # of all rows it would take seconds
    parts = {"features": features, "means": table.features[:200].mean(axis=0), "players": d}
    parts |= {"rows": len(table.features), "target": table.target}
    compare("suite", {f"table {name}": parts | {"classes": table.classes}})


@pytest.mark.parametrize("name", ["wine", "products"])
@pytest.mark.parametrize("model", [*fitted.MODELS, *real.MANY])
def test_models(name, model):
    table = data.FEW_TABLES[name][1](np.random.default_rng(4))
    rows = np.random.default_rng(5).normal(size=(9, table.features.shape[1]))
    fit = (fitted.MODELS | real.MANY)[model](table, 1)
    outputs = fit.predict(rows) if hasattr(fit, "predict") else fit(rows)
    compare("suite", {f"model {model} of {name}": outputs})


def test_removals_of_many_players():
    results = {}
    for entry in entries():
        if entry.name.startswith("whole-cancer-"):
            solved, rng = entry.solved, np.random.default_rng(3)
            values = solved.game(rng.random((6, entry.n_players)) < 0.5)
            results[f"many {entry.name}"] = {"values": values, "shapley": solved.values}
    compare("suite", results)
