"""Exact limits of the factor between two samples."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from shapaudit.statistics.ranks import factor_limits, least_units, orders_by_inversions


@pytest.mark.parametrize(("n", "m"), [(1, 1), (3, 2), (4, 4)])
def test_orders_are_counted(n, m):
    counts = np.zeros(n * m + 1, dtype=int)
    for places in combinations(range(n + m), n):
        counts[sum(place - k for k, place in enumerate(places))] += 1
    assert orders_by_inversions(n, m).tolist() == counts.tolist()


def test_limits_are_the_inverted_test():
    rng = np.random.default_rng(0)
    first, second = rng.gamma(2.0, size=9), rng.gamma(2.0, size=7)
    limits = factor_limits(first, second, 0.05)
    for factor in np.geomspace(0.05, 20, 60):
        accepted = mannwhitneyu(first, factor * second, method="exact").pvalue > 0.05
        assert accepted == (limits.low < factor < limits.high)
    swapped = factor_limits(second, first, 0.05)
    assert (swapped.low, swapped.high) == pytest.approx((1 / limits.high, 1 / limits.low))
    assert limits.low < limits.estimate < limits.high_alone <= limits.high


def test_limits_cover_the_factor():
    rng, runs, alpha = np.random.default_rng(1), 2000, 0.1
    covered = 0
    for _ in range(runs):
        limits = factor_limits(3 * rng.standard_exponential(6), rng.standard_exponential(8), alpha)
        covered += limits.low <= 3 <= limits.high
    assert covered / runs > 1 - alpha - 4 * np.sqrt(alpha * (1 - alpha) / runs)
    assert covered < runs


def test_small_samples_have_no_limits():
    for alpha in (0.05, 0.0025):
        n = least_units(alpha)
        assert 2 / comb(2 * n, n) <= alpha < 2 / comb(2 * n - 2, n - 1)
        apart = np.arange(1.0, n + 1), np.arange(101.0, n + 101)
        assert factor_limits(*apart, alpha).word == "smaller"
        few = factor_limits(apart[0][1:], apart[1][1:], alpha)
        assert (few.low, few.high) == (0.0, np.inf)
        assert few.word == "undecided"
