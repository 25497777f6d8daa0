"""Exact expectations that the claims rest on, beside enumeration and the estimators."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from shapaudit.estimators import KernelSHAP
from shapaudit.samplers.quadrature import quadrature_rule
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import StudyGame
from shapaudit_papers.theory import multilinear
from shapaudit_papers.theory.grids import grid_law, worst_bias
from shapaudit_papers.theory.random_order import shared_outcomes
from shapaudit_papers.theory.sampled_least_squares import (
    expected_fit,
    expected_fit_by_axes,
    first_order,
)


@pytest.mark.parametrize("name", ["printed", "equal", "trapezoid", "midpoint"])
@pytest.mark.parametrize("levels", [2, 3, 7])
def test_exact_size_law_is_that_of_the_sampler(name, levels):
    for d in (2, 3, 6):
        law = np.array(grid_law(name, levels, d), dtype=float)
        np.testing.assert_allclose(law, multilinear.size_law(quadrature_rule(name, levels), d))


def test_worst_bias_is_attained():
    d, levels = 4, 3
    law = grid_law("equal", levels, d)
    sizes = np.bitwise_count(np.arange(1 << d))
    signs = np.array([weight > Fraction(1, d) for weight in law])
    member = np.arange(1 << d) & 1 == 1
    values = np.where(member, signs[np.maximum(sizes, 1) - 1], ~signs[np.minimum(sizes, d - 1)])
    bias = multilinear.bias(values.astype(float), quadrature_rule("equal", levels))
    assert bias[0] == pytest.approx(float(worst_bias(law)))


def random_game(d, seed=5):
    return rationals(np.random.default_rng(seed).integers(-9, 10, 1 << d).tolist())


@pytest.mark.parametrize(("d", "draws"), [(2, 4), (3, 1), (3, 3), (4, 2)])
def test_enumeration_by_axes_is_that_of_all_samples(d, draws):
    values = random_game(d)
    by_axes = expected_fit_by_axes(values, draws)
    assert (expected_fit(values, draws) == by_axes).all()
    assert (expected_fit(values, draws, paired=True) == by_axes).all()


def test_enumerated_expectation_is_that_of_the_estimator():
    values, draws, runs = random_game(4), 5, 4000
    game = StudyGame.from_tables("g", np.array([values], dtype=float)).games[0]
    rng = np.random.default_rng(0)
    estimates = np.array([KernelSHAP().estimate(game, draws + 2, rng).values for _ in range(runs)])
    expected = expected_fit_by_axes(values, draws).astype(float)
    errors = estimates.std(axis=0, ddof=1) / runs**0.5
    assert (np.abs(estimates.mean(axis=0) - expected) < 4 * errors).all()
    assert np.abs(expected - shapley_values(values).astype(float)).max() > 0.1


def test_first_order_terms_match_the_enumeration():
    values = random_game(4)
    bias, _ = first_order(values)
    scaled = 12 * (expected_fit_by_axes(values, 12) - shapley_values(values)).astype(float)
    np.testing.assert_allclose(scaled, bias, atol=0.05 * np.abs(bias).max())


def test_first_order_variance_is_that_of_the_estimator():
    values, draws, runs = random_game(4), 200, 1000
    game = StudyGame.from_tables("g", np.array([values], dtype=float)).games[0]
    rng = np.random.default_rng(0)
    estimates = [KernelSHAP().estimate(game, draws + 2, rng).values for _ in range(runs)]
    _, variance = first_order(values)
    assert draws * np.var(estimates, axis=0).sum() == pytest.approx(variance, rel=0.15)


def test_three_players_have_no_first_order_bias():
    bias, _ = first_order(random_game(3))
    np.testing.assert_allclose(bias, 0, atol=1e-12)


def test_shared_coalition_has_the_probabilities_of_its_size():
    d = 3
    outcomes = shared_outcomes(random_game(d))
    assert sum(p for p, _ in outcomes) == 1
    assert outcomes[0b011][0] == Fraction(1, (d + 1) * comb(d, 2))
