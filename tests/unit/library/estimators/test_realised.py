"""Random orders with fresh noise: unbiased for the removal's values, counted in one budget."""

from dataclasses import replace

import numpy as np
import pytest

from shapaudit.datasets import Dataset
from shapaudit.estimators import (
    PlainMonteCarlo,
    RealisedMonteCarlo,
    RealisedWalks,
    UnknownEstimator,
    create,
)
from shapaudit.estimators.methods import METHODS, method
from shapaudit.games import BudgetExceeded, CountedGame, TabularGame, realisation
from shapaudit.models import CountedModel
from shapaudit.removals import create as create_removal
from shapaudit.truth import shapley_exact

D = 3
NET = {"hidden": (8,), "epochs": 2}
SMALL = {"autoencoder": {"draws": 5, **NET}, "surrogate": NET}


class Product:
    """f(x) = x1 x2 + x3."""

    def predict(self, rows):
        return rows[:, 0] * rows[:, 1] + rows[:, 2]


def dataset(discrete=False, n=40):
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, size=(n, D)) * 1.0 if discrete else rng.normal(size=(n, D))
    names = tuple(f"x{j}" for j in range(D))
    split = {"train": np.arange(n - 2), "test": np.arange(n - 2, n)}
    return Dataset("drawn", rows, rows[:, 0], names, split, "generated")


def game(removal="marginal", model=None, discrete=False, **params):
    fitted = create_removal(removal, params).fit(
        model or Product(), dataset(discrete), np.random.default_rng(1)
    )
    return fitted.game(np.ones(D), np.random.default_rng(2))


@pytest.mark.parametrize("estimator", [RealisedMonteCarlo(), RealisedWalks()], ids=str)
@pytest.mark.parametrize("removal", ["marginal", "exact-match"])
def test_unbiased_for_the_values_of_the_removal(estimator, removal):
    played = game(removal, discrete=True)
    estimate = estimator.estimate(played, 6000, np.random.default_rng(3))
    z = (estimate.values - shapley_exact(played).values) / estimate.standard_errors
    assert np.abs(z).max() < 4


@pytest.mark.parametrize("estimator", [RealisedMonteCarlo(), RealisedWalks()], ids=str)
def test_an_evaluation_takes_one_row_of_the_model(estimator):
    model = CountedModel(Product())
    played = game(model=model)
    estimate = estimator.estimate(played, 240, np.random.default_rng(3))
    # Without the game's own values: one row each, and none of the 38 of the background.
    assert model.rows == estimate.evaluations == 240


def test_noise_differs_from_unit_to_unit():
    """With one frozen row for all units the spread over runs would not fall with their number."""
    played = game()
    runs = [create("realised-monte-carlo").estimate(played, 600, seed).values for seed in range(60)]
    errors = np.mean(runs, axis=0) - shapley_exact(played).values
    deviation = np.std(runs, axis=0, ddof=1)
    assert (np.abs(errors) < 4 * deviation / np.sqrt(len(runs))).all()
    few = [create("realised-monte-carlo").estimate(played, 60, seed).values for seed in range(60)]
    np.testing.assert_allclose(np.std(few, axis=0) / deviation, np.sqrt(10), rtol=0.4)


def test_a_game_without_noise_is_played_as_by_plain_monte_carlo():
    values = TabularGame(np.random.default_rng(5).normal(size=1 << D))
    ours, plain = (
        e.estimate(values, 60, np.random.default_rng(1))
        for e in (RealisedMonteCarlo(), PlainMonteCarlo())
    )
    np.testing.assert_array_equal(ours.values, plain.values)


def test_realisations_spend_from_the_budget_of_the_game():
    counted = CountedGame(game(), 10)
    fresh = counted.realisation(np.random.default_rng(0))
    fresh(np.zeros((4, D), dtype=bool))
    fresh.walk(np.arange(D)[None])
    assert counted.evaluations == 4 + D + 1
    with pytest.raises(BudgetExceeded, match="8 of 10 evaluations of marginal are spent; 3 more"):
        counted.realisation(np.random.default_rng(0))(np.zeros((3, D), dtype=bool))


def test_a_game_without_noise_is_its_own_realisation():
    values = TabularGame(np.zeros(1 << D))
    counted = CountedGame(values)
    assert counted.realisation(np.random.default_rng(0)) is counted
    assert realisation(values, np.random.default_rng(0)) is values


class Theirs:
    """A game from outside the package, with noise of its own."""

    n_players = D

    def __call__(self, coalitions):
        return coalitions.sum(axis=1) * 1.0

    def realisation(self, rng):
        other = Theirs()
        other.shift = rng.normal()
        return other


def test_a_game_from_outside_has_its_realisations_checked():
    fresh = CountedGame(Theirs()).realisation(np.random.default_rng(0))
    assert fresh.game.game.shift != 0
    assert list(fresh(np.eye(D, dtype=bool))) == [1.0] * D


@pytest.mark.parametrize("chosen", METHODS, ids=lambda chosen: chosen.name)
def test_methods_of_table_1_explain_end_to_end(chosen):
    named = method(chosen.name.upper().replace(" ", "-"))
    assert named is chosen
    small = replace(named, removal=replace(named.removal, **SMALL.get(named.removal.id, {})))
    data = dataset(discrete=chosen.removal.id in ("exact-match", "cohort"))
    explanation = small.explain(Product(), data, np.ones(D), 60, 0)
    assert explanation.values.shape == (D,)
    assert explanation.evaluations <= 60
    again = small.explain(Product(), data, np.ones(D), 60, 0)
    np.testing.assert_array_equal(again.values, explanation.values)


def test_an_unknown_method_is_told_what_is_close():
    with pytest.raises(UnknownEstimator, match=r"unknown method 'IMEE' \(did you mean 'ime'\?\)"):
        method("IMEE")
