"""Tree games of fitted ensembles against hybrid rows, and restricted games against their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapaudit import datasets, models
from shapaudit.games import (
    AdditiveGame,
    BaselineGame,
    CountedGame,
    GameError,
    PairwiseGame,
    RestrictedGame,
    TabularGame,
    TreeGame,
    all_coalitions,
    empty_value,
    grand_value,
    walk,
)
from shapaudit.models.nodes import LEAF, Nodes
from shapaudit.models.trees import TreeEnsemble
from shapaudit.truth import TruthError, compute, shapley_exact
from shapaudit_audit.study.collection import make_game

DATA = {
    "diabetes": ("diabetes", {}),
    "zeros": ("diabetes", {"zero_features": 100}),
    "survey": ("generated", {"kind": "survey", "n_rows": 800, "n_features": 79}),
    "counts": ("generated", {"kind": "counts", "n_rows": 800, "n_features": 280}),
}


@pytest.fixture(scope="module", params=DATA)
def explained(request):
    """A fitted model with its game by predictions and its game by terms."""
    loader, params = DATA[request.param]
    dataset = datasets.load(loader, params, np.random.default_rng(0))
    model = models.train("xgboost", dataset, {"n_estimators": 40, "max_depth": 5}, 0)
    pair = dataset.features[:2]
    game = make_game(model, "prediction", *pair, "g")
    assert isinstance(game, TreeGame)
    return model, BaselineGame(model.predict, *pair), game


def some_coalitions(d, m=1500):
    rng = np.random.default_rng(1)
    return rng.random((m, d)) < rng.random((m, 1))


def orders(d, m, seed=2):
    return np.random.default_rng(seed).permuted(np.tile(np.arange(d), (m, 1)), axis=1)


def test_values_are_those_of_hybrid_rows(explained):
    _, baseline, tree = explained
    coalitions = some_coalitions(tree.n_players)
    np.testing.assert_allclose(tree(coalitions), baseline(coalitions), rtol=1e-12, atol=1e-10)


def test_values_are_those_of_xgboost(explained):
    import xgboost

    model, baseline, tree = explained
    coalitions = some_coalitions(tree.n_players, 300)
    booster = xgboost.Booster()
    booster.load_model(bytearray(model.document))
    rows = np.where(coalitions, baseline.explicand, baseline.baseline)
    own = booster.predict(xgboost.DMatrix(rows))
    scale = np.abs(own).max()
    np.testing.assert_allclose(tree(coalitions), own, rtol=0, atol=1e-6 * scale)


@pytest.mark.parametrize("m", [0, 1, 255, 256, 257, 600])
def test_walks_are_differences_along_prefixes(explained, m):
    _, baseline, tree = explained
    permutations = orders(tree.n_players, m)
    some = sorted({0, m // 2, m - 1} & set(range(m)))
    walked = tree.walk(permutations)
    assert walked.shape == permutations.shape
    expected = walk(baseline, permutations[some])
    np.testing.assert_allclose(walked[some], expected, rtol=0, atol=1e-10)
    gain = np.full(m, grand_value(tree) - empty_value(tree))
    np.testing.assert_allclose(walked.sum(axis=1), gain, rtol=0, atol=1e-9)


def test_null_players_are_those_that_no_coalition_notices(explained):
    _, baseline, tree = explained
    null = tree.null_players()
    assert null.shape == (tree.n_players,)
    assert null[baseline.explicand == baseline.baseline].all()
    coalitions = some_coalitions(tree.n_players)
    shuffled = np.where(null, some_coalitions(tree.n_players)[::-1], coalitions)
    np.testing.assert_array_equal(tree(shuffled), tree(coalitions))
    assert not tree.walk(orders(tree.n_players, 50))[:, null].any()


def test_unused_features_are_null_players(explained):
    model, _, tree = explained
    unused = np.setdiff1d(np.arange(tree.n_players), model.ensemble.nodes.feature)
    assert tree.null_players()[unused].all()


def test_null_players_of_all_coalitions(diabetes_game):
    """Of ten players: exactly those without any marginal contribution."""
    values = diabetes_game(all_coalitions(10)).reshape([2] * 10)
    noticed = [np.diff(values, axis=9 - player).any() for player in range(10)]
    np.testing.assert_array_equal(diabetes_game.null_players(), ~np.array(noticed))
    assert 0 < sum(noticed) < 10


@pytest.fixture(scope="module")
def diabetes_game():
    dataset = datasets.load("diabetes", {}, np.random.default_rng(0))
    model = models.train("xgboost", dataset, {"n_estimators": 10, "max_depth": 3}, 0)
    x, r = dataset.features[0].copy(), dataset.features[1]
    x[[1, 6]] = r[[1, 6]]
    return TreeGame(model.ensemble, x, r)


def chain(d, rng):
    """One tree: a chain of splits on players in random order, repeats included."""
    inner = np.arange(2 * d)
    feature = np.append(rng.integers(d, size=2 * d), np.full(2 * d + 1, LEAF))
    left = np.append(inner + 2 * d, np.full(2 * d + 1, LEAF))
    right = np.concatenate([inner[1:], [4 * d], np.full(2 * d + 1, LEAF)])
    value = np.append(np.zeros(2 * d), rng.normal(size=2 * d + 1))
    columns = feature, rng.normal(size=4 * d + 1), left, right, np.zeros(4 * d + 1, dtype=bool)
    return TreeEnsemble(Nodes(*columns, value), [0], 0.5, d)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_walks_of_deep_trees(seed, d):
    rng = np.random.default_rng(seed)
    game = TreeGame(chain(d, rng), *rng.normal(size=(2, d)))
    permutations = orders(d, 7, seed)
    table = TabularGame(game(all_coalitions(d)))
    np.testing.assert_allclose(
        game.walk(permutations), table.walk(permutations), rtol=0, atol=1e-12
    )


# Restricted games


@pytest.fixture
def pairwise():
    rng = np.random.default_rng(5)
    interactions = np.triu(rng.normal(size=(6, 6)), 1)
    return PairwiseGame(rng.normal(size=6), interactions + interactions.T)


PLAYERS = np.array([4, 0, 3])


def test_the_others_stay_out(pairwise):
    game = RestrictedGame(pairwise, PLAYERS)
    full = np.zeros((8, 6), dtype=bool)
    full[:, PLAYERS] = all_coalitions(3)
    np.testing.assert_array_equal(game(all_coalitions(3)), pairwise(full))
    assert game.n_players == 3


@pytest.mark.parametrize("walks", [True, False])
def test_a_restricted_walk_is_the_difference_of_prefixes(pairwise, walks):
    inner = TabularGame(pairwise(all_coalitions(6))) if walks else exponential()
    game = RestrictedGame(inner, PLAYERS)
    assert hasattr(game, "walk") == walks
    permutations = orders(3, 6)
    table = TabularGame(game(all_coalitions(3)))
    np.testing.assert_allclose(walk(game, permutations), table.walk(permutations), atol=1e-12)


def exponential():
    rows = np.random.default_rng(6).normal(size=(2, 6))
    return BaselineGame(lambda rows: np.exp(rows.sum(axis=1)), *rows)


def test_null_players_may_leave(diabetes_game):
    kept = ~diabetes_game.null_players()
    inner = RestrictedGame(diabetes_game, kept)
    values = shapley_exact(diabetes_game).values
    np.testing.assert_allclose(shapley_exact(inner).values, values[kept], rtol=0, atol=1e-10)
    # A player that matters may not: the values of the others move.
    largest = np.argmax(np.abs(values))
    others = np.delete(np.arange(10), largest)
    moved = shapley_exact(RestrictedGame(diabetes_game, others)).values - values[others]
    assert np.abs(moved).max() > 1e-3 * np.abs(values).max()


@pytest.mark.parametrize("players", [np.array([2, 3, 8, 0]), np.arange(10)[::-1]])
def test_the_tree_method_solves_restricted_games(diabetes_game, players):
    game = RestrictedGame(diabetes_game, players)
    truth = compute("tree", game, np.random.default_rng(0))
    assert truth.certificate == "exact"
    np.testing.assert_allclose(truth.values, shapley_exact(game).values, rtol=0, atol=1e-10)
    with pytest.raises(TruthError, match="needs a tree ensemble"):
        compute("tree", RestrictedGame(AdditiveGame(np.ones(3)), [0]), np.random.default_rng(0))


def test_the_tree_method_agrees_with_enumeration(diabetes_game):
    truth = compute("tree", diabetes_game, np.random.default_rng(0))
    assert (truth.certificate, truth.standard_errors) == ("exact", None)
    pair = diabetes_game.explicand, diabetes_game.baseline
    expected = shapley_exact(BaselineGame(diabetes_game.ensemble.predict, *pair))
    np.testing.assert_allclose(truth.values, expected.values, rtol=0, atol=1e-10)


def test_evaluations_are_counted_outside(pairwise):
    counted = CountedGame(RestrictedGame(pairwise, PLAYERS))
    walk(counted, orders(3, 5))
    assert counted.evaluations == 5 * 3 + 1


@pytest.mark.parametrize(
    "players", [[], [0, 0], [6], [-1], [[0, 1]], np.ones(5, dtype=bool), np.zeros(6, dtype=bool)]
)
def test_wrong_players_are_named(pairwise, players):
    with pytest.raises(GameError, match=r"cannot be restricted .* from 0 to 5"):
        RestrictedGame(pairwise, players)
