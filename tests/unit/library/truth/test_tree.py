"""The tree game and interventional TreeSHAP against predictions of hybrid rows and enumeration."""

from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapaudit import datasets, models
from shapaudit.games.base import GameError, all_coalitions
from shapaudit.games.tree import TreeGame, leaf_terms
from shapaudit.models.nodes import LEAF, Nodes
from shapaudit.models.trees import TreeEnsemble
from shapaudit.truth import compute, shapley_exact
from shapaudit.truth.base import TruthError
from shapaudit.truth.tree import mean_tree_shapley, order_weights, tree_shapley

LEVELS = np.array([-1.0, 0.0, 1.0, np.nan])
THRESHOLDS = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])


def random_ensemble(rng, features, n_features, n_trees=4, depth=5):
    """Trees that split on few features, so that paths repeat them; some are single leaves."""
    nodes = []

    def grow(levels):
        place = len(nodes)
        nodes.append([LEAF, 0.0, LEAF, LEAF, False, rng.normal()])
        if levels and rng.random() < 0.9:
            split = rng.choice(features), rng.choice(THRESHOLDS)
            nodes[place] = [*split, grow(levels - 1), grow(levels - 1), rng.random() < 0.5, 0.0]
        return place

    roots = [grow(depth) for _ in range(n_trees)]
    columns = (np.array(column) for column in zip(*nodes, strict=True))
    return TreeEnsemble(Nodes(*columns), roots, rng.normal(), n_features)


def random_case(seed, d, missing=0.1):
    """An ensemble, an explicand and a baseline, at, between and outside the thresholds."""
    rng = np.random.default_rng(seed)
    shares = [*[(1 - missing) / 3] * 3, missing]
    x, r = rng.choice(LEVELS, size=(2, d), p=shares)
    return random_ensemble(rng, np.arange(d), d), x, r


def enumerated(predict, x, r):
    """Shapley values from the definition: a weighted sum over all coalitions of the others."""
    d = len(x)
    coalitions = all_coalitions(d)
    values, sizes = predict(np.where(coalitions, x, r)), coalitions.sum(axis=1)
    weights = np.array([1 / (d * comb(d - 1, size)) for size in range(d)])
    shapley = np.empty(d)
    for i in range(d):
        without = np.flatnonzero(~coalitions[:, i])
        gains = values[without + (1 << i)] - values[without]
        shapley[i] = np.sum(weights[sizes[without]] * gains)
    return shapley


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


@pytest.fixture(scope="module")
def boosted(diabetes):
    return models.train("xgboost", diabetes, {"max_depth": 5}, seed=0).ensemble


def one_tree(n_features, feature, threshold, left, right, value):
    default_left = np.zeros(len(feature), dtype=bool)
    columns = map(np.array, (feature, threshold, left, right, default_left, value))
    return TreeEnsemble(Nodes(*columns), [0], 0.0, n_features)


@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_random_trees(seed, d):
    ensemble, x, r = random_case(seed, d)
    coalitions = all_coalitions(d)
    hybrids = ensemble.predict(np.where(coalitions, x, r))
    np.testing.assert_allclose(
        TreeGame(ensemble, x, r)(coalitions), hybrids, rtol=1e-12, atol=1e-12
    )
    np.testing.assert_allclose(
        tree_shapley(ensemble, x, r), enumerated(ensemble.predict, x, r), rtol=1e-10, atol=1e-10
    )


@pytest.mark.parametrize("seed", range(5))
def test_ten_players(seed):
    rng = np.random.default_rng(seed)
    ensemble = random_ensemble(rng, np.arange(10), 10, n_trees=10, depth=9)
    x, r = rng.choice(LEVELS[:3], size=(2, 10))
    expected = enumerated(ensemble.predict, x, r)
    np.testing.assert_allclose(tree_shapley(ensemble, x, r), expected, rtol=1e-10, atol=1e-10)


def test_boosted_trees_by_enumeration(boosted, diabetes):
    rows = diabetes.features
    for x, r in zip(rows[:5], rows[5:10], strict=True):
        coalitions = all_coalitions(10)
        hybrids = boosted.predict(np.where(coalitions, x, r))
        np.testing.assert_allclose(TreeGame(boosted, x, r)(coalitions), hybrids, rtol=1e-12)
        expected = enumerated(boosted.predict, x, r)
        np.testing.assert_allclose(tree_shapley(boosted, x, r), expected, rtol=0, atol=1e-10)


def test_efficiency(boosted, diabetes):
    x, r = diabetes.features[:200], diabetes.features[200:400]
    total = boosted.predict(x) - boosted.predict(r)
    np.testing.assert_allclose(tree_shapley(boosted, x, r).sum(axis=1), total, rtol=0, atol=1e-10)


def test_null_players(boosted, diabetes):
    x, r = diabetes.features[0].copy(), diabetes.features[1]
    x[[2, 8]] = r[[2, 8]]
    values = tree_shapley(boosted, x, r)
    assert values[2] == values[8] == 0.0 != values[3]
    np.testing.assert_array_equal(tree_shapley(boosted, r, r), np.zeros(10))


def test_one_split_by_hand():
    ensemble = one_tree(3, [1, LEAF, LEAF], [0.0] * 3, [1, LEAF, LEAF], [2, LEAF, LEAF], [0, 2, 5])
    x, r = np.array([9.0, 1.0, 9.0]), np.array([-9.0, -1.0, -9.0])
    assert tree_shapley(ensemble, x, r).tolist() == [0.0, 3.0, 0.0]
    terms = leaf_terms(ensemble, x, r)
    masks = np.hstack([terms.present, terms.absent]).tolist()
    assert dict(zip(terms.values, masks, strict=True)) == {5.0: [0b010, 0], 2.0: [0, 0b010]}
    assert terms.constant == 0.0


def test_leaves_that_need_both_rows_drop_out():
    left, right = [1, LEAF, 3, LEAF, LEAF], [2, LEAF, 4, LEAF, LEAF]
    feature = [0, LEAF, 0, LEAF, LEAF]
    ensemble = one_tree(1, feature, [0.0, 0.0, 1.0, 0.0, 0.0], left, right, [0, 1, 0, 10, 100])
    x, r = np.array([2.0]), np.array([-1.0])
    assert sorted(leaf_terms(ensemble, x, r).values) == [1.0, 100.0]  # no hybrid is in [0, 1)
    assert tree_shapley(ensemble, x, r).tolist() == [99.0]


def test_a_game_without_splits_is_constant():
    leaf = one_tree(2, [LEAF], [0.0], [LEAF], [LEAF], [6.0])
    x, r = np.zeros(2), np.ones(2)
    assert TreeGame(leaf, x, r)(all_coalitions(2)).tolist() == [6.0] * 4
    assert TreeGame(leaf, x, r).walk(np.array([[0, 1]])).tolist() == [[0.0, 0.0]]
    assert tree_shapley(leaf, x, r).tolist() == [0.0, 0.0]


def test_more_players_than_bits_of_a_word():
    d, used = 130, np.array([0, 5, 63, 64, 100, 127, 128, 129])
    rng = np.random.default_rng(0)
    ensemble = random_ensemble(rng, used, d, n_trees=10, depth=7)
    x, r = rng.choice(LEVELS[:3], size=(2, d))
    game = TreeGame(ensemble, x, r)
    coalitions = rng.random((3000, d)) < 0.5
    expected = ensemble.predict(np.where(coalitions, x, r))
    np.testing.assert_allclose(game(coalitions), expected, rtol=1e-12, atol=1e-12)

    def partial(rows):
        full = np.tile(r, (len(rows), 1))
        full[:, used] = rows
        return ensemble.predict(full)

    values = tree_shapley(ensemble, x, r)
    expected = enumerated(partial, x[used], r[used])
    np.testing.assert_allclose(values[used], expected, rtol=0, atol=1e-10)
    assert not values[np.setdiff1d(np.arange(d), used)].any()


@pytest.mark.parametrize("m", [0, 1, 1023, 1025, 5000])
def test_a_value_does_not_depend_on_its_batch(boosted, diabetes, m):
    game = TreeGame(boosted, *diabetes.features[:2])
    coalitions = np.random.default_rng(0).random((m, 10)) < 0.5
    values = game(coalitions)
    assert values.shape == (m,)
    for i in {0, m // 2, m - 1} & set(range(m)):
        assert game(coalitions[i : i + 1])[0] == values[i]


@pytest.mark.parametrize("d", [5, 70])
def test_walk_is_the_difference_along_prefixes(d):
    ensemble, x, r = random_case(3, d)
    game = TreeGame(ensemble, x, r)
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(d), (40, 1)), axis=1)
    walked = game.walk(orders)
    for order, contributions in zip(orders, walked, strict=True):
        coalitions = np.zeros((d + 1, d), dtype=bool)
        for k, player in enumerate(order):
            coalitions[k + 1 :, player] = True
        expected = np.diff(game(coalitions))
        np.testing.assert_allclose(contributions[order], expected, rtol=0, atol=1e-12)


def test_batches_are_pairs(boosted, diabetes):
    x, r = diabetes.features[:6], diabetes.features[6:12]
    pairs = np.stack([tree_shapley(boosted, *pair) for pair in zip(x, r, strict=True)])
    np.testing.assert_array_equal(tree_shapley(boosted, x, r), pairs)
    np.testing.assert_array_equal(
        tree_shapley(boosted, x, r[0]), tree_shapley(boosted, x, np.tile(r[0], (6, 1)))
    )
    np.testing.assert_array_equal(
        tree_shapley(boosted, x[0], r), tree_shapley(boosted, np.tile(x[0], (6, 1)), r)
    )


def test_mean_over_baselines(boosted, diabetes):
    x, r = diabetes.features[:3], diabetes.features[10:60]
    expected = np.stack([tree_shapley(boosted, row, r).mean(axis=0) for row in x])
    np.testing.assert_allclose(mean_tree_shapley(boosted, x, r), expected, rtol=0, atol=1e-11)
    np.testing.assert_array_equal(
        mean_tree_shapley(boosted, x[0], r), mean_tree_shapley(boosted, x, r)[0]
    )


@pytest.mark.parametrize(("a", "b"), [(1, 0), (1, 1), (3, 2), (2, 7), (300, 200), (1, 500)])
def test_order_weights_are_exact(a, b):
    exact = Fraction(factorial(a - 1) * factorial(b), factorial(a + b))
    weights = order_weights(max(a, b))
    assert weights[a, b] == pytest.approx(float(exact), rel=1e-12)
    assert not weights[0].any()


def test_deep_trees_stay_finite():
    """A path of 2000 distinct players, each of whom must take the explicand's side."""
    d = 2000
    inner, leaves = np.arange(d), np.full(d + 1, LEAF)
    left, right = np.append(inner + d, leaves), np.concatenate([inner[1:], [2 * d], leaves])
    value = np.append(np.zeros(2 * d), 1.0)
    ensemble = one_tree(d, np.append(inner, leaves), np.zeros(2 * d + 1), left, right, value)
    np.testing.assert_allclose(tree_shapley(ensemble, np.ones(d), -np.ones(d)), 1 / d, rtol=1e-10)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda f, x: leaf_terms(f, x[0, :9], x[1]), GameError, r"explicand .* got \(9,\)"),
        (lambda f, x: TreeGame(f, x[0], x[:1]), GameError, r"baseline .* got \(1, 10\)"),
        (lambda f, x: TreeGame(f, *x)(x[:, :9] > 0), GameError, r"coalitions .* got \(2, 9\)"),
        (lambda f, x: TreeGame(f, *x).walk(np.arange(1, 11)[None]), GameError, "hold 0 to 9"),
        (lambda f, x: tree_shapley(f, x[0, :9], x[1]), TruthError, "rows of 10 features"),
        (lambda f, x: tree_shapley(f, x, x[[0] * 3]), TruthError, "2 explicands .* 3 baselines"),
        (lambda f, x: mean_tree_shapley(f, x, x[:0]), TruthError, "at least one baseline"),
    ],
)
def test_errors_name_the_culprit(boosted, diabetes, call, error, message):
    with pytest.raises(error, match=message):
        call(boosted, diabetes.features[:2])


def test_a_tree_game_carries_what_the_tree_method_needs():
    dataset = datasets.load("diabetes", {}, np.random.default_rng(0))
    model = models.train("xgboost", dataset, {"n_estimators": 3, "max_depth": 3}, 0)
    game = TreeGame(model.ensemble, *dataset.features[:2])
    values = compute("tree", game, np.random.default_rng(0)).values
    np.testing.assert_allclose(values, shapley_exact(game).values, atol=1e-10)
