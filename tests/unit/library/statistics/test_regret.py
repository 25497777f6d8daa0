"""Regret on errors whose best is known, and evaluations to an error on a power law."""

import numpy as np
import pytest

from shapaudit.statistics.regret import evaluations_to_reach, regrets, summarised


def test_regret_is_the_error_over_the_best_of_those_that_entered():
    errors = np.array([[1.0, 2.0, np.nan], [0.3, 0.1, 0.2]])
    ratios = regrets(errors)
    np.testing.assert_allclose(ratios, [[1.0, 2.0, np.nan], [3.0, 1.0, 2.0]])


def test_errors_below_the_floor_are_alike():
    np.testing.assert_allclose(regrets(np.array([[1e-12, 1e-6, 1e-3]]), 1e-4), [[1.0, 1.0, 10.0]])
    np.testing.assert_allclose(regrets(np.array([[0.0, 0.0, 1.0]])), [[1.0, 1.0, np.inf]])


@pytest.mark.parametrize("errors", [[[-1.0, 1.0]], [[np.nan, np.nan]]])
def test_errors_that_are_none_are_refused(errors):
    with pytest.raises(ValueError, match="errors must not be negative"):
        regrets(np.array(errors))


def test_the_summary_names_the_worst_and_resamples_whole_games():
    rng = np.random.default_rng(0)
    regret = np.array([1.0, 1.2, np.nan, 5.0, 1.1, 1.0])
    summary = summarised(regret, np.array(list("aabbcc")), rng)
    assert (summary.median, summary.largest, summary.worst, summary.tasks) == (1.1, 5.0, 3, 5)
    assert summary.low <= summary.median <= summary.high
    alike = summarised(np.full(4, 1.3), np.array(list("abcd")), rng)
    assert (alike.low, alike.high) == (1.3, 1.3)
    with pytest.raises(ValueError, match="entered no task"):
        summarised(np.full(2, np.nan), np.array(["a", "b"]), rng)


def test_evaluations_to_an_error_follow_the_power_law():
    budgets = np.array([100, 1000, 10_000])
    errors = 5.0 / budgets
    count, note = evaluations_to_reach(5.0 / 400, budgets, errors)
    assert count == pytest.approx(400)
    assert note == ""
    assert evaluations_to_reach(1.0, budgets, errors) == (100.0, "at most")
    assert evaluations_to_reach(1e-9, budgets, errors) == (10_000.0, "more than")
