"""Trees of the values: residuals of pairs left out, and few pairs."""

import numpy as np
import pytest

from shapaudit.estimators.fits.additive import fit_additive
from shapaudit.estimators.fits.value_trees import FOLDS, fit_value_trees
from shapaudit.estimators.pairs import Pairs, draw_pairs
from shapaudit.games import AirportGame
from solved_games import entry


def pairs_of(name, m):
    solved = entry(name).solved
    return solved, draw_pairs(solved.game, 2 + 2 * m, "leverage", np.random.default_rng(0))


def moved(pairs, row, amount):
    values = pairs.values.copy()
    values[row] += amount
    return Pairs(pairs.coalitions, values, pairs.opposite, pairs.weights, pairs.empty, pairs.grand)


def test_a_residual_left_out_is_of_trees_that_have_not_seen_the_pair():
    _, pairs = pairs_of("range-13", 29)
    before, after = (fit_value_trees(drawn).left_out for drawn in (pairs, moved(pairs, 5, 10.0)))
    assert after[5] - before[5] == pytest.approx(5.0)
    fold = np.arange(29) % FOLDS == 5 % FOLDS
    others = fold & (np.arange(29) != 5)
    np.testing.assert_array_equal(before[others], after[others])
    assert not np.allclose(before[~fold], after[~fold])


def test_values_add_up_and_nothing_is_added_to_them():
    _, pairs = pairs_of("range-13", 29)
    fit = fit_value_trees(pairs)
    assert fit.values.sum() == pytest.approx(pairs.total)
    assert (fit.left == 0).all()


def test_a_shift_of_all_values_changes_nothing():
    """It does change rounding, which must not choose among splits of equal gain."""
    _, pairs = pairs_of("range-13", 29)
    shifted = Pairs(
        pairs.coalitions,
        pairs.values + 1e4,
        pairs.opposite + 1e4,
        pairs.weights,
        pairs.empty + 1e4,
        pairs.grand + 1e4,
    )
    expected, after = fit_value_trees(pairs).values, fit_value_trees(shifted).values
    np.testing.assert_allclose(after, expected, rtol=1e-9, atol=1e-9)


def test_with_hardly_more_pairs_than_players_trees_beat_least_squares():
    solved, pairs = pairs_of("airport-60", 90)
    trees, plain = fit_value_trees(pairs), fit_additive(pairs)
    errors = [np.linalg.norm(fit.values - solved.values) for fit in (trees, plain)]
    assert errors[0] < 0.2 * errors[1]
    assert np.linalg.norm(trees.left_out) < 0.5 * np.linalg.norm(plain.left_out)


def test_deep_trees_find_the_largest_of_some_numbers():
    """One split for each player in turn: trees of depth five err four times as much."""
    game = AirportGame(2.0 ** np.arange(10))
    errors = []
    for seed in range(3):
        fit = fit_value_trees(draw_pairs(game, 200, "leverage", np.random.default_rng(seed)))
        errors.append(np.linalg.norm(fit.values - game.shapley_values()))
    assert np.mean(errors) < 0.0006 * np.linalg.norm(game.shapley_values())
