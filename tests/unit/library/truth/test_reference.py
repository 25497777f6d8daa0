"""References: unbiased, with honest standard errors, and the cyclic kernel step by step."""

import numpy as np
import pytest
from scipy.stats import norm

from shapaudit.games import (
    AdditiveGame,
    AirportGame,
    GameError,
    ParityGame,
    SameClassGame,
    TabularGame,
    ThresholdGame,
    tabulate,
    walk,
)
from shapaudit.truth import (
    TruthError,
    converged_reference,
    cyclic_reference,
    reference_values,
    shapley_exact,
)
from shapaudit.truth.reference import _walk_shifts


def random_threshold_game(rng, d):
    """Same-class game of two rows on opposite sides of a threshold halfway between them."""
    x, r = rng.normal(size=(2, d))
    return SameClassGame(x, r, 0.5 * (x @ x + r @ r))


def random_permutations(rng, count, d):
    return rng.permuted(np.tile(np.arange(d), (count, 1)), axis=1)


@pytest.mark.parametrize("d", [1, 2, 3, 7, 40])
@pytest.mark.parametrize("kind", ["real", "integer"])
def test_cyclic_kernel_is_the_mean_of_the_shifted_walks(d, kind):
    """Integer shifts meet the threshold exactly: there the strict side must be the same."""
    for seed in range(8):
        rng = np.random.default_rng([seed, d])
        if kind == "real":
            game = random_threshold_game(rng, d)
        else:
            start, threshold = rng.integers(-3, 4, size=2)
            game = ThresholdGame(start, rng.integers(-4, 5, size=d), threshold)
        orders = random_permutations(rng, 20, d)
        contributions = np.empty(orders.shape)
        _walk_shifts(game.shifts, game.start, game.threshold, game.positive, orders, contributions)
        shifted = [game.walk(np.roll(orders, -shift, axis=1)) for shift in range(d)]
        np.testing.assert_allclose(contributions, np.mean(shifted, axis=0), rtol=0, atol=1e-14)


def test_cyclic_walks_do_not_drift():
    """A hundred thousand walks of real shifts, each summed anew in long doubles."""
    rng = np.random.default_rng(11)
    d = 300
    game = random_threshold_game(rng, d)
    orders = random_permutations(rng, 4, d)
    contributions = np.empty(orders.shape)
    _walk_shifts(game.shifts, game.start, game.threshold, game.positive, orders, contributions)
    shifts = game.shifts.astype(np.longdouble)
    for order, contribution in zip(orders, contributions, strict=True):
        expected = np.zeros(d)
        for shift in range(d):
            rolled = np.roll(order, -shift)
            position = game.start + np.concatenate([[0], np.cumsum(shifts[rolled])])
            value = (position > game.threshold) == game.positive
            expected[rolled] += np.diff(value.astype(float))
        np.testing.assert_allclose(contribution, expected / d, rtol=0, atol=1e-14)


@pytest.mark.parametrize("method", [cyclic_reference, converged_reference])
@pytest.mark.parametrize("seed", range(5))
def test_reference_is_within_its_standard_errors(method, seed):
    """Two-sided z-tests of 12 players in 10 runs, at 1 % together (Bonferroni)."""
    rng = np.random.default_rng(100 + seed)
    game = random_threshold_game(rng, 12)
    truth = method(game, rng, 3000)
    error = np.abs(truth.values - shapley_exact(game).values)
    rounding = 1e-14  # of the exact values: a dummy has no standard error
    assert (error <= norm.isf(0.005 / (12 * 10)) * truth.standard_errors + rounding).all()


@pytest.mark.parametrize("method", [cyclic_reference, converged_reference])
def test_standard_errors_are_those_of_the_mean(method):
    """Over 300 runs the mean squared error is the mean squared standard error, within 15 %."""
    game = random_threshold_game(np.random.default_rng(3), 12)
    exact, rng = shapley_exact(game).values, np.random.default_rng(4)
    squared, stated = np.zeros(12), np.zeros(12)
    for _ in range(300):
        truth = method(game, rng, 50)
        squared += np.square(truth.values - exact)
        stated += np.square(truth.standard_errors)
    assert squared.sum() / stated.sum() == pytest.approx(1, abs=0.15)


def test_reference_sums_to_the_grand_value():
    rng = np.random.default_rng(0)
    game = random_threshold_game(rng, 300)
    truth = reference_values(game, rng, 64)
    expected = 1 - game(np.zeros((1, 300), dtype=bool))[0]
    assert truth.values.sum() == pytest.approx(expected, abs=1e-12)


def test_reference_gives_dummies_zero_and_equals_alike_values():
    shifts = np.array([0.0, 2.0, 2.0, 1.0, 1.5, 0.0])
    truth = cyclic_reference(ThresholdGame(0.0, shifts, 3.2), np.random.default_rng(0), 4000)
    assert truth.values[[0, 5]].tolist() == truth.standard_errors[[0, 5]].tolist() == [0, 0]
    gap = abs(truth.values[1] - truth.values[2])
    assert gap < 5 * np.hypot(*truth.standard_errors[1:3])


def test_reference_is_exact_on_an_additive_game():
    game = AdditiveGame([1.0, -2.0, 0.5], 4.0)
    truth = reference_values(game, np.random.default_rng(0), 10)
    np.testing.assert_allclose(truth.values, game.shapley_values(), atol=1e-14)
    np.testing.assert_allclose(truth.standard_errors, 0, atol=1e-14)


def test_reference_does_not_depend_on_the_block():
    game = AirportGame(np.random.default_rng(0).exponential(size=7))
    runs = [converged_reference(game, np.random.default_rng(1), 100, block) for block in (7, 100)]
    np.testing.assert_allclose(runs[0].values, runs[1].values, rtol=1e-13)
    np.testing.assert_allclose(runs[0].standard_errors, runs[1].standard_errors, rtol=1e-12)
    orders = random_permutations(np.random.default_rng(1), 100, 7)
    contributions = walk(game, orders)
    np.testing.assert_allclose(runs[0].values, contributions.mean(axis=0), rtol=1e-13)
    np.testing.assert_allclose(
        runs[0].standard_errors, contributions.std(axis=0, ddof=1) / 10, rtol=1e-12
    )


def test_reference_is_reproducible_and_dispatches():
    game = random_threshold_game(np.random.default_rng(0), 20)
    first, second = (reference_values(game, np.random.default_rng(9), 300) for _ in range(2))
    np.testing.assert_array_equal(first.values, second.values)
    assert first.method == "cyclic permutations"
    assert reference_values(tabulate(ParityGame(4)), np.random.default_rng(0), 5).method == (
        "permutations"
    )


def test_reference_refuses_one_shuffle_and_missing_values():
    with pytest.raises(TruthError, match="at least 2 shuffles, not 1"):
        reference_values(ParityGame(3), np.random.default_rng(0), 1)

    def bad(coalitions):
        return np.where(coalitions[:, 1], np.nan, 1.0)

    bad.n_players, bad.name = 3, "bad"
    with pytest.raises(GameError, match="game bad returned nan for the coalition of players"):
        reference_values(bad, np.random.default_rng(0), 8)
    bad.walk = lambda permutations: np.full(permutations.shape, np.nan)
    with pytest.raises(GameError, match="game bad gave player 0"):
        reference_values(bad, np.random.default_rng(0), 8)


def test_as_many_permutations_as_a_configuration_is_told_are_the_default():
    game = TabularGame(np.array([0.0, 1.0, 3.0, 2.0]))
    first, other = (
        converged_reference(game, np.random.default_rng(0), **given)
        for given in ({}, {"shuffles": 4096})
    )
    np.testing.assert_array_equal(first.standard_errors, other.standard_errors)
