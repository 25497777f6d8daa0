"""k-additive regression: exactness on k-additive games, PolySHAP's theorem, ranks, ridges."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.estimators.least_squares import StratifiedLeastSquares
from shapaudit.estimators.polynomial import PolynomialLeastSquares, interaction_free
from shapaudit.estimators.walsh import _from_blocks, _from_table, normal_equations, sets_of_order
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table

RIDGES = (None, 0.0, 5.0)
ESTIMATORS = [
    PolynomialLeastSquares(order, paired=paired, ridge=ridge)
    for order in (2, 3)
    for paired in (False, True)
    for ridge in RIDGES
]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def additive_in(order, d, seed=0):
    """A random game with interactions up to an order."""
    rng = np.random.default_rng(seed)
    coalitions = all_coalitions(d)
    values = np.full(1 << d, rng.normal())
    for k in range(1, order + 1):
        for members in combinations(range(d), k):
            values += rng.normal() * coalitions[:, members].all(axis=1)
    return TabularGame(values)


def error(estimator, game, budget, seed=0):
    estimate = estimator.estimate(game, budget, np.random.default_rng(seed))
    return np.linalg.norm(estimate.values - shapley_from_table(game.values))


@each
def test_exact_once_all_coalitions_are_covered_and_not_before(estimator):
    for d in (2, 3, 5, 6):
        assert error(estimator, random_game(d), estimator.exact_budget(d)) < 1e-9
    assert error(estimator, random_game(6), estimator.exact_budget(6) - 4) > 1e-4


@each
def test_exact_on_additive_games_of_its_order(estimator):
    d, budget = 7, 110
    for order in range(1, estimator.order + 1):
        cancelled = order == 1 or (estimator.paired and order == 2)
        exact = cancelled or not estimator.ridge
        assert (error(estimator, additive_in(order, d), budget) < 1e-8) == exact
    assert error(estimator, additive_in(estimator.order + 2, d), budget) > 1e-3


@pytest.mark.parametrize("budget", [10, 40, 60])
@pytest.mark.parametrize("paired", [True, False])
def test_in_pairs_and_only_then_order_two_is_order_one(budget, paired):
    one, two, three = (
        estimator.estimate(random_game(6), budget, np.random.default_rng(4)).values
        for estimator in (
            StratifiedLeastSquares("leverage", paired),
            PolynomialLeastSquares(2, "leverage", paired),
            PolynomialLeastSquares(3, "leverage", paired, ridge=1.0),
        )
    )
    if paired:
        np.testing.assert_allclose(two, one, atol=1e-9)
    elif budget > 10:  # fewer coalitions are explained by the linear part alone
        assert np.abs(two - one).max() > 1e-6
    assert budget == 10 or np.abs(three - one).max() > 1e-6


def test_below_the_rank_the_linear_part_comes_first_and_a_ridge_cuts_the_peak():
    d = 10
    additive = additive_in(1, d)
    few = 2 + 2 * (d + 4)
    for ridge in RIDGES:
        assert error(PolynomialLeastSquares(ridge=ridge), additive, few) < 1e-8
    noisy = TabularGame(additive.values + np.random.default_rng(1).normal(size=1 << d))
    features = d + sets_of_order(3, d).shape[0]

    def mean_error(budget, ridge):
        estimator = PolynomialLeastSquares(ridge=ridge)
        return np.mean([error(estimator, noisy, budget, seed) for seed in range(12)])

    at_rank, peak = 2 + 2 * features, mean_error(2 + 2 * features, 0.0)
    assert peak > 1.5 * mean_error(at_rank // 2, 0.0)
    assert mean_error(at_rank, None) < 0.5 * peak


def test_beats_least_squares_on_a_smooth_game():
    d = 10
    weights = np.random.default_rng(0).normal(size=d)
    game = TabularGame(np.exp(0.3 * all_coalitions(d) @ weights))
    assert error(PolynomialLeastSquares(), game, 600) < 0.3 * error(
        StratifiedLeastSquares(), game, 600
    )


def test_table_and_blocks_give_the_same_normal_equations(monkeypatch):
    d = 6
    rng = np.random.default_rng(0)
    coalitions = rng.random((40, d)) < 0.4
    weights, rewards = rng.random(40), rng.normal(size=40)
    sets = [sets_of_order(k, d) for k in range(4)]
    signs = np.where(coalitions, 1.0, -1.0)
    features = np.hstack([signs[:, members].prod(axis=2) for members in sets])
    monkeypatch.setattr("shapaudit.estimators.walsh.BLOCK_CELLS", 7 * features.shape[1])
    for build in (_from_table, _from_blocks):
        gram, moment = build(sets, coalitions, weights, rewards)
        np.testing.assert_allclose(gram, (weights * features.T) @ features, atol=1e-12)
        np.testing.assert_allclose(moment, (weights * features.T) @ rewards, atol=1e-12)


def test_interactions_rid_of_their_shapley_values():
    d = 5
    coalitions = all_coalitions(d)
    sets = [sets_of_order(k, d) for k in (2, 3)]
    low = [sets_of_order(0, d), sets_of_order(1, d)]
    signs = np.where(coalitions, 1.0, -1.0)
    weights, rewards = np.random.default_rng(0).random((2, 1 << d))
    gram, moment = normal_equations([*low, *sets], coalitions, weights, rewards)
    gram, moment = interaction_free(gram, moment, sets, d)
    columns = [np.ones(1 << d), *signs.T]
    columns += [signs[:, members].prod(axis=1) - 1.0 for members in sets[0]]
    columns += [
        signs[:, members].prod(axis=1) - signs[:, members].mean(axis=1) for members in sets[1]
    ]
    features = np.array(columns).T
    np.testing.assert_allclose(gram, (weights * features.T) @ features, atol=1e-11)
    np.testing.assert_allclose(moment, (weights * features.T) @ rewards, atol=1e-11)
    interactions = features[:, 1 + d :].T
    np.testing.assert_allclose(interactions[:, [0, -1]], 0.0, atol=1e-15)
    np.testing.assert_allclose(shapley_from_table(interactions), 0.0, atol=1e-14)


def test_many_players_and_too_many():
    def game(coalitions):
        return coalitions.sum(axis=1) + 2.0 * coalitions[:, 0] * coalitions[:, 1]

    game.n_players = 25
    estimate = PolynomialLeastSquares(2, paired=False).estimate(
        game, 1000, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimate.values, [2.0, 2.0, *[1.0] * 23], atol=1e-8)
    game.n_players = 60
    with pytest.raises(ValueError, match="34220 interactions"):
        PolynomialLeastSquares().estimate(game, 1000, np.random.default_rng(0))


def test_parameters_are_checked_and_the_card_names_them():
    for params in ({"order": 4}, {"ridge": -1.0}):
        with pytest.raises(ValueError, match="polynomial-least-squares"):
            PolynomialLeastSquares(**params)
    assert "3-additive" in PolynomialLeastSquares().card.definition
    assert "complement" not in PolynomialLeastSquares(2, paired=False).card.definition
