"""Limits of many ratios of means that hold together."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.statistics import simultaneous
from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.simultaneous import (
    LEAST_SHARE,
    Group,
    Ratio,
    contrasts_of,
    effective_share,
    ratio_limits,
    ratio_of_means,
    units_to_decide,
    verdict,
)

ALPHA = 0.05


def test_simultaneous_limits_hold_together_at_their_level():
    rng = np.random.default_rng(0)
    exponents = np.hstack([np.eye(4), -np.eye(4)])
    missed, runs = 0, 150
    for k in range(runs):
        hard = rng.exponential(size=(25, 1))
        groups = [Group(hard * np.exp(0.3 * rng.normal(size=(25, 8))), exponents)] * 1
        limits = ratio_limits(groups, 0.1, seed=k)[0]
        missed += not all(ratio.low <= 1 <= ratio.high for ratio in limits)
    assert missed / runs < 0.1 + 3 * (0.09 / runs) ** 0.5


def test_limits_of_a_constant_ratio_coincide_and_few_units_are_refused():
    units = np.random.default_rng(0).uniform(0.5, 1.5, size=(12, 1)) * [1.0, 2.0]
    (ratio,) = ratio_limits([Group(units, [[1, -1]])], ALPHA)[0]
    assert ratio == pytest.approx((0.5, 0.5, 0.5, 0.5))
    assert ratio.word == "smaller"
    with pytest.raises(ValueError, match="9 units; limits need at least 10"):
        ratio_limits([Group(units[:9], [[1, -1]])], ALPHA)
    with pytest.raises(ValueError, match="positive means"):
        ratio_limits([Group(0 * units, [[1, -1]])], ALPHA)


def test_a_mean_that_few_units_make_has_no_limits():
    rng = np.random.default_rng(0)
    units = np.exp(rng.normal(size=(40, 2)) * [2.5, 0.3])
    assert effective_share(units)[0] < LEAST_SHARE < effective_share(units)[1]
    ((heavy,),) = ratio_limits([Group(units, [[1, -1]])], ALPHA)
    assert heavy[1:] == (0.0, UNBOUNDED, UNBOUNDED)
    ((anyhow,),) = ratio_limits([Group(units, [[1, -1]])], ALPHA, least_share=0.0)
    assert 0 < anyhow.low < anyhow.high < UNBOUNDED
    # Only ratios with that mean are without limits.
    ((light,),) = ratio_limits([Group(units, [[0, 1]])], ALPHA)
    assert light.low > 0


def test_own_limit_is_inside_the_limits_of_all():
    units = np.random.default_rng(0).gamma(4, size=(30, 6))
    limits = ratio_limits([Group(units, np.hstack([np.eye(5), -np.ones((5, 1))]))], ALPHA)[0]
    assert all(r.low < r.estimate < r.high_alone < r.high for r in limits)


def test_limits_do_not_depend_on_the_unit_and_ties_cost_only_their_own_ratio():
    rng = np.random.default_rng(1)
    ordinary = Group(np.exp(0.3 * rng.normal(size=(30, 2))) * [1, 2], [[1, -1]])
    tied = np.ones((12, 2))
    tied[0, 0] = 1.5  # a resample without the first unit sees no spread
    (alone,) = ratio_limits([ordinary], ALPHA)[0]
    for unit in (1.0, 0.1):
        (first,), (second,) = ratio_limits([ordinary, Group(unit * tied, [[1, -1]])], ALPHA)
        assert first == alone
        assert (second.low, second.high, second.word) == (0.0, UNBOUNDED, "undecided")


def test_words_are_those_of_the_limits():
    assert [verdict(*limits) for limits in ((0.5, 0.9), (1.1, 2.0), (0.9, 1.1), (1.0, 1.0))] == [
        "smaller",
        "larger",
        "undecided",
        "undecided",
    ]


def test_a_reciprocal_exchanges_the_limits():
    ratio = Ratio(0.5, 0.4, 0.8, 0.625)
    assert ratio.inverted() == (2.0, 1.25, 2.5, 1.6)
    assert (ratio.word, ratio.inverted().word) == ("smaller", "larger")
    assert Ratio(2.0, 0.0, UNBOUNDED, 5.0).inverted() == (0.5, 0.0, UNBOUNDED, 0.2)
    assert ratio.row() == {"ratio": 0.5, "low": 0.4, "high": 0.8, "high_alone": 0.625}


def test_one_ratio_is_that_of_its_group_and_few_units_have_no_limits():
    units = np.random.default_rng(2).exponential(size=(20, 2))
    ((alone,),) = ratio_limits([Group(units, [[1, -1]])], ALPHA, resamples=99)
    assert ratio_of_means(units, ALPHA, 99) == alone
    few = ratio_of_means(units[:9], ALPHA)
    assert few.estimate == pytest.approx(np.divide(*units[:9].mean(axis=0)))
    assert np.isnan(few[1:]).all()
    assert few.word == "undecided"


def test_units_to_decide_bring_the_limit_to_one():
    ratio, units = 0.8, 30
    needed = units_to_decide(ratio, 1.1, units)
    assert needed > units
    assert ratio * (1.1 / ratio) ** (units / needed) ** 0.5 == pytest.approx(1.0)


def error_of_logarithm(units, exponents):
    """Logarithm of a product of the columns' means and its standard error (delta method)."""
    means = units.mean(axis=0)
    influence = (units / means) @ exponents
    return exponents @ np.log(means), influence.std(ddof=1) / len(units) ** 0.5


def test_limits_are_quantiles_of_resamples_studentised_one_by_one():
    rng, resamples, n = np.random.default_rng(5), 200, 14
    units = np.exp(rng.normal(size=(n, 3)) * [0.2, 0.6, 0.4])
    contrasts = np.array([[1.0, -1.0, 0.0], [1.0, -2.0, 1.0]])
    (ratios,) = ratio_limits([Group(units, contrasts)], 0.1, seed=3, resamples=resamples)

    counts = np.random.default_rng(3).multinomial(n, np.full(n, 1 / n), size=resamples)
    deviations = np.empty((resamples, 2))
    for place in np.ndindex(deviations.shape):
        again = np.repeat(units, counts[place[0]], axis=0)
        whole, _ = error_of_logarithm(units, contrasts[place[1]])
        part, error = error_of_logarithm(again, contrasts[place[1]])
        deviations[place] = abs(part - whole) / error
    together = np.quantile(deviations.max(axis=1), 0.9, method="higher")
    for k, ratio in enumerate(ratios):
        value, error = error_of_logarithm(units, contrasts[k])
        alone = np.quantile(deviations[:, k], 0.9, method="higher")
        assert np.log(ratio) == pytest.approx(
            [value, value - together * error, value + together * error, value + alone * error]
        )


def test_contrasts_are_ratios_of_the_columns_that_they_name():
    drawn = np.random.default_rng(1).uniform(0.5, 1.5, size=(12, 3))
    frame = pd.DataFrame(drawn, columns=list("abc"))
    contrasts = [("a", "b"), ("c", "a")]
    (ratios,) = ratio_limits([contrasts_of(frame, contrasts)], ALPHA)
    for (a, b), ratio in zip(contrasts, ratios, strict=True):
        assert ratio.estimate == pytest.approx(frame[a].mean() / frame[b].mean())
        assert ratio.low < ratio.estimate < ratio.high


def test_ten_units_have_limits():
    units = np.random.default_rng(2).uniform(0.5, 1.5, size=(10, 2))
    ratio = ratio_of_means(units, ALPHA, 199)
    assert 0 < ratio.low < ratio.high < 9


def test_a_constant_ratio_has_no_width_beside_others():
    units = np.random.default_rng(4).exponential(size=(15, 2))
    units = np.column_stack([units, 2 * units[:, 0]])
    constant, other = ratio_limits([Group(units, [[1, 0, -1], [1, -1, 0]])], ALPHA)[0]
    assert constant == pytest.approx((0.5, 0.5, 0.5, 0.5))
    assert other.low < other.estimate < other.high


@pytest.mark.parametrize(("empty", "known"), [(2, True), (3, False)])
def test_a_ratio_is_known_while_few_enough_resamples_say_nothing_of_it(monkeypatch, empty, known):
    deviations = np.linspace(0.1, 2.0, 40)[:, None]
    deviations[:empty] = np.inf
    monkeypatch.setattr(simultaneous, "_deviations", lambda *_: deviations)
    units = np.random.default_rng(0).uniform(0.5, 1.5, size=(12, 2))
    # Half of alpha, 2 of 40 resamples, is what one ratio may lose.
    ((ratio,),) = ratio_limits([Group(units, [[1, -1]])], 0.1, resamples=40)
    assert (ratio.high < UNBOUNDED) == known
