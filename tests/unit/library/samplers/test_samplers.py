"""Coalitions and permutations have the distributions they are named after."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from scipy.stats import chisquare

from shapaudit.samplers import (
    binomial_sizes,
    kernel_sizes,
    projected_gradient_sizes,
    sample_sizes,
    uniform_permutations,
    uniform_subsets,
)


@pytest.mark.parametrize("d", [2, 3, 10, 64])
def test_binomial_sizes_count_coalitions(d):
    expected = [comb(d, size) / (2**d - 2) for size in range(1, d)]
    np.testing.assert_allclose(binomial_sizes(d), expected, rtol=1e-10)


def test_binomial_sizes_of_many_players_are_finite():
    assert binomial_sizes(2000).sum() == pytest.approx(1)


@pytest.mark.parametrize("d", [2, 3, 9])
def test_kernel_sizes_are_the_kernel_times_the_number_of_coalitions(d):
    kernel = np.array([(d - 1) / (comb(d, s) * s * (d - s)) * comb(d, s) for s in range(1, d)])
    np.testing.assert_allclose(kernel_sizes(d), kernel / kernel.sum())


@pytest.mark.parametrize("d", [2, 3, 9])
def test_projected_gradient_sizes_minimise_the_second_moment(d):
    size = np.arange(1, d)

    def second_moment(q):
        # sum_l q_l (w_l C(d, l) / q_l)^2 ||P x||^2 for residuals of one
        return np.sum(1 / (size * (d - size)) / q)

    best = projected_gradient_sizes(d)
    rng = np.random.default_rng(0)
    others = rng.dirichlet(np.full(d - 1, 20.0), size=200) if d > 2 else np.ones((1, 1))
    assert second_moment(best) <= min(second_moment(q) for q in others) + 1e-12


def test_sampled_sizes_follow_their_probabilities():
    probabilities = np.array([0.5, 0.0, 0.2, 0.3])
    counts = np.bincount(sample_sizes(probabilities, 20_000, np.random.default_rng(0)), minlength=5)
    assert counts[2] == counts[0] == 0
    assert chisquare(counts[[1, 3, 4]], 20_000 * probabilities[[0, 2, 3]]).pvalue > 1e-3


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_subsets_of_a_size_are_uniform_and_independent_of_the_row_before(size):
    d, count = 5, 40_000
    drawn = uniform_subsets(np.full(count, size), d, np.random.default_rng(size))
    assert (drawn.sum(axis=1) == size).all()
    index = {members: k for k, members in enumerate(combinations(range(d), size))}
    labels = np.array([index[tuple(np.flatnonzero(row))] for row in drawn])
    assert chisquare(np.bincount(labels, minlength=len(index))).pvalue > 1e-3
    joint = np.bincount(labels[:-1:2] * len(index) + labels[1::2], minlength=len(index) ** 2)
    assert chisquare(joint).pvalue > 1e-3


def test_subsets_of_extreme_sizes():
    drawn = uniform_subsets(np.array([0, 3, 0]), 3, np.random.default_rng(0))
    np.testing.assert_array_equal(drawn.sum(axis=1), [0, 3, 0])
    assert uniform_subsets(np.zeros(4), 0, np.random.default_rng(0)).shape == (4, 0)


def test_permutations_are_uniform():
    drawn = uniform_permutations(24_000, 4, np.random.default_rng(1))
    index = {order: k for k, order in enumerate(permutations(range(4)))}
    counts = np.bincount([index[tuple(row)] for row in drawn], minlength=24)
    assert chisquare(counts).pvalue > 1e-3
