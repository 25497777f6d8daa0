"""Exact expected errors against repeated estimates."""

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.games import AdditiveGame, TabularGame, tabulate
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory.exact_errors import multilinear_errors, walk_errors


@pytest.mark.parametrize(("halved", "levels"), [(False, 5), (True, 5), (True, 6)])
def test_exact_errors_are_those_of_the_estimator(halved, levels):
    values = np.random.default_rng(0).normal(size=1 << 5)
    truth, game = shapley_from_table(values), TabularGame(values)
    estimator = create("multilinear", {"grid": "printed", "halved": halved, "levels": levels})
    draws = 2
    budget = draws * estimator.minimum_budget(5)
    rng = np.random.default_rng(1)
    runs = np.array([estimator.estimate(game, budget, rng).values for _ in range(600)])
    errors = np.square(runs - truth).sum(axis=1)
    exact = multilinear_errors(values, "printed", levels, draws, halved)
    assert abs(errors.mean() - exact.total) < 4 * errors.std() / np.sqrt(len(errors))
    assert exact.squared_bias > 0.05 * exact.total


def test_errors_of_walks():
    values = np.random.default_rng(2).normal(size=1 << 5)
    truth, rng = shapley_from_table(values), np.random.default_rng(3)
    for name, antithetic in {"optimised": False, "antithetic": True}.items():
        estimator = create(f"{name}-monte-carlo")
        errors = [
            np.square(estimator.estimate(TabularGame(values), 41, rng).values - truth).sum()
            for _ in range(600)
        ]
        exact = walk_errors(values, 8, antithetic).total
        assert abs(np.mean(errors) - exact) < 4 * np.std(errors) / np.sqrt(len(errors))


def test_an_additive_game_is_exact_for_walks_and_not_for_the_printed_grid():
    values = tabulate(AdditiveGame(np.arange(1.0, 6.0))).values
    assert walk_errors(values, 10).total < 1e-14
    printed = multilinear_errors(values, "printed", 11, 2)
    assert printed.squared_bias == pytest.approx(55 / 100)
    assert printed.variance < 1e-14
