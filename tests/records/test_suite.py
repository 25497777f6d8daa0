"""Exact values of the games of the suite, and values of some of their coalitions."""

import numpy as np
import pytest

from recorded import compare
from solved_games import data, entries, fitted, real


@pytest.mark.parametrize("one", [one for one in entries() if one.few], ids=lambda one: one.name)
def test_games_of_few_players(one):
    solved, rng = one.solved, np.random.default_rng(3)
    values = solved.game(rng.random((40, one.n_players)) < 0.5)
    found = {"values": values, "shapley": solved.values, "kind": one.kind, "part": one.part}
    compare("suite", {one.name: found})


@pytest.mark.parametrize("name", [*data.FEW_TABLES, *data.MANY_TABLES])
def test_tables(name):
    d, make = (data.FEW_TABLES | data.MANY_TABLES)[name]
    table = make(np.random.default_rng(4))
    features = table.features[::40]  # of all rows it would take seconds
    found = {"features": features, "means": table.features[:200].mean(axis=0), "players": d}
    found |= {"rows": len(table.features), "target": table.target}
    compare("suite", {f"table {name}": found | {"classes": table.classes}})


@pytest.mark.parametrize("name", ["wine", "products"])
@pytest.mark.parametrize("model", [*fitted.MODELS, *real.MANY])
def test_models(name, model):
    table = data.FEW_TABLES[name][1](np.random.default_rng(4))
    rows = np.random.default_rng(5).normal(size=(9, table.features.shape[1]))
    fit = (fitted.MODELS | real.MANY)[model](table, 1)
    outputs = fit.predict(rows) if hasattr(fit, "predict") else fit(rows)
    compare("suite", {f"model {model} of {name}": outputs})


def test_removals_of_many_players():
    found = {}
    for one in entries():
        if one.name.startswith("whole-cancer-"):
            solved, rng = one.solved, np.random.default_rng(3)
            values = solved.game(rng.random((6, one.n_players)) < 0.5)
            found[f"many {one.name}"] = {"values": values, "shapley": solved.values}
    compare("suite", found)
