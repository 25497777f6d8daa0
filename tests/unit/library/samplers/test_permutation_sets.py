"""Structured and quasi-random permutations: each one uniform, together more even than chance."""

from itertools import permutations

import numpy as np
import pytest
from scipy.linalg import helmert
from scipy.stats import beta, chisquare, kstest

from shapaudit.samplers import uniform_permutations
from shapaudit.samplers.permutation_sets import (
    QUASI_RANDOM,
    STRUCTURED,
    nearest_permutations,
    set_size,
    sobol_points,
    sphere_points,
)

D = 4
INDEX = {order: k for k, order in enumerate(permutations(range(D)))}


def p_value(drawn):
    """Chi-square p-value of permutations (m, 4) being uniform."""
    return chisquare(np.bincount([INDEX[tuple(row)] for row in drawn], minlength=24)).pvalue


@pytest.mark.parametrize("name", STRUCTURED)
def test_every_member_of_a_structured_set_is_uniform(name):
    sets = STRUCTURED[name](6000, D, np.random.default_rng(1))
    assert sets.shape == (6000, set_size(name, D), D)
    assert min(p_value(sets[:, k]) for k in range(sets.shape[1])) > 1e-4


@pytest.mark.parametrize("name", QUASI_RANDOM)
def test_every_member_of_a_quasi_random_replicate_is_uniform(name):
    rng = np.random.default_rng(2)
    # Given the scramble, replicates are independent: many shifts of few scrambles.
    runs = np.concatenate([QUASI_RANDOM[name](5, D, 600, rng) for _ in range(10)])
    assert min(p_value(runs[:, k]) for k in range(5)) > 1e-4


def test_the_uniformity_test_sees_a_sampler_that_is_not():
    # Sorting points that are not exchangeable.
    points = np.random.default_rng(0).random((6000, D)) * [1.0, 1.0, 1.0, 0.9]
    assert p_value(np.argsort(points, axis=1)) < 1e-6


@pytest.mark.parametrize("name", [*STRUCTURED, *QUASI_RANDOM])
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_all_are_permutations_and_deterministic(name, d):
    def draw(seed):
        rng = np.random.default_rng(seed)
        return (
            STRUCTURED[name](9, d, rng) if name in STRUCTURED else QUASI_RANDOM[name](9, d, 2, rng)
        )

    drawn = draw(3)
    assert (np.sort(drawn, axis=-1) == np.arange(d)).all()
    np.testing.assert_array_equal(drawn, draw(3))
    assert d == 1 or not np.array_equal(drawn, draw(4))


def test_cyclic_sets_are_latin_squares():
    for square in STRUCTURED["cyclic"](5, 6, np.random.default_rng(0)):
        assert (np.sort(square, axis=0) == np.arange(6)[:, None]).all()


@pytest.mark.parametrize("d", [4, 5, 8, 9])
def test_williams_squares_are_balanced(d):
    for rows in STRUCTURED["williams"](3, d, np.random.default_rng(0)):
        times = len(rows) // d
        assert (np.sort(rows, axis=0) == np.repeat(np.arange(d), times)[:, None]).all()
        neighbours = np.bincount((rows[:, :-1] * d + rows[:, 1:]).ravel(), minlength=d * d)
        np.testing.assert_array_equal(neighbours.reshape(d, d), times * (1 - np.eye(d)))
        position = np.argsort(rows, axis=1)
        before = (position[:, :, None] < position[:, None, :]).sum(axis=0)
        np.testing.assert_array_equal(before, (1 - np.eye(d)) * len(rows) / 2)
        assert {tuple(row) for row in rows} == {tuple(row[::-1]) for row in rows}


@pytest.mark.parametrize("name", ["antithetic", "orthogonal"])
def test_sets_hold_both_directions(name):
    sets = STRUCTURED[name](5, 6, np.random.default_rng(0))
    forwards, backwards = np.split(sets, 2, axis=1)
    np.testing.assert_array_equal(forwards, backwards[..., ::-1])


def test_orthogonal_codes_are_closer_to_orthogonal_than_independent_permutations():
    d = 8

    def mean_square_cosine(orders):
        ranks = np.argsort(orders, axis=-1) - (d - 1) / 2
        cosines = ranks @ np.swapaxes(ranks, 1, 2) / np.square(ranks[0, 0]).sum()
        return np.square(cosines[:, *np.triu_indices(d - 1, 1)]).mean()

    rng = np.random.default_rng(0)
    codes = STRUCTURED["orthogonal"](300, d, rng)[:, : d - 1]
    chance = uniform_permutations(300 * (d - 1), d, rng).reshape(300, d - 1, d)
    assert mean_square_cosine(chance) == pytest.approx(1 / (d - 1), rel=0.1)
    assert mean_square_cosine(codes) < 0.2 * mean_square_cosine(chance)


def test_nearest_permutation_is_the_vertex_with_the_largest_inner_product():
    directions = np.random.default_rng(0).normal(size=(50, D - 1))
    vertices = np.array(list(INDEX), dtype=float)
    products = (directions @ helmert(D)) @ vertices.T
    best = vertices[products.argmax(axis=1)]
    # The vertex gives each player its rank, the permutation lists the players by rank.
    np.testing.assert_array_equal(np.argsort(best, axis=1), nearest_permutations(directions))


def test_sphere_points_keep_areas():
    k = 5
    points = sphere_points(np.random.default_rng(0).random((20_000, k)))
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.0)
    # (1 + x) / 2 of a coordinate of a uniform point on the sphere in k + 1 axes.
    law = beta(k / 2, k / 2)
    assert min(kstest((1 + points[:, j]) / 2, law.cdf).pvalue for j in range(k + 1)) > 1e-4
    second = points.T @ points / len(points)
    np.testing.assert_allclose(second, np.eye(k + 1) / (k + 1), atol=0.006)


def test_sphere_points_at_the_edges_of_the_cube_are_finite():
    edge = 2.0**-31
    cube = np.array([[edge] * 5, [1 - edge] * 5])
    np.testing.assert_allclose(np.linalg.norm(sphere_points(cube), axis=1), 1.0)


def test_sobol_replicates_are_nets_and_differ():
    points = sobol_points(64, 3, 4, np.random.default_rng(0))
    cells = np.sort((points * 64).astype(int), axis=1)
    assert (cells == np.arange(64)[None, :, None]).all()
    assert len(np.unique(points[:, 0, 0])) == 4
    assert (points > 0).all()
    assert (points < 1).all()


def test_sobol_points_are_the_middles_of_cells_of_the_grid():
    cells = sobol_points(64, 3, 2, np.random.default_rng(0)) * 2**30
    np.testing.assert_array_equal(cells % 1, 0.5)
    assert (np.floor(cells) % 2 == 1).any()


def test_a_longer_sequence_begins_as_the_shorter():
    few, many = (sobol_points(n, 3, 2, np.random.default_rng(5)) for n in (7, 100))
    np.testing.assert_array_equal(few, many[:, :7])
