"""Expected errors of the benchmark's methods against runs of its estimators."""

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.games import TabularGame
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory.benchmark import EXPECTED, expected_errors

PLAYERS, RUNS = 4, 400
VALUES = np.random.default_rng(3).normal(size=1 << PLAYERS)


@pytest.mark.parametrize("method", EXPECTED)
def test_runs_err_as_expected(method):
    samples = 4000 if method.startswith("LS") else 170
    estimator, game = create(method), TabularGame(VALUES)
    rng = np.random.default_rng(0)
    truth = shapley_from_table(VALUES)
    errors = [
        np.square(estimator.estimate(game, samples, rng).values - truth).sum() for _ in range(RUNS)
    ]
    error = np.std(errors) / np.sqrt(RUNS)
    assert abs(np.mean(errors) - expected_errors(VALUES, method, samples).total) < 4 * error


def test_random_orders_and_random_q_have_the_same_expectation_on_every_game():
    assert expected_errors(VALUES, "ROF", 500) == expected_errors(VALUES, "MEF_RAND", 500)


def test_only_grids_are_biased():
    biased = {name for name in EXPECTED if expected_errors(VALUES, name, 500).squared_bias > 1e-12}
    assert biased == {"ME", "ME_ANTI", "MEF", "MEF_ANTI"}
