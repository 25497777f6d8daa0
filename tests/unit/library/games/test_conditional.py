"""Conditional games: their values, and what has no closed form or cannot occur."""

import numpy as np
import pytest
from worlds import LAWS, MODELS, D, explicands

from shapaudit.games import ConditionalGame, GameError, all_coalitions, tabulate


def game(law, model):
    return ConditionalGame(LAWS[law], MODELS[model], explicands(law)[0])


def test_values_are_expectations_and_the_last_one_is_the_prediction():
    played = game("gaussian", "quadratic")
    values = tabulate(played).values
    expectation = played.expectation.values(played.explicand[None], all_coalitions(D))[0]
    np.testing.assert_array_equal(values, expectation)
    prediction = MODELS["quadratic"].predict(played.explicand[None])[0]
    assert values[-1] == pytest.approx(prediction)


def test_a_feature_that_the_model_ignores_has_a_share_where_features_depend():
    """Chen et al. 2023, Section 4.3: the fourth coefficient is 0."""
    gained = []
    for law in ("gaussian", "pairs"):
        values = tabulate(game(law, "linear")).values
        gained.append(np.abs(values[8:] - values[:8]).max())
    assert min(gained) > 0.01


def test_without_a_closed_form_it_has_no_values():
    played = game("gaussian", "trees")
    with pytest.raises(GameError, match=r"TreeEnsemble under a GaussianLaw.*truth method 'law'"):
        played(all_coalitions(D))


@pytest.mark.parametrize(
    ("law", "row", "told"),
    [
        ("gaussian", np.zeros(3), "4 features are given"),
        ("gaussian", np.array([0.0, np.nan, 0.0, 0.0]), "x2 is given as NaN"),
        ("copula", np.array([-1.0, 1.0, 0.0, 0.0]), "x1 is -1"),
        ("discrete", np.full(4, 0.5), "x1 = 0.5"),
    ],
)
def test_an_explicand_that_does_not_fit_is_refused(law, row, told):
    with pytest.raises(GameError, match=f"conditional: .*{told}"):
        ConditionalGame(LAWS[law], MODELS["linear"], row)
