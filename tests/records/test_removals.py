"""Games of every removal of the contract, and rows of the model that they take."""

import numpy as np
import pytest

from contract.test_removals import REMOVALS, fit, play, table
from recorded import compare
from shapaudit.games import all_coalitions, realisation
from shapaudit.models import CountedModel, train


@pytest.fixture(scope="module")
def dataset():
    return table()


@pytest.fixture(scope="module")
def model(dataset):
    return train("xgboost", dataset, {"n_estimators": 5, "max_depth": 3}, 0)


@pytest.mark.parametrize("number", range(len(REMOVALS)), ids=[str(removal) for removal in REMOVALS])
def test_games_of_a_removal(number, dataset, model):
    counted, removal = CountedModel(model), REMOVALS[number]
    fitted = fit(removal, counted, dataset)
    fit_rows, coalitions = counted.rows, all_coalitions(dataset.n_features)
    parts = {"rows of the fit": fit_rows}
    for place, explicand in enumerate((np.median(dataset.features, axis=0), dataset.features[7])):
        game = play(fitted, explicand, seed=place)
        drawn = realisation(game, np.random.default_rng(2))
        parts |= {f"values {place}": game(coalitions), f"drawn {place}": drawn(coalitions)}
    compare("removals", {f"{number} {removal}": parts | {"rows": counted.rows}})
