"""Draws per stratum: rounding, Neyman's allocation, and the pooling of two stages."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shapaudit.samplers.allocation import (
    StageSummary,
    allocate,
    fill_up,
    pool,
    proportional,
    round_to_total,
)

WEIGHT = st.just(0.0) | st.floats(1e-6, 1e6)
WEIGHTS = st.lists(WEIGHT, min_size=1, max_size=8).map(np.array)


def test_the_largest_remainders_are_rounded_up():
    np.testing.assert_array_equal(round_to_total(np.array([1.6, 2.7, 0.7]), 5), [1, 3, 1])
    np.testing.assert_array_equal(round_to_total(np.array([0.5, 0.5, 1.0]), 2), [1, 0, 1])


@given(WEIGHTS, st.integers(0, 10_000))
def test_proportional_draws_sum_to_the_total_and_are_within_one(weights, total):
    counts = proportional(weights, total)
    assert counts.sum() == total
    if weights.any():
        np.testing.assert_array_less(np.abs(counts - total * (weights / weights.sum())), 1 + 1e-6)


def test_no_weight_at_all_means_equal_draws():
    np.testing.assert_array_equal(proportional(np.zeros(3), 7), [3, 2, 2])
    np.testing.assert_array_equal(fill_up(np.zeros(3), np.array([4, 1, 1]), 9), [1, 4, 4])


@given(WEIGHTS, st.integers(0, 5_000), st.data())
def test_filling_up_adds_the_total_where_it_is_most_wanted(weights, total, data):
    counts = st.lists(st.integers(1, 300), min_size=len(weights), max_size=len(weights))
    done = np.array(data.draw(counts))
    added = fill_up(weights, done, total)
    assert added.sum() == total
    assert added.min() >= 0
    # Every stratum that got more than rounding may give has reached the common level n / s;
    # no stratum is left below it.
    if weights.any() and (added > 1).any():
        level = ((done + added - 1)[added > 1] / weights[added > 1]).max()
        assert ((done + added + 1) >= level * weights * (1 - 1e-9)).all()


def test_weights_as_small_as_numbers_get_are_weights():
    tiny = np.array([5e-324, 0.0])
    np.testing.assert_array_equal(fill_up(tiny, np.array([3, 1]), 4), [4, 0])
    np.testing.assert_array_equal(fill_up(np.array([1.0, 1e-308]), np.ones(2), 4), [4, 0])
    np.testing.assert_array_equal(proportional(tiny, 4), [4, 0])


def test_filling_up_is_the_least_variance_there_is():
    deviations, done, total = np.array([8.0, 2.0, 1.0, 1.0]), np.ones(4), 24

    def variance(added):
        return np.sum(deviations**2 / (done + np.array(added)))

    splits = [split for split in product(range(total + 1), repeat=4) if sum(split) == total]
    best = min(map(variance, splits))
    assert variance(fill_up(deviations, done, total)) <= 1.01 * best
    assert variance(proportional(deviations**2, total)) > 1.1 * best


def test_two_stages_are_allotted_by_variance_or_deviation():
    first = StageSummary(np.zeros(3), np.full(3, 10), np.array([16.0, 4.0, 0.0]))
    np.testing.assert_array_equal(allocate("variance", first, 50), [40, 10, 0])
    # 80 draws in all: ten are done in vain, 70 are shared as 2 to 1.
    np.testing.assert_array_equal(allocate("deviation", first, 50), [37, 13, 0])
    np.testing.assert_array_equal(allocate("uniform", first, 50), [17, 17, 16])


def test_pooled_stages_are_one_sample():
    rng = np.random.default_rng(0)
    draws = [rng.normal(size=(4, 2)), rng.normal(size=(12, 2))]
    stages = [StageSummary(x.mean(axis=0), np.full(2, len(x)), np.full(2, 3.0)) for x in draws]
    pooled = pool(*stages)
    np.testing.assert_allclose(pooled.means, np.concatenate(draws).mean(axis=0))
    np.testing.assert_allclose(pooled.standard_errors(), np.sqrt(3 / 16))


def test_a_second_stage_without_draws_or_variance_leaves_the_first():
    first = StageSummary(np.array([1.0, 2.0]), np.array([5, 5]), np.array([4.0, 9.0]))
    second = StageSummary(np.array([np.nan, 8.0]), np.array([0, 1]), np.array([np.nan, np.nan]))
    pooled = pool(first, second)
    np.testing.assert_allclose(pooled.means, [1.0, 3.0])
    np.testing.assert_allclose(pooled.standard_errors(), np.sqrt([4 / 5, 9 / 6]))
    assert second.standard_errors() is None


@pytest.mark.parametrize("rule", ["variance", "deviation", "uniform"])
def test_nothing_left_means_no_draws(rule):
    first = StageSummary(np.zeros(2), np.array([3, 3]), np.array([1.0, 2.0]))
    np.testing.assert_array_equal(allocate(rule, first, 0), [0, 0])
