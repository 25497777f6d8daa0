"""The regression by coalitions, against the one by sets."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.estimators.polynomial_rows import interaction_products
from shapaudit.games import UnanimityGame
from shapaudit.samplers.coalitions import uniform_subsets


@pytest.mark.parametrize("orders", [[2], [3], [2, 3]])
def test_products_are_those_of_the_features_of_all_sets(orders):
    rng, d = np.random.default_rng(0), 6
    signs = np.where(rng.random((9, d)) < 0.5, 1.0, -1.0)
    features = []
    for k in orders:
        for members in map(list, combinations(range(d), k)):
            share = signs[:, members].mean(axis=1) if k % 2 else 1.0
            features.append(signs[:, members].prod(axis=1) - share)
    expected = np.transpose(features) @ np.array(features)
    np.testing.assert_allclose(interaction_products(signs, orders), expected, atol=1e-10)


@pytest.mark.parametrize(
    "params", [{"order": 2, "paired": False}, {"order": 3}, {"order": 3, "paired": False}]
)
@pytest.mark.parametrize("ridge", [None, 2.0])
@pytest.mark.parametrize("budget", [20, 80])
def test_by_rows_and_by_sets_the_estimate_is_the_same(params, ridge, budget, monkeypatch):
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 5, size=40)
    game = UnanimityGame(rng.standard_normal(40), uniform_subsets(sizes, 15, rng))
    estimator = create("polynomial-least-squares", params | {"ridge": ridge})
    by_sets = estimator.estimate(game, budget, np.random.default_rng(3)).values
    monkeypatch.setattr("shapaudit.estimators.polynomial.BY_ROWS", 10)
    by_rows = estimator.estimate(game, budget, np.random.default_rng(3)).values
    np.testing.assert_allclose(by_rows, by_sets, rtol=1e-5, atol=1e-7)
    assert not np.array_equal(by_rows, by_sets)


def test_interactions_of_many_players_take_no_features():
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 3, size=200)
    game = UnanimityGame(rng.standard_normal(200), uniform_subsets(sizes, 110, rng))
    estimator = create("polynomial-least-squares", {"order": 2, "paired": False})
    found = estimator.estimate(game, 600, rng)
    assert np.isfinite(found.values).all()
