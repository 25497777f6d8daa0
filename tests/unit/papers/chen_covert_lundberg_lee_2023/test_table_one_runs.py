"""Each of the 24 methods of Table 1 explains a row, by what its row says it runs as."""

import numpy as np
import pytest

from explained import MODELS, ROWS, AnyModel
from shapaudit.datasets import Dataset
from shapaudit.estimators import create as create_estimator
from shapaudit.explainers import REGISTRY as EXPLAINERS
from shapaudit.explainers import create as create_explainer
from shapaudit.games import BaselineGame, all_coalitions
from shapaudit.removals import create as create_removal
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import methods

D = ROWS.shape[1]
BITS = np.repeat(all_coalitions(D), 2, axis=0).astype(float)  # so that every row has its matches
SPLIT = {"train": np.arange(len(BITS)), "test": np.arange(0)}
DATA = Dataset("bits", BITS, None, tuple(f"x{j}" for j in range(D)), SPLIT, "generated")


def explained(runs):
    """Values (d,) of a row by an explainer, or by an estimator and where it is named a removal."""
    first, *removal = runs.split(", ")
    if first in EXPLAINERS:
        explainer = create_explainer(first)
        alone = explainer.card.target == "baseline" and explainer.card.models != "any"
        model = MODELS[explainer.card.models][0]()
        return explainer.fit(model, ROWS[:1] if alone else ROWS, 0).explain(ROWS[1]).values
    estimator, model = create_estimator(first), AnyModel()
    game = BaselineGame(model.predict, BITS[-1], BITS[0])
    for name in removal:
        fitted = create_removal(name).fit(model, DATA, np.random.default_rng(0))
        game = fitted.game(BITS[-1], np.random.default_rng(1))
    budget = max(60, estimator.minimum_budget(D))
    return estimator.estimate(game, budget, 0).values


def ran(rows):
    """Methods of rows that explain a row by finite values, not all of them zero."""
    explanations = {row.method: np.asarray(explained(row.runs)) for row in rows}
    return {
        name
        for name, values in explanations.items()
        if values.shape == (D,) and np.isfinite(values).all() and values.any()
    }


def test_no_method_of_table_1_is_without_a_row_that_runs():
    assert ran(methods.ROWS) == {row.method for row in methods.ROWS}
    assert len(methods.ROWS) == 24


@pytest.mark.parametrize("runs", ["approximate-shapley", "kernel-shap, vacuum"])
def test_a_row_that_names_nothing_does_not_run(runs):
    with pytest.raises(ValueError, match=runs.split(", ")[-1]):
        ran([methods.ROWS[0]._replace(runs=runs)])
