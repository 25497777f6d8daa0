"""What draws in proportion to an estimated spread gain and lose, against draws."""

import numpy as np
import pytest

from shapaudit.estimators import FeaturewiseOrder
from shapaudit.games import UnanimityGame, tabulate
from shapaudit.samplers.allocation import fill_up
from shapaudit.truth import shapley_from_table
from shapaudit.truth.rational import rationals
from shapaudit_papers.theory.allocation import (
    by_variance,
    contribution_variances,
    half_by_variance,
    pooled_moments,
    two_stages,
)
from shapaudit_papers.theory.random_order import moments, walk_outcomes


def test_the_factor_is_that_of_the_allotted_draws():
    variances = np.array([5.0, 1.0, 1.0, 3.0, 0.0])
    exact = half_by_variance(rationals([5, 1, 1, 3, 0]))
    factor = two_stages(variances, by_variance)
    assert factor == pytest.approx(float(exact), rel=1e-5)
    assert two_stages(np.ones(4), by_variance) == pytest.approx(1)


def test_draws_in_proportion_to_the_variance_alone_gain_nothing():
    variances = rationals([7, 1, 2, 11])
    counts = 1000 * variances / variances.sum()
    assert sum(variances / counts) == 4 * variances.sum() / 1000


def test_the_allotment_by_deviation_is_best():
    rng = np.random.default_rng(4)
    variances, done = np.array([9.0, 1.0, 0.2, 0.0]), np.full(4, 1000)
    least = (variances / (done + fill_up(np.sqrt(variances), done, 4000))).sum()
    for _ in range(200):
        other = rng.multinomial(4000, rng.dirichlet(np.ones(4)))
        assert (variances / (done + other)).sum() >= least * (1 - 1e-6)


def test_contribution_variances_are_those_of_all_orders():
    values = np.random.default_rng(6).integers(-9, 10, 16)
    covariance = moments(walk_outcomes(rationals(values.tolist())))[1]
    variances = contribution_variances(values.astype(float))
    np.testing.assert_allclose(variances, np.diag(covariance).astype(float))


@pytest.mark.parametrize("budget", [32, 64])
def test_the_exact_bias_is_that_of_the_estimator(budget):
    d, runs = 4, 3000
    game = tabulate(UnanimityGame(np.ones(1), np.ones((1, d), dtype=bool)))
    assert shapley_from_table(game.values) == pytest.approx(1 / d)
    estimator, rng = (
        FeaturewiseOrder(antithetic=False, allocation="variance"),
        np.random.default_rng(5),
    )
    estimates = np.array([estimator.estimate(game, budget, rng).values for _ in range(runs)])
    values, squares = estimates.mean(axis=1), np.square(estimates - 1 / d).mean(axis=1)
    exact = pooled_moments("variance", budget, d)
    expected = (1 + float(exact["relative_bias"])) / d
    error = values.std(ddof=1) / np.sqrt(runs)
    assert abs(values.mean() - expected) < 4 * error
    assert abs(values.mean() - 1 / d) > 8 * error
    square = float((exact["relative_bias"] / d) ** 2 / exact["share"])
    assert abs(squares.mean() - square) < 4 * squares.std(ddof=1) / np.sqrt(runs)


def test_equal_draws_are_better_where_variances_are_equal():
    """One stage has the variance of equal draws; the estimator in two stages has more."""
    d, runs, budget = 4, 3000, 64
    game = tabulate(UnanimityGame(np.ones(1), np.ones((1, d), dtype=bool)))
    rng, squares = np.random.default_rng(7), {}
    for rule in ("uniform", "variance"):
        estimator = FeaturewiseOrder(antithetic=False, allocation=rule)
        runs_of = np.array([estimator.estimate(game, budget, rng).values for _ in range(runs)])
        squares[rule] = np.square(runs_of - 1 / d).mean()
    exact = pooled_moments("variance", budget, d)["over_equal"]
    assert pooled_moments("uniform", budget, d)["over_equal"] == 1
    assert squares["variance"] / squares["uniform"] == pytest.approx(float(exact), rel=0.1)
