"""Budgets, seeds and games as they may be given, for every estimator alike."""

from dataclasses import dataclass

import numpy as np
import pytest

from shapaudit.estimators import (
    REGISTRY,
    AnytimeEstimator,
    BudgetTooSmall,
    Estimate,
    Estimator,
    OptimisedMonteCarlo,
)
from shapaudit.estimators.convergence import estimate_until
from shapaudit.games import CountedGame, ForeignGame, TabularGame

GAME = TabularGame(np.random.default_rng(0).normal(size=1 << 5))
EVERY = pytest.mark.parametrize("estimator", [cls() for cls in REGISTRY.values()], ids=str)
NO_BUDGETS = (np.nan, np.inf, 400.0, "400", None, True, np.bool_(True), 4 + 0j)
NO_SEEDS = (None, 1.5, "1", True, np.random, np.random.RandomState(0))


@dataclass(frozen=True)
class Own(Estimator):
    """An estimator from outside, which looks at what it is called with."""

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        assert isinstance(game, ForeignGame)
        assert type(budget) is int
        return Estimate(rng.random(game.n_players), budget)


def plain(coalitions):
    return coalitions.sum(axis=1)


plain.n_players = 5


@EVERY
@pytest.mark.parametrize("kind", [np.int64, np.uint8, np.int16])
def test_a_budget_of_any_integral_type_is_that_number(estimator, kind):
    budget = max(estimator.minimum_budget(5), 120)
    first, other = (
        estimator.estimate(GAME, number, np.random.default_rng(1))
        for number in (budget, kind(budget))
    )
    np.testing.assert_array_equal(first.values, other.values)
    assert first.evaluations == other.evaluations
    assert type(other.evaluations) is int


@EVERY
def test_anything_else_is_no_budget(estimator):
    counted = CountedGame(GAME)
    for budget in NO_BUDGETS:
        with pytest.raises(ValueError, match=f"{estimator.id}: the budget must be a whole number"):
            estimator.estimate(counted, budget, np.random.default_rng(1))
        if isinstance(estimator, AnytimeEstimator):
            with pytest.raises(ValueError, match=f"{estimator.id}: the budget must be"):
                estimator.trajectory(counted, [400, budget], np.random.default_rng(1))
    with pytest.raises(BudgetTooSmall, match=estimator.id):
        estimator.estimate(counted, -1, np.random.default_rng(1))
    assert counted.evaluations == 0


@EVERY
def test_a_seed_stands_for_its_generator(estimator):
    given = (np.random.default_rng(3), 3, np.int8(3))
    first, *others = (estimator.estimate(GAME, 500, rng).values for rng in given)
    for other in others:
        np.testing.assert_array_equal(first, other)


@EVERY
def test_anything_else_is_no_generator(estimator):
    counted = CountedGame(GAME)
    for rng in NO_SEEDS:
        with pytest.raises(ValueError, match=rf"{estimator.id}: rng, unless it is a numpy\.random"):
            estimator.estimate(counted, 500, rng)
    with pytest.raises(ValueError, match=f"{estimator.id}: a seed must not be negative; got -1"):
        estimator.estimate(counted, 500, -1)
    assert counted.evaluations == 0


def test_checkpoints_are_a_list():
    estimator = OptimisedMonteCarlo()
    for checkpoints in (100, None, [[100]], "12"):
        with pytest.raises(ValueError, match="optimised-monte-carlo: "):
            estimator.trajectory(GAME, checkpoints, 0)
    along = np.array([100, 200], dtype=np.int32)
    assert [estimate.evaluations for estimate in estimator.trajectory(GAME, along, 0)] == [96, 196]


def test_estimators_from_outside_get_the_same():
    estimate = Own().estimate(plain, np.int64(7), 5)
    np.testing.assert_array_equal(estimate.values, np.random.default_rng(5).random(5))
    with pytest.raises(ValueError, match="Own: the budget must be a whole number; got nan"):
        Own().estimate(plain, np.nan, 5)


def test_what_estimates_keeps_its_name_and_words():
    assert OptimisedMonteCarlo.stream.__name__ == "stream"
    assert "evaluated before it is asked for" in OptimisedMonteCarlo.stream.__doc__


def test_a_run_until_a_tolerance_takes_the_same():
    until = {"tolerance": 1e-3, "budget": np.int64(5000)}
    outcome = estimate_until(OptimisedMonteCarlo(), plain, **until, rng=1)
    assert outcome.converged
    np.testing.assert_allclose(outcome.estimate.values, np.ones(5))
    for budget in NO_BUDGETS:
        with pytest.raises(ValueError, match="optimised-monte-carlo: the budget must be"):
            estimate_until(OptimisedMonteCarlo(), plain, 1e-3, budget, 1)


def test_the_budget_of_a_counted_game_is_a_whole_number():
    assert CountedGame(GAME, np.int64(3)).budget == 3
    for budget in (np.nan, 3.0, "3", True):
        with pytest.raises(ValueError, match="budget must be a whole number; got"):
            CountedGame(GAME, budget)
