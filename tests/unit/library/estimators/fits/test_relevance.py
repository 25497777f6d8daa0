"""The covariance over all odd sets against its sum, and the slope of its likelihood."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.estimators.fits.likelihood import Likelihood
from shapaudit.estimators.fits.relevance import (
    OddCovariance,
    joint_features,
    joint_shapley,
    triple_covariance,
    triple_shapley,
)
from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table


def all_signs(d):
    return np.where(all_coalitions(d), 1.0, -1.0)


@pytest.mark.parametrize("d", [3, 4, 7])
def test_the_covariance_is_the_sum_over_odd_sets_of_three_or_more(d):
    rng = np.random.default_rng(d)
    relevance, signs = 0.9 * rng.random(d), all_signs(d)
    sets = [list(s) for k in range(3, d + 1, 2) for s in combinations(range(d), k)]
    products = np.array([signs[:, s].prod(axis=1) for s in sets])
    variances = np.array([relevance[s].prod() for s in sets])
    expected = (products.T * variances) @ products / variances.sum()
    np.testing.assert_allclose(OddCovariance(relevance)(signs, signs), expected, atol=1e-12)


@pytest.mark.parametrize("d", [1, 5, 9])
def test_products_looked_up_in_a_table_are_those_of_logarithms(d):
    rng = np.random.default_rng(d)
    kernel, signs = OddCovariance(0.9 * rng.random(d)), all_signs(d)[rng.permutation(1 << d)]
    others = signs[:2]
    looked_up = kernel.plus(signs, others)  # more of them than there are products
    np.testing.assert_allclose(kernel.plus(signs[:1], others), looked_up[:1], rtol=1e-13)
    expected = (1.0 + kernel.relevance * signs[:, None] * others).prod(axis=2)
    np.testing.assert_allclose(looked_up, expected, rtol=1e-13)


@pytest.mark.parametrize("d", [3, 6, 8])
def test_shapley_values_of_the_covariance_and_of_joint_features_are_those_of_their_tables(d):
    rng = np.random.default_rng(d)
    kernel, signs = OddCovariance(0.8 * rng.random(d)), all_signs(d)
    points, amounts = signs[rng.permutation(len(signs))[:5]], rng.standard_normal(5)
    table = kernel(signs, points) @ amounts
    np.testing.assert_allclose(
        kernel.shapley(points, amounts), shapley_from_table(table), atol=1e-11
    )
    weights = rng.standard_normal(d)
    tables = joint_features(weights, signs)
    np.testing.assert_allclose(joint_shapley(weights), shapley_from_table(tables), atol=1e-11)


@pytest.mark.parametrize("d", [3, 5, 7])
def test_triples_alike_are_all_sets_of_three_with_their_values(d):
    rng, signs = np.random.default_rng(d), all_signs(d)
    products = np.array([signs[:, list(s)].prod(axis=1) for s in combinations(range(d), 3)])
    expected = products.T @ products / len(products)
    np.testing.assert_allclose(triple_covariance(signs @ signs.T, d), expected, atol=1e-12)
    points, amounts = signs[rng.permutation(len(signs))[:4]], rng.standard_normal(4)
    table = triple_covariance(signs @ points.T, d) @ amounts
    np.testing.assert_allclose(
        triple_shapley(points, amounts), shapley_from_table(table), atol=1e-11
    )


def test_small_relevances_leave_a_positive_definite_matrix():
    kernel, signs = OddCovariance(np.full(9, 1e-4)), all_signs(9)
    matrix = kernel(signs, signs) + kernel.jitter * np.eye(len(signs))
    assert np.linalg.eigvalsh(matrix)[0] > 0


def test_the_gradient_of_the_likelihood_is_its_slope():
    rng = np.random.default_rng(0)
    d, n = 5, 24
    signs = np.where(rng.random((n, d)) < 0.5, 1.0, -1.0)
    loss = Likelihood(
        signs,
        rng.standard_normal(n),
        1.0 + rng.random(n),
        rng.standard_normal(d),
        rng.standard_normal(d),
    )
    point, step = np.append(rng.standard_normal(d), [-1.0, -1.5, -0.5, 0.5, -2.0]), 1e-6
    slopes = [
        (loss(point + step * e)[0] - loss(point - step * e)[0]) / (2 * step) for e in np.eye(d + 5)
    ]
    np.testing.assert_allclose(loss(point)[1], slopes, rtol=1e-5, atol=1e-6)


def test_many_relevant_players_do_not_overflow():
    d = 1000
    signs = np.where(np.random.default_rng(1).random((3, d)) < 0.5, 1.0, -1.0)
    assert np.isfinite(OddCovariance(np.full(d, 0.34))(signs, signs)).all()
