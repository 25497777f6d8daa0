"""Explaining until a tolerance is met: batches, caches, resuming, and what the intervals hold."""

import logging

import numpy as np
import pytest

from shapaudit.estimators.base import BudgetTooSmall
from shapaudit.estimators.explain import PairPlan, explain
from shapaudit.games import CachedGame, TabularGame
from shapaudit.games.cached import CHECKED
from solved_games import entry


class Watched:
    """A game that remembers the sizes of its batches, and may fail after some."""

    def __init__(self, game, failing=None):
        self.game, self.n_players, self.batches, self.failing = game, game.n_players, [], failing

    def __call__(self, coalitions):
        if self.failing is not None and len(self.batches) >= self.failing:
            raise ConnectionError("the model is away")
        self.batches.append(len(coalitions))
        return self.game(coalitions)


@pytest.fixture
def solved():
    return entry("friedman-booster-baseline").solved


def test_stops_within_the_tolerance_and_says_so(solved, caplog):
    watched = Watched(solved.game)
    with caplog.at_level(logging.INFO, "shapaudit.progress"):
        explanation = explain(watched, 0.05, batch_size=16)
    assert explanation.converged
    assert explanation.half_width <= 0.05
    assert np.abs(explanation.values - solved.values).max() < 0.05
    assert max(watched.batches) <= 16
    assert sum(watched.batches) == explanation.evaluations < 1000
    assert f"{explanation.evaluations} of 10000 evaluations" in caplog.messages[-1]


def test_a_smaller_tolerance_takes_more_and_errs_less(solved):
    loose, tight = (explain(solved.game, tolerance) for tolerance in (0.2, 0.001))
    assert loose.evaluations < tight.evaluations
    assert np.abs(tight.values - solved.values).max() < 0.001


def test_all_coalitions_are_exact():
    table = np.random.default_rng(0).standard_normal(1 << 7)
    explanation = explain(TabularGame(table), 1e-12)
    assert (explanation.evaluations, explanation.half_width, explanation.converged) == (
        128,
        0.0,
        True,
    )


def test_the_budget_is_kept_and_not_converging_is_said():
    solved = entry("noise-9").solved
    watched = Watched(solved.game)
    explanation = explain(watched, 1e-6, budget=100)
    assert not explanation.converged
    assert sum(watched.batches) <= 100


def test_a_run_that_was_interrupted_goes_on_where_it_stopped(solved, tmp_path):
    path = tmp_path / "values"
    whole = explain(solved.game, 0.01)
    with pytest.raises(ConnectionError):
        explain(CachedGame(Watched(solved.game, failing=3), 20, path), 0.01)
    kept = len(CachedGame(solved.game, path=path))
    assert kept == 60
    rest = Watched(solved.game)
    resumed = explain(CachedGame(rest, 20, path), 0.01)
    np.testing.assert_array_equal(resumed.values, whole.values)
    assert sum(rest.batches) == whole.evaluations - kept + CHECKED


def test_intervals_hold_all_values_in_most_runs(solved):
    runs = [explain(solved.game, 0.05, seed=seed) for seed in range(20)]
    inside = [np.abs(run.values - solved.values).max() <= run.half_width for run in runs]
    assert sum(inside) >= 17


@pytest.mark.parametrize("d", [1, 2, 3])
def test_few_players(d):
    table = np.random.default_rng(d).standard_normal(1 << d)
    explanation = explain(TabularGame(table), 1e-9)
    assert explanation.converged
    assert explanation.evaluations == 1 << d


def test_a_part_of_the_plan_has_all_sizes_and_weights_that_add_up():
    plan = PairPlan(9, 400, np.random.default_rng(0))
    table = TabularGame(np.random.default_rng(1).standard_normal(1 << 9))
    part, whole = (
        plan.evaluated(lambda rows: table(rows)[:, None], draws)[0]
        for draws in (40, plan.looks()[-1])
    )
    keys = {row.tobytes() for row in whole.coalitions}
    assert {row.tobytes() for row in part.coalitions} <= keys
    for pairs in (part, whole):
        sizes = pairs.coalitions.sum(axis=1)
        totals = [pairs.weights[sizes == k].sum() for k in range(1, 5)]
        np.testing.assert_allclose(totals, [1 / (k * (9 - k)) for k in range(1, 5)])


def test_what_cannot_be_is_refused(solved):
    with pytest.raises(ValueError, match="tolerance must be positive"):
        explain(solved.game, 0.0)
    with pytest.raises(BudgetTooSmall, match="auto"):
        explain(solved.game, 0.1, budget=3)
