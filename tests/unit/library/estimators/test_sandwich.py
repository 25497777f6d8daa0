"""Standard errors of sampled least squares: coverage, degenerate cases, runs that stop by them."""

import numpy as np
import pytest

from shapaudit.estimators import ImportanceLeastSquares, KernelSHAP, PairedKernelSHAP
from shapaudit.estimators.convergence import estimate_until
from shapaudit.estimators.kernel import UNITS_PER_PLAYER
from shapaudit.games import AdditiveGame, CountedGame, TabularGame
from shapaudit.truth import shapley_from_table

PLAYERS, RUNS = 6, 300
ESTIMATORS = [
    KernelSHAP(standard_errors=True),
    PairedKernelSHAP(standard_errors=True),
    ImportanceLeastSquares("leverage", paired=True, standard_errors=True),
    ImportanceLeastSquares("projected", paired=False, standard_errors=True),
]


def name(estimator):
    pairs = "-paired" if estimator.paired else ""
    return f"{estimator.id}-{estimator.sizes}{pairs}"


def random_game(seed, d=PLAYERS):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def budget_of(estimator, units):
    return estimator.fixed_cost + estimator.unit_cost(PLAYERS) * units


def covered(estimator, units, shrink=1.0):
    """Share of values within two-sided 95 % intervals in each run, over several games."""
    shares = []
    for run in range(RUNS):
        game = random_game(run % 10)
        truth = shapley_from_table(game.values)
        estimate = estimator.estimate(game, budget_of(estimator, units), np.random.default_rng(run))
        width = 1.96 * shrink * estimate.standard_errors
        shares.append(np.mean(np.abs(estimate.values - truth) <= width))
    return np.array(shares)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("units", [UNITS_PER_PLAYER * PLAYERS, 200])
def test_intervals_hold_the_values_as_often_as_they_should(estimator, units):
    shares = covered(estimator, units)
    error = shares.std(ddof=1) / np.sqrt(len(shares))
    assert abs(shares.mean() - 0.95) < 0.01 + 3 * error


def test_the_coverage_would_show_errors_that_are_a_quarter_too_small():
    shares = covered(ESTIMATORS[1], 200, shrink=0.75)
    assert shares.mean() < 0.95 - 0.01 - 4 * shares.std(ddof=1) / np.sqrt(len(shares))


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_they_are_the_spread_of_many_runs(estimator):
    game = random_game(3)
    runs = [
        estimator.estimate(game, budget_of(estimator, 120), np.random.default_rng(seed))
        for seed in range(RUNS)
    ]
    spread = np.std([run.values for run in runs], axis=0, ddof=1)
    stated = np.sqrt(np.mean([np.square(run.standard_errors) for run in runs], axis=0))
    np.testing.assert_allclose(stated, spread, rtol=0.2)


@pytest.mark.parametrize(("cls", "units"), [(KernelSHAP, 90), (PairedKernelSHAP, 45)])
def test_asking_for_them_changes_nothing_else(cls, units):
    budgets = [budget_of(cls(), units), budget_of(cls(), 3 * units)]
    plain, asked = (
        estimator.trajectory(random_game(4), budgets, np.random.default_rng(2))
        for estimator in (cls(), cls(standard_errors=True))
    )
    for without, estimate in zip(plain, asked, strict=True):
        np.testing.assert_array_equal(without.values, estimate.values)
        assert without.standard_errors is None
        assert estimate.standard_errors.shape == (PLAYERS,)
    assert (asked[1].standard_errors < asked[0].standard_errors).all()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_an_additive_game_leaves_none(estimator):
    game = AdditiveGame(np.arange(1.0, 1.0 + PLAYERS))
    estimate = estimator.estimate(game, budget_of(estimator, 100), np.random.default_rng(0))
    assert estimate.standard_errors.max() < 1e-10


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("units", [1, 3, PLAYERS - 1])
def test_too_few_units_tell_nothing(estimator, units):
    estimate = estimator.estimate(
        random_game(5), budget_of(estimator, units), np.random.default_rng(0)
    )
    assert np.isinf(estimate.standard_errors).all()


def test_a_single_player_and_two():
    alone = KernelSHAP(standard_errors=True).estimate(
        TabularGame(np.array([1.0, 3.0])), 2, np.random.default_rng(0)
    )
    assert (alone.values, alone.standard_errors) == (2.0, 0.0)
    both = KernelSHAP(standard_errors=True).estimate(
        random_game(0, 2), 40, np.random.default_rng(0)
    )
    assert both.standard_errors[0] == pytest.approx(both.standard_errors[1])


@pytest.mark.parametrize("estimator", ESTIMATORS[:2], ids=name)
def test_a_run_can_stop_by_them(estimator):
    game = random_game(6)
    truth = shapley_from_table(game.values)
    tolerance, wrong = 0.2, 0
    for seed in range(100):
        counted = CountedGame(game)
        outcome = estimate_until(estimator, counted, tolerance, 10**6, np.random.default_rng(seed))
        assert outcome.converged
        assert counted.evaluations == outcome.estimate.evaluations < 20_000
        wrong += np.abs(outcome.estimate.values - truth).max() > tolerance
    assert wrong <= 5 + 4 * np.sqrt(5)


def test_the_first_look_waits_for_the_units_that_the_errors_take():
    additive = AdditiveGame(np.arange(20.0))
    outcome = estimate_until(ESTIMATORS[0], additive, 1e-6, 10_000, np.random.default_rng(0))
    assert (outcome.converged, outcome.checks) == (True, 1)
    assert outcome.estimate.evaluations == 2 + UNITS_PER_PLAYER * 20
