"""The covariance of unanimity games against its sum over sets, and its Shapley values."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from shapaudit.estimators.fits.relevance import triple_covariance
from shapaudit.estimators.fits.unanimity import (
    alike_covariances,
    alike_triangles,
    unanimity_shapley,
)
from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table


def all_signs(d):
    return np.where(all_coalitions(d), 1.0, -1.0)


def odd_part(signs, members):
    inside, outside = (signs[:, members] > 0).all(axis=1), (signs[:, members] < 0).all(axis=1)
    return 0.5 * (inside.astype(float) - outside)


@pytest.mark.parametrize("d", [3, 4, 7])
def test_the_covariance_is_the_sum_over_sets_of_three_or_more_each_size_alike(d):
    signs, expected = all_signs(d), 0.0
    others = signs[np.random.default_rng(d).permutation(len(signs))[:6]]
    for order in range(3, d + 1):
        for members in map(list, combinations(range(d), order)):
            product = np.outer(odd_part(signs, members), odd_part(others, members))
            expected = expected + 4.0 / d * product / comb(d, order)
    np.testing.assert_allclose(alike_covariances(signs, others)[1], expected, atol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 3, 5, 8])
def test_shapley_values_are_those_of_the_table(d):
    rng, signs = np.random.default_rng(d), all_signs(d)
    points, amounts = signs[rng.integers(len(signs), size=5)], rng.standard_normal(5)
    table = alike_covariances(signs, points)[1] @ amounts
    values = unanimity_shapley(points, amounts)
    np.testing.assert_allclose(values, shapley_from_table(table), atol=1e-12)


@pytest.mark.parametrize("d", [1, 4, 9])
def test_triangles_are_those_of_the_covariances_with_triples_beside(d):
    signs = all_signs(d)[np.random.default_rng(d).permutation(1 << d)[:40]]
    triples, unanimity = alike_covariances(signs, signs)
    np.testing.assert_array_equal(triples, triple_covariance(signs @ signs.T, d))
    for triangle, full in zip(alike_triangles(signs), (triples, unanimity), strict=True):
        np.testing.assert_array_equal(triangle, np.tril(full))
        assert triangle.flags.f_contiguous


def test_many_players_overflow_nothing():
    signs = np.vstack([np.ones((1, 1000)), -np.ones((1, 1000)), np.ones((1, 1000))])
    signs[2, :500] = -1.0
    covariances = alike_covariances(signs, signs)[1]
    assert np.isfinite(covariances).all()
    np.testing.assert_allclose(covariances, covariances.T)
    assert covariances[0, 0] == -covariances[0, 1] > 0.9
