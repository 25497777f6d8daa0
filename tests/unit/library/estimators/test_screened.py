"""Interactions that are screened: which are found, and that they take error away."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.estimators import screened as screened_module
from shapaudit.estimators.screened import (
    SampledDeviations,
    ScreenedPolynomial,
    features,
    pairs_of,
    screened,
)
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table

D = 10
COALITIONS = all_coalitions(D)
SIGNS = np.where(COALITIONS, 1.0, -1.0)


def sparse_game(sets, seed=0):
    rng = np.random.default_rng(seed)
    table = SIGNS @ rng.normal(size=D)
    for members in sets:
        table = table + rng.choice([-1.5, 1.5]) * SIGNS[:, members].prod(axis=1)
    return TabularGame(table)


def rows_of(table, seed=0, count=300):
    picked = np.random.default_rng(seed).choice(np.arange(1, len(table) - 1), count, replace=False)
    return SampledDeviations(SIGNS[picked], np.ones(count), table[picked] - table.mean())


@pytest.mark.parametrize("order", [2, 3])
def test_features_have_no_shapley_values_and_vanish_at_the_ends(order):
    sets = np.array(list(combinations(range(D), order)))[::7]
    for column in features(SIGNS, sets).T:
        assert column[0] == column[-1] == 0
        np.testing.assert_allclose(shapley_from_table(column), 0.0, atol=1e-12)


def test_the_interactions_that_are_there_are_found():
    sets = [[0, 3, 7], [1, 2, 9], [4, 5, 6]]
    interactions = screened(rows_of(sparse_game(sets).values), 3, 3)
    assert sorted(map(sorted, interactions.tolist())) == sets


def test_pairs_come_in_the_order_of_their_agreement():
    rows = rows_of(sparse_game([[2, 5]]).values)
    dual = rows.left(np.empty((0, 2), int), rows.fitted(np.empty((0, 2), int)))
    pairs = pairs_of(rows.signs, dual, 4)
    assert pairs[0].tolist() == [2, 5]
    sizes = [abs(dual @ features(rows.signs, pair[None])[:, 0]) for pair in pairs]
    assert sizes == sorted(sizes, reverse=True)


def test_the_fit_is_that_of_all_features_together():
    rng = np.random.default_rng(3)
    rows = rows_of(rng.normal(size=1 << D))
    rows = SampledDeviations(rows.signs, rng.uniform(0.5, 1.5, 300), rows.deviations)
    sets = np.array([[0, 1, 2], [3, 4, 5]])
    players, interactions = rows.fitted(sets)
    assert players.sum() == pytest.approx(0.0, abs=1e-9)
    # Given the interactions, the players' part is weighted least squares with sum 0.
    left = rows.deviations - features(rows.signs, sets) @ interactions
    free = rows.signs[:, :-1] - rows.signs[:, -1:]
    root = np.sqrt(rows.weights)
    expected = np.linalg.lstsq(root[:, None] * free, root * left, rcond=None)[0]
    np.testing.assert_allclose(players[:-1], expected, atol=1e-9)


def test_sparse_games_of_third_order_are_all_but_exact():
    game = sparse_game([[0, 3, 7], [1, 2, 9]])
    truth = shapley_from_table(game.values)

    def error(name, params=None):
        values = create(name, params).estimate(game, 250, 5).values
        return np.linalg.norm(values - truth) / np.linalg.norm(truth)

    assert error("screened-polynomial") < 0.05 * error("Leverage SHAP")


def test_without_interactions_it_is_least_squares():
    game = TabularGame(np.random.default_rng(6).normal(size=1 << D))
    estimate = create("screened-polynomial").estimate(game, 34, 2)
    other = create("Leverage SHAP").estimate(game, 34, 2)
    np.testing.assert_allclose(estimate.values, other.values, atol=1e-9)


def test_order_two_draws_coalitions_one_by_one():
    assert ScreenedPolynomial().paired
    assert not ScreenedPolynomial(order=2).paired
    assert create("PolySHAP, partial") == ScreenedPolynomial()
    assert create("screened-polynomial", {"order": 2}).minimum_budget(5) == 3


def test_the_penalty_is_judged_by_the_rows_that_the_players_leave(monkeypatch):
    rows = rows_of(sparse_game([[0, 3, 7]]).values)
    seen = []

    def judged(inner, target, residual, freedom, floor):
        seen.append((len(inner), freedom))
        return np.zeros(len(target))

    monkeypatch.setattr(screened_module, "cross_validated", judged)
    players, _ = rows.fitted(np.array([[0, 3, 7], [1, 2, 4]]))
    assert seen == [(2, 300 - (D - 1))]
    left = rows.left(np.empty((0, 3), int), (players, np.empty(0)))
    np.testing.assert_allclose(rows.signs.T @ left - (rows.signs.T @ left).mean(), 0.0, atol=1e-9)
