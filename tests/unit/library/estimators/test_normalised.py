"""Additive efficient normalisation: cost, efficiency, and its effect on the error."""

from dataclasses import dataclass

import numpy as np
import pytest

from shapaudit.estimators import (
    BudgetTooSmall,
    Estimate,
    Estimator,
    PlainMonteCarlo,
    UnknownEstimator,
)
from shapaudit.estimators.normalised import Normalised
from shapaudit.games import CountedGame, TabularGame, empty_value
from shapaudit.truth import shapley_from_table

STRATIFIED = "shapaudit.estimators.least_squares.StratifiedLeastSquares"
BALL = {"step": "inverse", "projection": "ball", "bound": 10.0}
INNER = [("plain-monte-carlo", {}), ("kernel-shap", {}), ("projected-sgd", BALL), (STRATIFIED, {})]
each = pytest.mark.parametrize(("inner", "params"), INNER)


@dataclass(frozen=True)
class Noise(Estimator):
    """Whatever the game, noise: as far from efficient as can be."""

    id = "noise"

    def minimum_budget(self, n_players):
        return 1

    def estimate(self, game, budget, rng):
        empty_value(game)
        return Estimate(10.0 * rng.normal(size=game.n_players), 1)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


@each
@pytest.mark.parametrize("d", [1, 2, 3, 6])
def test_costs_two_more_and_is_efficient(inner, params, d):
    estimator = Normalised(inner, params)
    minimum = estimator.minimum_budget(d)
    assert minimum == estimator.inner.minimum_budget(d) + 2
    game = random_game(d)
    for budget in (minimum, minimum + 1, 300):
        counted = CountedGame(game, budget)
        estimate = estimator.estimate(counted, budget, np.random.default_rng(1))
        assert counted.evaluations == estimate.evaluations <= budget
        assert estimate.values.sum() == pytest.approx(game.values[-1] - game.values[0])
        assert estimate.standard_errors is None
    counted = CountedGame(game)
    with pytest.raises(BudgetTooSmall, match="normalised"):
        estimator.estimate(counted, minimum - 1, np.random.default_rng(1))
    assert counted.evaluations == 0


@pytest.mark.parametrize(("inner", "params"), [*INNER, (f"{__name__}.Noise", {})])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_the_squared_error_falls_by_the_gap_squared_over_d(inner, params, d):
    estimator = Normalised(inner, params)
    for seed in range(50):
        game = random_game(d, seed)
        truth = shapley_from_table(game.values)
        raw = estimator.inner.estimate(game, 80, np.random.default_rng(seed)).values
        mended = estimator.estimate(game, 82, np.random.default_rng(seed)).values
        gap = truth.sum() - raw.sum()
        before, after = (np.square(values - truth).sum() for values in (raw, mended))
        assert after == pytest.approx(before - gap**2 / d, rel=1e-9, abs=1e-12)
        assert after <= before * (1 + 1e-12) + 1e-20


def test_an_unbiased_estimate_stays_unbiased_and_its_variance_falls():
    game = random_game(4, seed=5)
    truth = shapley_from_table(game.values)

    def sample(estimator, budget):
        runs = [estimator.estimate(game, budget, np.random.default_rng(s)) for s in range(1000)]
        return np.array([run.values for run in runs]) - truth

    raw, mended = sample(PlainMonteCarlo(), 8), sample(Normalised(), 10)
    z = mended.mean(axis=0) / (mended.std(axis=0, ddof=1) / np.sqrt(len(mended)))
    assert np.abs(z).max() < 4.0
    assert mended.var() < 0.9 * raw.var()


def test_card_and_exact_budget_follow_the_estimator():
    assert (PlainMonteCarlo.card is None) == (Normalised().card is None)
    mended = Normalised("kernel-shap").card
    assert mended.efficient
    assert not mended.unbiased
    assert mended.evaluations.endswith("+ 2")
    assert Normalised().exact_budget(4) is None
    exact = Normalised(STRATIFIED)
    assert exact.exact_budget(4) == 18
    game = random_game(4)
    estimate = exact.estimate(game, 18, np.random.default_rng(0))
    np.testing.assert_allclose(estimate.values, shapley_from_table(game.values), atol=1e-10)


def test_unknown_estimators_and_parameters_are_named():
    with pytest.raises(UnknownEstimator, match="nothing"):
        Normalised("nothing")
    with pytest.raises(UnknownEstimator, match="colour"):
        Normalised("plain-monte-carlo", {"colour": 1})
