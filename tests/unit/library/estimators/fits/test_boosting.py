"""Boosted trees on bits, beside XGBoost and split by split from their definition."""

from itertools import chain

import numpy as np
import pytest
import xgboost

from shapaudit.estimators.fits.boosting import LEAF, LEAST_GAIN, boost
from shapaudit.estimators.fits.trees import DEPTH, RATE, ROUNDS, fit_trees
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import TabularGame, all_coalitions

RIDGE = 1.0


def made_up(n, d, seed):
    """Bits (n, d), and a target (n,) of interactions and noise."""
    rng = np.random.default_rng(seed)
    bits = rng.random((n, d)) < rng.uniform(0.2, 0.8, d)
    signs = np.where(bits, 1.0, -1.0)
    smooth = np.tanh(signs @ rng.standard_normal(d)) + signs[:, 0] * signs[:, 1] * signs[:, 2]
    return bits, smooth + 0.1 * rng.standard_normal(n)


def predicted(grown, bits):
    """What the trees say (n,), row by row."""
    predictions = np.zeros(len(bits))
    for place, row in enumerate(bits):
        for node in grown.roots:
            while grown.bit[node] != LEAF:
                node = (grown.present if row[grown.bit[node]] else grown.absent)[node]
            predictions[place] += grown.value[node]
    return predictions


@pytest.mark.parametrize(
    ("n", "d", "depth", "rounds", "rate"),
    [(60, 3, 2, 4, 1.0), (300, 8, 5, 30, 0.2), (150, 40, 4, 20, 0.3), (9, 5, 6, 10, 0.5)],
)
def test_the_trees_are_those_of_xgboost(n, d, depth, rounds, rate):
    bits, target = made_up(n, d, seed=n)
    grown = boost(bits, target, rounds, depth, rate)
    settings = {"max_depth": depth, "learning_rate": rate, "base_score": 0.0, "nthread": 1}
    data = xgboost.DMatrix(bits.astype(np.float32), target, nthread=1)
    booster = xgboost.train(settings | {"tree_method": "exact"}, data, rounds)
    assert len(grown.roots) == rounds
    assert len(grown.bit) == len(booster.trees_to_dataframe())
    # Of bits that split the rows of a node alike either may be taken: on these rows that is one.
    np.testing.assert_allclose(predicted(grown, bits), booster.predict(data), atol=2e-5)


def grown_from_definition(bits, left, depth):
    """A tree as nested tuples: a bit with its children, or the mean of a leaf."""
    n, total = len(left), left.sum()
    best, bit = LEAST_GAIN, None
    for j in range(bits.shape[1]) if depth else ():
        here, there = left[bits[:, j]], left[~bits[:, j]]
        if len(here) and len(there):
            parts = sum(side.sum() ** 2 / (len(side) + RIDGE) for side in (here, there))
            if parts - total**2 / (n + RIDGE) > best:
                best, bit = parts - total**2 / (n + RIDGE), j
    if bit is None:
        return total / (n + RIDGE)
    sides = (~bits[:, bit], bits[:, bit])
    return bit, *(grown_from_definition(bits[side], left[side], depth - 1) for side in sides)


def nested(grown, node):
    if grown.bit[node] == LEAF:
        return grown.value[node]
    children = grown.absent[node], grown.present[node]
    return int(grown.bit[node]), *(nested(grown, child) for child in children)


def flattened(tree):
    """Bits and values of a tree in their order."""
    if not isinstance(tree, tuple):
        return [tree]
    return [tree[0], *chain.from_iterable(map(flattened, tree[1:]))]


def test_each_tree_is_fitted_to_what_those_before_it_leave():
    bits, left = made_up(120, 6, seed=2)
    grown = boost(bits, left, 3, 4, 0.5)
    for root in grown.roots:
        tree = flattened(grown_from_definition(bits, left, 4))
        ours = flattened(nested(grown, root))
        assert [type(entry) is int for entry in tree] == [type(entry) is int for entry in ours]
        halves = [entry if type(entry) is int else 0.5 * entry for entry in tree]
        np.testing.assert_allclose(ours, halves, atol=1e-12)
        left = left - predicted(grown._replace(roots=np.array([root])), bits)


def test_of_equal_gains_the_first_bit_is_taken_and_nothing_is_split_for_none():
    bits = np.array([[False, False], [True, True]])
    assert boost(bits, np.array([1.0, -1.0]), 1, 2, 1.0).bit.tolist() == [0, LEAF, LEAF]
    flat = boost(bits, np.zeros(2), 2, 3, 1.0)
    assert flat.bit.tolist() == [LEAF, LEAF]
    assert flat.value.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("n", "d"), [(8, 8), (30, 8), (50, 30)])
def test_rounding_does_not_choose_among_bits_that_divide_the_rows_alike(n, d):
    """Of few pairs of complements many bits do."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        half = rng.random((n, d)) < 0.5
        bits, target = np.concatenate([half, ~half]), rng.standard_normal(2 * n)
        rounded = target * (1 + 1e-15 * rng.standard_normal(2 * n))
        grown, other = (boost(bits, values, 30, 6, 0.2) for values in (target, rounded))
        np.testing.assert_array_equal(grown.bit, other.bit)


def test_a_bit_that_gains_a_little_more_is_taken():
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    for more, first in ((1e-12, 0), (1e-8, 1)):
        target = np.array([-1.0, more, -more, 1.0])  # 2 - more along the first, 2 + more
        assert boost(bits, target, 1, 1, 1.0).bit[0] == first


def test_a_surrogate_has_the_trees_of_pairs_and_complements_in_the_units_of_the_game():
    game = TabularGame(1e3 * all_coalitions(7)[:, :3].all(axis=1))
    pairs = draw_pairs(game, 60, "leverage", np.random.default_rng(0))
    ensemble = fit_trees(pairs.coalitions, pairs.odd_part, -pairs.odd_part)
    bits = np.concatenate([pairs.coalitions, ~pairs.coalitions])
    scale = np.abs(pairs.odd_part).max()
    grown = boost(
        bits, np.concatenate([pairs.odd_part, -pairs.odd_part]) / scale, ROUNDS, DEPTH, RATE
    )
    assert len(ensemble.roots) == ROUNDS
    np.testing.assert_allclose(
        ensemble.predict(bits.astype(float)), scale * predicted(grown, bits), rtol=1e-12
    )
