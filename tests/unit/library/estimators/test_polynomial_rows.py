"""The regression by coalitions, against the one by sets."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from shapaudit.estimators import create, polynomial
from shapaudit.estimators.polynomial_krylov import Interactions, lanczos
from shapaudit.estimators.polynomial_rows import (
    fit_by_products,
    fit_by_rows,
    interaction_products,
)
from sparse_games import sparse


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
    game = sparse(15, 40, 4, seed=1)
    estimator = create("polynomial-least-squares", params | {"ridge": ridge})
    by_sets = estimator.estimate(game, budget, np.random.default_rng(3)).values
    monkeypatch.setattr("shapaudit.estimators.polynomial.BY_ROWS", 10)
    by_rows = estimator.estimate(game, budget, np.random.default_rng(3)).values
    np.testing.assert_allclose(by_rows, by_sets, rtol=1e-5, atol=1e-7)
    assert not np.array_equal(by_rows, by_sets)


def test_interactions_of_many_players_take_no_features():
    rng = np.random.default_rng(2)
    game = sparse(110, 200, 2, rng)
    estimator = create("polynomial-least-squares", {"order": 2, "paired": False})
    estimate = estimator.estimate(game, 600, rng)
    assert np.isfinite(estimate.values).all()


@pytest.mark.parametrize(("m", "d", "orders"), [(150, 9, [2]), (200, 8, [2, 3]), (90, 10, [3])])
def test_products_without_a_matrix_are_those_of_the_matrix(m, d, orders):
    rng = np.random.default_rng(0)
    signs, vector = np.where(rng.random((m, d)) < 0.5, 1.0, -1.0), rng.standard_normal(m)
    interactions = Interactions(signs, orders)
    expected = interaction_products(signs, orders) @ vector
    np.testing.assert_allclose(interactions.product(vector), expected, atol=1e-9)
    assert interactions.size == sum(comb(d, k) for k in orders)


def test_the_fit_without_a_matrix_is_near_that_with_it():
    rng = np.random.default_rng(1)
    signs = np.where(rng.random((300, 12)) < 0.5, 1.0, -1.0)
    linear = rng.standard_normal(12)
    values = signs @ linear + 2 * signs[:, 0] * signs[:, 1] + 0.3 * rng.standard_normal(300)
    weights = 0.5 + rng.random(300)
    dense = fit_by_rows(signs, weights, values, [2], None, 1e-10)
    coefficients = fit_by_products(signs, weights, values, [2], 1e-10)
    plain = fit_by_rows(signs, weights, values, [2], 1e12, 1e-10)
    assert np.linalg.norm(coefficients - dense) < 0.05 * np.linalg.norm(plain - dense)


def test_lanczos_form_of_all_steps_has_the_levels_of_the_matrix():
    rng = np.random.default_rng(2)
    root = rng.standard_normal((7, 7))
    diagonal, off, basis = lanczos(lambda vector: root @ (root.T @ vector), np.ones(7), 20)
    whole = np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1)
    np.testing.assert_allclose(np.linalg.eigvalsh(whole), np.linalg.eigvalsh(root @ root.T))
    np.testing.assert_allclose(basis @ basis.T, np.eye(7), atol=1e-12)


def test_large_fits_are_made_without_their_matrix_and_announced(monkeypatch, caplog):
    game = ThresholdLike(20)
    estimator = create("polynomial-least-squares", {"order": 2, "paired": False})
    dense = estimator.estimate(game, 800, np.random.default_rng(0)).values
    monkeypatch.setattr(polynomial, "MOST_DENSE", 1.0)
    monkeypatch.setattr(polynomial, "RATE", 1.0)
    with caplog.at_level("INFO", logger="shapaudit.progress"):
        values = estimator.estimate(game, 800, np.random.default_rng(0)).values
    assert "polynomial-least-squares: about" in caplog.text
    assert 0 < np.linalg.norm(values - dense) < 0.02 * np.linalg.norm(dense)


def test_minutes_are_refused_before_the_game_is_asked(monkeypatch):
    monkeypatch.setattr(polynomial, "MOST_WORK", 1.0)
    estimator = create("polynomial-least-squares", {"order": 2, "paired": False, "ridge": 0.0})
    with pytest.raises(ValueError, match=r"take about .* choose ridge null"):
        estimator.check_budget(20, 800)


class ThresholdLike:
    """A smooth function of one sum, with interactions of all orders."""

    def __init__(self, n_players):
        self.n_players = n_players
        self.weights = np.random.default_rng(0).standard_normal(n_players)

    def __call__(self, coalitions):
        return np.tanh(coalitions @ self.weights)
