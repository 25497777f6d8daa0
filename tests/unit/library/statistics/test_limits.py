"""Confidence limits of one mean, proportion or other statistic."""

import numpy as np
import pytest
from scipy import stats

from shapaudit.statistics.limits import (
    RESAMPLES,
    UNBOUNDED,
    Limit,
    bootstrap,
    bootstrap_limits,
    bounded_mean,
    clopper_pearson,
    limit_rank,
    median_with_limits,
    skewed_mean_limits,
    trials_needed,
)


@pytest.mark.parametrize(
    "parts",
    [
        (0.5, 0.6, 0.4, 0.95),
        (np.nan, 0.4, 0.6, 0.95),
        (0.5, -np.inf, 0.6, 0.95),
        (0.5, 0.4, np.inf, 0.95),
        (0.5, 0.4, 0.6, 0.0),
        (0.5, 0.4, 0.6, 1.0),
    ],
)
def test_a_limit_is_a_finite_interval_at_a_level(parts):
    with pytest.raises(ValueError, match="'x': need finite low <= high and 0 < level < 1"):
        Limit("x", *parts)


def test_limits_cover_the_mean_of_skewed_units_about_as_often_as_they_say():
    rng = np.random.default_rng(3)
    units = rng.exponential(size=(300, 40))
    low, high = bootstrap_limits(units, np.mean, 0.95)
    assert 0.90 <= np.mean((low <= 1) & (high >= 1)) <= 0.98


def test_rounding_decides_no_limits_of_few_units():
    """A resample in another order has the mean of the units, but for its last digit."""
    units = np.random.default_rng(3).lognormal(size=(40, 5))
    noise = 1.0 + 1e-15 * np.random.default_rng(4).standard_normal(units.shape)
    for limit, other in zip(
        bootstrap_limits(units, np.mean, 0.95),
        bootstrap_limits(units * noise, np.mean, 0.95),
        strict=True,
    ):
        np.testing.assert_allclose(limit, other, rtol=1e-11)


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
    interval = bootstrap("mean", units[0], 0.1)
    alone = bootstrap_limits(units[0], np.mean, 0.9)
    assert (interval.low, interval.high) == alone
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


@pytest.mark.parametrize(("count", "trials"), [(0, 10), (3, 10), (10, 10), (1, 1000)])
def test_clopper_pearson_is_the_exact_interval(count, trials):
    limit = clopper_pearson("p", count, trials, 0.05)
    expected = stats.binomtest(count, trials).proportion_ci(0.95, "exact")
    assert (limit.low, limit.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_clopper_pearson_covers_at_its_level():
    rng, p, trials = np.random.default_rng(0), 0.03, 60
    limits = {k: clopper_pearson("p", k, trials, 0.1) for k in range(trials + 1)}
    covered = [limits[k].low <= p <= limits[k].high for k in rng.binomial(trials, p, size=2000)]
    assert np.mean(covered) > 0.9 - 3 * (0.09 / 2000) ** 0.5


def test_trials_needed_is_the_first_that_suffices():
    needed = trials_needed(0.01, 0.05)
    assert clopper_pearson("p", 0, needed, 0.05).high <= 0.01
    assert clopper_pearson("p", 0, needed - 1, 0.05).high > 0.01


def test_bootstrap_covers_the_mean():
    rng = np.random.default_rng(1)
    samples = rng.exponential(size=(100, 200))
    limits = [bootstrap("mean", sample, 0.1) for sample in samples]
    covered = np.mean([limit.low <= 1 <= limit.high for limit in limits])
    assert covered > 0.9 - 3 * 0.03 - 0.03  # a few per cent short of nominal at n = 200
    assert covered < 1.0


def test_limits_of_identical_units_and_of_medians():
    same = bootstrap("mean", np.ones(12), 0.1)
    assert (same.low, same.estimate, same.high) == (1, 1, 1)
    units = np.arange(101.0)
    limit = median_with_limits("median", units, 0.05)
    assert limit.low < limit.estimate == 50 < limit.high


@pytest.mark.parametrize(("count", "trials"), [(11, 10), (-1, 10), (0, 0)])
def test_what_is_no_proportion_is_refused(count, trials):
    with pytest.raises(ValueError, match=f"p: {count} successes in {trials} trials"):
        clopper_pearson("p", count, trials, 0.1)


def test_one_trial_has_limits():
    limit = clopper_pearson("p", 1, 1, 0.1)
    assert (limit.low, limit.high, limit.level) == (pytest.approx(0.05), 1.0, 0.9)


def test_limits_of_a_bounded_mean_are_those_of_the_theorem():
    units = np.tile([4.0, 5.0], 50)  # of variance 25/99; ln(4/alpha) is 3
    limit = bounded_mean("x", units, 10.0, 4 * np.exp(-3.0))
    width = np.sqrt(2 * 25 / 99 * 3 / 100) + 7 * 10 * 3 / (3 * 99)
    assert (limit.low, limit.high) == pytest.approx((4.5 - width, 4.5 + width))
    assert limit.level == pytest.approx(1 - 4 * np.exp(-3.0))
    wide = bounded_mean("x", units, 5.2, 1e-15)
    assert (wide.low, wide.high) == (0.0, 5.2)


@pytest.mark.parametrize(("statistic", "method"), [(np.mean, "BCa"), (np.median, "percentile")])
def test_limits_by_the_bootstrap_have_their_level_and_as_many_resamples(statistic, method):
    units = np.random.default_rng(8).exponential(size=25)
    plain = stats.bootstrap(
        (units,),
        statistic,
        confidence_level=0.9,
        n_resamples=RESAMPLES,
        method=method,
        rng=np.random.default_rng(0),
    ).confidence_interval
    interval = bootstrap("x", units, 0.1, statistic, method)
    assert (interval.low, interval.high) == pytest.approx((plain.low, plain.high))
    assert (interval.estimate, interval.level) == (statistic(units), pytest.approx(0.9))
    assert bootstrap_limits(units, statistic, 0.9, method, 99) != (plain.low, plain.high)


def test_limits_of_skewed_units_are_those_of_hall():
    """Their ends are where the transformed studentised mean is a quantile of Student's law."""
    units = np.random.default_rng(2).gamma(0.5, size=(30, 1))
    low, high = skewed_mean_limits(units, 0.1)
    m, s, n = units.mean(), units.std(ddof=1), 30
    skewness = ((units - m) ** 3).mean() / s**3

    def transformed(mean):
        t = (m - mean) / s  # Hall 1992, g_1(T) = T + a T^2/3 + a^2 T^3/27 + a/(6 n)
        return t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / (6 * n)

    quantile = stats.t.isf(0.05, n - 1) / np.sqrt(n)
    assert (transformed(low[0]), transformed(high[0])) == pytest.approx((quantile, -quantile))
