"""Truth by a law: exact where a closed form is known, else a reference, and refusals."""

import numpy as np
import pytest
from worlds import LAWS, MODELS, D, explicands, generator

from shapaudit.datasets.laws import GaussianLaw
from shapaudit.games import AdditiveGame, ConditionalGame, GameError, TabularGame, tabulate
from shapaudit.models import Polynomial
from shapaudit.truth import TruthError, compute, drawn_shapley, shapley_from_table
from shapaudit.truth.law import walked_shapley


def game(law="gaussian", model="relu"):
    return ConditionalGame(LAWS[law], MODELS[model], explicands(law)[0])


def test_exact_values_are_those_of_the_table_and_of_the_second_way():
    truth = compute("law", game(), generator())
    assert truth.certificate == "exact"
    np.testing.assert_array_equal(truth.values, shapley_from_table(tabulate(game()).values))
    second = compute("law-numerical", game(), generator())
    assert second.certificate == "exact"
    np.testing.assert_allclose(truth.values, second.values, rtol=1e-10)


def test_linear_models_of_two_features_by_hand():
    """E[x1 + 2 x2 | x1] = 2 x1 with correlation 1/2, E[. | x2] = 2.5 x2."""
    law = GaussianLaw.equicorrelated(2, 0.5)
    model = Polynomial(0.0, np.array([1.0, 2.0]), np.zeros((2, 2)))
    truth = compute("law", ConditionalGame(law, model, np.array([1.0, -1.0])), generator())
    # v = 0, 2, -2.5, -1
    np.testing.assert_allclose(truth.values, [(2 + 1.5) / 2, (-2.5 - 3) / 2])


@pytest.mark.parametrize("law", ["gaussian", "mixture", "copula", "chain", "discrete"])
def test_draws_come_near_to_what_is_exact(law):
    model = {"copula": "additive"}.get(law, "quadratic")
    exact = compute("law", game(law, model), generator())
    drawn = drawn_shapley(game(law, model), generator(1), 4000)
    assert drawn.certificate == "reference"
    deviations = (drawn.values - exact.values) / drawn.standard_errors
    assert np.abs(deviations).max() < 4


def test_standard_errors_are_those_of_repetitions():
    played = game("gaussian", "quadratic")
    repeated = [drawn_shapley(played, generator(seed), 50) for seed in range(60)]
    spread = np.std([truth.values for truth in repeated], axis=0, ddof=1)
    told = np.sqrt(np.mean([truth.standard_errors**2 for truth in repeated], axis=0))
    np.testing.assert_allclose(told, spread, rtol=0.35)


def test_pairs_of_opposite_draws_know_linear_models_exactly():
    truth = drawn_shapley(game("gaussian", "linear"), generator(), 3)
    exact = compute("law", game("gaussian", "linear"), generator())
    np.testing.assert_allclose(truth.values, exact.values, rtol=1e-12)


@pytest.mark.parametrize("law", ["gaussian", "discrete"])
def test_orders_come_near_to_what_is_exact(law):
    exact = compute("law", game(law, "quadratic"), generator())
    walked = walked_shapley(game(law, "quadratic"), generator(1), 3000)
    assert walked.certificate == "reference"
    deviations = (walked.values - exact.values) / walked.standard_errors
    assert np.abs(deviations).max() < 4


def test_beyond_14_players_orders_are_walked():
    """Of a linear model under equal correlations players of equal weight and value are alike."""
    d = 16
    law = GaussianLaw.equicorrelated(d, 0.3)
    model = Polynomial(0.0, np.ones(d), np.zeros((d, d)))
    truth = compute("law", ConditionalGame(law, model, np.ones(d)), generator(), draws=200)
    assert (truth.certificate, truth.method) == ("reference", "law, along orders")
    assert np.abs((truth.values - 1) / truth.standard_errors).max() < 4
    assert truth.values.sum() == pytest.approx(d)


def test_without_a_closed_form_there_is_a_reference():
    truth = compute("law", game("gaussian", "trees"), generator(), draws=200)
    assert truth.certificate == "reference"
    ends = [MODELS["trees"].predict(explicands("gaussian")[:1])[0], truth.values.sum()]
    rows = LAWS["gaussian"].sample(generator(3), 20_000)
    mean = MODELS["trees"].predict(rows).mean()
    assert abs(ends[0] - mean - ends[1]) < 5 * np.sqrt(np.square(truth.standard_errors).sum()) + 0.1
    with pytest.raises(GameError, match="no closed form"):
        compute("law-numerical", game("gaussian", "trees"), generator())


class Counting:
    """A model that counts its rows."""

    rows = 0

    def predict(self, rows):
        self.rows += len(rows)
        return rows[:, 0]


@pytest.mark.parametrize("block", [1, 7, 64])
def test_draws_are_made_block_by_block(monkeypatch, block):
    from shapaudit.truth import law

    monkeypatch.setattr(law, "BLOCK_ROWS", block << (D + 1))
    model = Counting()
    played = ConditionalGame(LAWS["gaussian"], model, explicands("gaussian")[0])
    drawn_shapley(played, generator(), 64)
    assert model.rows == 64 << (D + 1)


def test_a_removals_game_names_its_population():
    table = TabularGame(np.arange(16.0))
    table.population = game()
    wanted = compute("law", game(), generator())
    np.testing.assert_array_equal(compute("law", table, generator()).values, wanted.values)


def test_other_games_and_too_many_players_are_refused():
    with pytest.raises(TruthError, match=r"AdditiveGame.*'-law'"):
        compute("law", AdditiveGame(np.ones(3)), generator())
    law = GaussianLaw.equicorrelated(15, 0.2)
    model = Polynomial(0.0, np.ones(15), np.zeros((15, 15)))
    with pytest.raises(TruthError, match="14 players at most, not 15"):
        compute("law-numerical", ConditionalGame(law, model, np.zeros(15)), generator())
    with pytest.raises(TruthError, match="at least 2 orders"):
        walked_shapley(game(), generator(), 1)
    with pytest.raises(TruthError, match="at least 2"):
        drawn_shapley(game(), generator(), 1)
    assert game().n_players == D
