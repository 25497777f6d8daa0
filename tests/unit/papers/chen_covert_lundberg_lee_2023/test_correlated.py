"""Correlated LinearSHAP in fractions and from samples, and worlds where statements on it fail."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit.explainers import create
from shapaudit.models import LinearModel
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import correlated as evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import estimated_moments as estimated
from shapaudit_papers.theory.correlated import (
    linear_prediction_game,
    order_contributions,
    unit_factor,
)
from shapaudit_papers.theory.removal import quadratic

CONTEXT = Context("tiny", 3, (), Settings(random_games=2, repetitions=1000))


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def square_model(numbers, d):
    return quadratic(numbers[: d * d])


def equal_steps(beta, covariance, moved, order):
    """Every order adds the same."""
    game = linear_prediction_game(beta, 0 * beta, covariance, moved)
    return shapley_values(game)


def by_coefficients(beta, covariance, moved, order):
    return beta * moved


def only(*names):
    """The laws of these names."""
    return lambda context: [(name, law) for name, law in evidence.laws(context) if name in names]


PARABOLA = "the second the square of the first"


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("correlated.gather_orders", {}, "exact"),
        ("correlated.gather_orders", {"added": equal_steps}, "refuted"),
        ("gather_prediction", {}, "proved"),
        ("gather_prediction", {"build": square_model}, "refuted"),
        ("gather_prediction", {"general": sum}, "refuted"),
        ("correlated.gather_orders", {"added": by_coefficients}, "inconclusive"),
        ("47f", {}, "refuted"),
        ("47f", {"named": only(PARABOLA)}, "exact"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_a_law_that_is_not_gaussian_needs_a_hypothesis():
    verdict = observe("47f")
    assert verdict.consequence == "hypothesis"
    assert verdict.numbers == {"biased": 1, "free": 3}


def test_estimated_moments_have_no_bias_where_regressions_are_linear():
    verdict = observe("47h")
    assert verdict.status == "proved"
    assert verdict.numbers["noticed"] >= 2
    assert len(verdict.limits) == 18


def test_a_parabola_among_the_laws_is_noticed():
    worlds = {"Gaussian": estimated.parabola_world, PARABOLA: estimated.parabola_world}
    assert observe("47h", worlds=worlds).status == "refuted"


def test_estimated_values_are_those_of_the_explainer():
    rows = np.random.default_rng(2).normal(size=(1, 9, 3))
    model = LinearModel(estimated.COEFFICIENTS)
    fitted = create("correlated-linear").fit(model, rows[0])
    wanted = fitted.explain(estimated.AWAY).values
    np.testing.assert_allclose(estimated.estimated_values(rows, estimated.AWAY), [wanted])


@pytest.mark.parametrize("name", ["Gaussian", "Student", "Dirichlet"])
def test_worlds_have_the_moments_that_their_values_rest_on(name):
    world = estimated.WORLDS[name]()
    rows = world.draw(np.random.default_rng(0), 1, 400_000)[0]
    values = estimated.by_regressions(rows.mean(axis=0), np.cov(rows.T), world.explicand)
    np.testing.assert_allclose(values, world.values, atol=0.03)


def test_the_parabola_is_known_given_its_feature():
    values = estimated.parabola_world().values
    b, x = estimated.COEFFICIENTS, estimated.AWAY
    np.testing.assert_allclose(values[0], b[1])  # E x_1^2 = 1
    np.testing.assert_allclose(values[1], b[0] * x[0] + b[1] * x[0] ** 2)
    np.testing.assert_allclose(values[-1], b @ x)


def test_contributions_along_an_order_are_differences_of_the_game():
    covariance = np.array([rationals(row) for row in ([4, 2, 1], [2, 3, 0], [1, 0, 5])])
    beta, moved = rationals([1, -2, 3]), rationals([2, 1, -1])
    game = linear_prediction_game(beta, 0 * beta, covariance, moved)
    contributions = order_contributions(beta, covariance, moved, (2, 0, 1))
    assert contributions.tolist() == [game[5] - game[4], game[7] - game[5], game[4] - game[0]]


def test_a_singular_covariance_has_no_factor():
    with pytest.raises(ValueError, match="singular"):
        unit_factor(np.array([rationals(row) for row in ([1, 1], [1, 1])]))


def test_multinomial_counts_have_the_moments_of_their_law():
    rows, weights = evidence.multinomial()
    assert sum(weights) == 1
    means = [sum(w * row[j] for w, row in zip(weights, rows, strict=True)) for j in range(3)]
    assert means == [Fraction(2 * (j + 1), 10) for j in range(3)]
