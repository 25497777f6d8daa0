"""Slopes of a variance of their own, against formulas with a dense inverse."""

import numpy as np
import pytest

from shapaudit.estimators.fits.kriging import Kriging, Observations
from shapaudit.estimators.fits.likelihood import Hyper
from shapaudit.estimators.fits.slopes import with_relevances

D = 12
WORTH = np.array([3.0, -2.0, 1.0] + [0.0] * (D - 3))


@pytest.fixture
def fit():
    rng = np.random.default_rng(0)
    signs = np.vstack([np.where(rng.random((30, D)) < 0.5, 1.0, -1.0), np.ones(D)])
    values = signs @ WORTH + 0.5 * signs[:, 0] * signs[:, 1] * signs[:, 2]
    values[:-1] += 0.3 * rng.standard_normal(30)
    rows = Observations(signs, values, np.append(0.5 + rng.random(30), 0.0))
    return Kriging(rows, Hyper(np.full(D, 0.2), 0.1, 0.1, 0.1, 0.1, 0.5, np.full(D, D**-0.5)))


def dense(fit, relevant):
    """Covariance of the values with that of the slopes, from the variances that these imply."""
    signs = fit.rows.signs
    variances = relevant.slopes / (signs.T @ relevant.dual)
    assert (variances > 0).all()
    return fit.factor @ fit.factor.T + (signs * variances) @ signs.T, variances


def test_the_process_is_that_of_the_covariance_with_the_slopes(fit):
    relevant = with_relevances(fit)
    covariance, _ = dense(fit, relevant)
    precision, values = np.linalg.inv(covariance), fit.rows.values
    np.testing.assert_allclose(relevant.dual, precision @ values, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(relevant.precisions(), np.diag(precision), rtol=1e-6)
    assert relevant.scale == pytest.approx(values @ precision @ values / len(values))
    np.testing.assert_allclose(
        relevant.at(fit.rows.signs) + relevant.residuals(), values, atol=1e-9
    )


def test_residuals_left_out_are_those_of_processes_without_the_row(fit):
    relevant = with_relevances(fit)
    covariance, _ = dense(fit, relevant)
    for k in (3, 17):
        kept = np.arange(len(covariance)) != k
        weights = np.linalg.solve(covariance[np.ix_(kept, kept)], covariance[kept, k])
        expected = fit.rows.values[k] - weights @ fit.rows.values[kept]
        assert relevant.dual[k] / relevant.precisions()[k] == pytest.approx(expected)


def test_players_without_effect_keep_nothing_and_the_others_most(fit):
    relevant = with_relevances(fit)
    errors = [np.abs(process.slopes - WORTH) for process in (fit, relevant)]
    assert np.median(errors[1][3:]) < 0.3 * np.median(errors[0][3:])
    assert errors[1][3:].min() < 1e-6
    assert errors[1][:3].max() < 0.3


def test_variances_are_at_a_maximum_of_the_likelihood(fit):
    """Of each that has not vanished: z'dual has its expected square, see `reweighted`."""
    relevant = with_relevances(fit)
    covariance, variances = dense(fit, relevant)
    signs, precision = fit.rows.signs, np.linalg.inv(covariance)
    expected = np.einsum("ij,ik,kj->j", signs, precision, signs)
    large = variances > 1e-2 * variances.max()
    assert large.sum() >= 3
    agreed = np.square(signs.T @ relevant.dual) / relevant.scale
    np.testing.assert_allclose(agreed[large], expected[large], rtol=0.05)


def test_the_process_it_came_from_is_as_it_was(fit):
    before = fit.slopes.copy(), fit.dual.copy(), fit.basis.copy()
    with_relevances(fit)
    for old, other in zip(before, (fit.slopes, fit.dual, fit.basis), strict=True):
        np.testing.assert_array_equal(old, other)


def test_a_game_of_zeros_has_slopes_of_zero(fit):
    empty = Kriging(Observations(fit.rows.signs, np.zeros(31), fit.rows.noises), fit.hyper)
    assert (with_relevances(empty).slopes == 0).all()
