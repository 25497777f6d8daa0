"""A process whose covariance is a product: its Shapley values, likelihood and residuals."""

import numpy as np
import pytest
import scipy

from shapaudit.estimators.fits import product_process
from shapaudit.estimators.fits.product_process import (
    JITTER,
    covariance,
    fit_product_process,
    most_likely,
    process_of,
    shapley_of_sections,
)
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table

RNG = np.random.default_rng(5)


def signs_of(d):
    return np.where(all_coalitions(d), 1.0, -1.0)


def product_game(d, seed=0):
    """Values from the process itself: few relevant players, interactions of all orders."""
    rng, signs = np.random.default_rng(seed), signs_of(d)
    lengths = np.geomspace(1.0, 0.01, d)
    factor = np.linalg.cholesky(covariance(lengths, signs, signs) + 1e-9 * np.eye(1 << d))
    return TabularGame(7.0 + factor @ rng.standard_normal(1 << d))


@pytest.mark.parametrize("d", [2, 3, 6, 7])
def test_shapley_values_of_sections_are_those_of_their_tables(d):
    lengths, signs = RNG.random(d), signs_of(d)
    table = covariance(lengths, signs, signs)
    expected = [shapley_from_table(section) for section in table]
    np.testing.assert_allclose(shapley_of_sections(lengths, signs), expected, atol=1e-12)


def test_the_covariance_is_a_product_over_the_players_that_differ():
    lengths, signs = RNG.random(5), signs_of(5)
    differ = signs[:, None] != signs
    expected = np.where(differ, np.exp(-lengths), 1.0).prod(axis=2)
    np.testing.assert_allclose(covariance(lengths, signs, signs), expected)


def test_the_gradient_is_that_of_the_loss():
    signs = signs_of(6)[RNG.choice(64, 20, replace=False)]
    loss = product_process._Likelihood(signs, RNG.standard_normal(20), RNG.random(20))
    point = RNG.standard_normal(7) - 1.0
    numeric = scipy.optimize.approx_fprime(point, lambda at: loss(at)[0], 1e-7)
    np.testing.assert_allclose(loss(point)[1], numeric, atol=1e-5)


def test_the_loss_is_minus_the_restricted_log_posterior():
    """The density of the contrasts, in which no constant is left, at the best factor."""
    signs, values = signs_of(4)[:12], RNG.standard_normal(12)
    noises, point = RNG.random(12), RNG.standard_normal(5) - 1.0
    contrasts = scipy.linalg.null_space(np.ones((1, 12)))
    scales = np.exp(point)
    matrix = covariance(scales[:4], signs, signs) + np.diag(scales[4] * noises + JITTER)
    inner, seen = contrasts.T @ matrix @ contrasts, contrasts.T @ values
    energy = seen @ np.linalg.solve(inner, seen)
    expected = 0.5 * (np.linalg.slogdet(inner)[1] + 11 * np.log(energy / 11))
    expected += 0.5 * np.square((point[:4] - point[:4].mean()) / product_process.SPREAD).sum()
    found = product_process._Likelihood(signs, values, noises)(point)[0]
    assert found - expected == pytest.approx(0.5 * np.log(12))  # the determinant of 1'1


def test_residuals_are_those_of_pairs_that_were_left_out():
    game = product_game(6)
    pairs = draw_pairs(game, 30, "leverage", np.random.default_rng(0))
    process, m = process_of(pairs), len(pairs.values)
    fit, row = fit_product_process(pairs), 4
    noise = np.linalg.inv(process.precision + 1e3 * np.ones((2 * m + 2,) * 2))
    kept = np.delete(np.arange(2 * m + 2), [row, m + row])
    values = np.concatenate([pairs.values, pairs.opposite, [pairs.empty, pairs.grand]])
    system = np.zeros((2 * m + 1, 2 * m + 1))
    system[:-1, :-1] = noise[np.ix_(kept, kept)]
    system[-1, :-1] = system[:-1, -1] = 1.0
    weights = np.linalg.solve(system, np.append(values[kept], 0.0))
    predicted = noise[np.ix_([row, m + row], kept)] @ weights[:-1] + weights[-1]
    left = np.array([pairs.values[row], pairs.opposite[row]]) - predicted
    assert fit.left_out[row] == pytest.approx(0.5 * (left[0] - left[1]), rel=1e-4)


def test_it_is_efficient_and_finds_relevant_players():
    game = product_game(8, seed=3)
    exact = shapley_from_table(game.values)
    pairs = draw_pairs(game, 60, "leverage", np.random.default_rng(1))
    process, fit = process_of(pairs), fit_product_process(pairs)
    assert process.shapley().sum() == pytest.approx(pairs.total, rel=1e-4)
    assert fit.values.sum() == pytest.approx(pairs.total)
    assert process.lengths[:3].min() > 3.0 * process.lengths[-3:].max()
    plain = pairs.regressed(pairs.odd_part, pairs.total)
    assert np.linalg.norm(fit.values - exact) < 0.7 * np.linalg.norm(plain - exact)


def test_a_constant_and_a_factor_change_nothing_else():
    game = product_game(6, seed=2)
    pairs = draw_pairs(game, 30, "leverage", np.random.default_rng(2))
    other = draw_pairs(
        TabularGame(5.0 - 3.0 * game.values), 30, "leverage", np.random.default_rng(2)
    )
    ours, theirs = fit_product_process(pairs), fit_product_process(other)
    np.testing.assert_allclose(theirs.values, -3.0 * ours.values, rtol=1e-4)
    np.testing.assert_allclose(theirs.left_out, -3.0 * ours.left_out, rtol=1e-3, atol=1e-6)


def test_equal_values_have_no_shapley_values():
    members = all_coalitions(4)
    process = most_likely(members, np.full(16, 2.0), np.ones(16))
    np.testing.assert_allclose(process.shapley(), 0.0, atol=1e-6)
