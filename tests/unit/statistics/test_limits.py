"""Confidence limits of one mean, proportion or other statistic."""

import numpy as np
import pytest
from scipy import stats

from shapaudit.statistics.limits import (
    UNBOUNDED,
    bootstrap,
    bootstrap_limits,
    bounded_mean,
    limit_rank,
    median_with_limits,
    skewed_mean_limits,
)


def test_limits_cover_the_mean_of_skewed_units_about_as_often_as_they_say():
    rng = np.random.default_rng(3)
    units = rng.exponential(size=(300, 40))
    low, high = bootstrap_limits(units, np.mean, 0.95)
    assert 0.90 <= np.mean((low <= 1) & (high >= 1)) <= 0.98


def test_limits_reach_further_towards_the_longer_tail():
    units = np.random.default_rng(5).exponential(size=40)
    low, high = bootstrap_limits(units, np.mean, 0.95)
    assert high - units.mean() > units.mean() - low


def test_identical_units_have_limits_without_width():
    low, high = bootstrap_limits(np.full((2, 5), 0.3), np.mean, 0.95)
    np.testing.assert_allclose([low, high], 0.3)


def test_a_limit_by_the_bootstrap_is_that_of_each_row():
    units = np.random.default_rng(6).exponential(size=(2, 30))
    low, high = bootstrap_limits(units, np.mean, 0.9)
    assert (low < units.mean(axis=1)).all()
    assert (high > units.mean(axis=1)).all()
    one = bootstrap("mean", units[0], 0.1)
    alone = bootstrap_limits(units[0], np.mean, 0.9)
    assert (one.low, one.high) == alone
    few = bootstrap("mean", units[0, :9], 0.1)
    assert (few.low, few.high) == (-UNBOUNDED, UNBOUNDED)


def test_limits_of_a_median_are_order_statistics_and_exact():
    units = np.arange(1.0, 13.0)
    # P(Bin(12, 1/2) < 3) = 79 / 4096, and below 4 it is 299 / 4096.
    limit = median_with_limits("median", units, 2 * 79 / 4096)
    assert (limit.low, limit.estimate, limit.high) == (3.0, 6.5, 10.0)
    assert median_with_limits("median", units, 2 * 78 / 4096).low == 2.0
    few = median_with_limits("median", units[:4], 0.1)
    assert (few.low, few.high) == (-UNBOUNDED, UNBOUNDED)
    assert [limit_rank(n, 0.025) for n in (5, 6, 40)] == [0, 1, 14]


def test_limits_of_a_bounded_mean_cover():
    # Rare large values: the hardest case for limits that know nothing of the range.
    rng, p, n = np.random.default_rng(1), 0.01, 100
    limits = [bounded_mean("x", 10.0 * (rng.random(n) < p), 10.0, 0.1) for _ in range(400)]
    covered = np.mean([limit.low <= 10 * p <= limit.high for limit in limits])
    assert covered > 0.9
    assert all(0 <= limit.low <= limit.estimate <= limit.high <= 10 for limit in limits)
    many = bounded_mean("x", rng.random(100_000), 1.0, 0.1)
    assert many.high - many.low < 0.01


@pytest.mark.parametrize("shape", [0.3, 1.0, 50.0])
def test_limits_of_a_skewed_mean_cover(shape):
    rng, n, worlds, alpha = np.random.default_rng(0), 100, 4000, 0.05
    units = rng.gamma(shape, 1 / shape, size=(n, worlds))
    low, high = skewed_mean_limits(units, alpha)
    missed = ((low > 1) | (high < 1)).mean()
    student = np.abs(units.mean(axis=0) - 1) > stats.t.isf(alpha / 2, n - 1) * stats.sem(units)
    assert abs(missed - alpha) < 0.015
    assert (student.mean() - alpha > 0.02) == (shape < 1)  # it would not do
    assert (low <= units.mean(axis=0)).all()
    assert (high >= units.mean(axis=0)).all()


def test_limits_without_skewness_are_those_of_student():
    half = np.abs(np.random.default_rng(1).normal(size=(50, 1)))
    units = np.concatenate([half, -half])
    low, high = skewed_mean_limits(units, 0.01)
    by_student = stats.t.interval(0.99, 99, scale=stats.sem(units[:, 0]))
    np.testing.assert_allclose([low[0], high[0]], by_student, rtol=1e-6)
    flat = skewed_mean_limits(np.ones((10, 2)), 0.01)
    np.testing.assert_array_equal(flat, np.ones((2, 2)))
