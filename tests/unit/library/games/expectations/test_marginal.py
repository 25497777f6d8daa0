"""Marginal games of laws, exactly: against long means over rows, and sums over tables."""

import numpy as np
import pytest

from shapaudit.datasets import LOADERS
from shapaudit.games import GameError, all_coalitions
from shapaudit.games.expectations.marginal import marginal_values
from shapaudit.models import train
from shapaudit.seeding import generator

D = 4
CASES = [
    ("gaussian-law", {}, "network"),
    ("gaussian-law", {"shape": "pairs"}, "xgboost"),
    ("mixture-law", {}, "network"),
    ("copula-law", {}, "additive"),
    ("discrete-law", {}, "xgboost"),
    ("chain-law", {"levels": 3}, "xgboost"),
]
COALITIONS = all_coalitions(D)


def made(loader, params, trainer):
    data = LOADERS[loader](generator(2, loader), n_rows=200, n_features=D, **params)
    return data.law, train(trainer, data, {}, 0), data.law.sample(generator(3, loader), 2)


@pytest.mark.parametrize(("loader", "params", "trainer"), CASES)
def test_values_are_means_over_rows_of_the_law(loader, params, trainer):
    law, model, explicands = made(loader, params, trainer)
    tables = marginal_values(law, model, explicands, COALITIONS)
    rows = law.sample(generator(4, loader), 20000)
    for x, values in zip(explicands, tables, strict=True):
        for members, value in zip(COALITIONS, values, strict=True):
            outputs = model.predict(np.where(members, x, rows))
            error = outputs.std() / np.sqrt(len(rows))
            assert abs(outputs.mean() - value) < 5 * error + 1e-6 * (1 + abs(value))


def test_a_table_is_summed_over_its_rows():
    law, model, explicands = made("discrete-law", {}, "xgboost")
    tables = marginal_values(law, model, explicands, COALITIONS)
    for x, values in zip(explicands, tables, strict=True):
        hybrids = [np.where(members, x, law.support) for members in COALITIONS]
        sums = [model.predict(rows) @ law.probabilities for rows in hybrids]
        np.testing.assert_allclose(values, sums, rtol=1e-10)


def test_a_model_without_closed_form_is_refused():
    law, _, explicands = made("mixture-law", {}, "network")
    model = made("discrete-law", {}, "xgboost")[1]
    with pytest.raises(GameError, match="no closed form is known for the marginal game of a"):
        marginal_values(law, model, explicands, COALITIONS)
