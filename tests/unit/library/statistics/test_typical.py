"""Limits of the ratio of errors on a typical unit: exact, whatever the law of the errors."""

import numpy as np
import pandas as pd
import pytest

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.simultaneous import Group
from shapaudit.statistics.typical import joint_ratios, typical_limits, typical_ratio

CONTRAST = [[1, -1]]


def test_the_estimate_is_the_median_ratio_and_the_limits_are_ratios_of_units():
    units = np.column_stack([np.arange(1.0, 13.0), np.ones(12)])
    ((ratio,),) = typical_limits([Group(units, CONTRAST)], 2 * 79 / 4096)
    # For one side 2 * 79 / 4096 = 158 / 4096 is still below P(Bin < 4) = 299 / 4096.
    assert ratio == pytest.approx((6.5, 3.0, 10.0, 10.0))
    ((alone,),) = typical_limits([Group(units, CONTRAST)], 299 / 4096)
    assert alone.high_alone == pytest.approx(9.0)


def test_all_ratios_of_all_groups_share_the_level():
    units = np.random.default_rng(0).lognormal(size=(40, 3))
    contrasts = [[1, -1, 0], [0, 1, -1], [2, -1, -1]]
    first, second = typical_limits([Group(units, contrasts)] * 2, 0.06)
    assert first == second
    ((alone,),) = typical_limits([Group(units, contrasts[:1])], 0.01)
    assert (first[0].low, first[0].high) == (alone.low, alone.high)
    assert first[0].high_alone < alone.high_alone


def test_errors_of_nought_are_equal_and_do_not_break_a_ratio():
    units = np.ones((12, 2))
    units[:3] = 0.0
    units[3, 1] = 0.0
    ((ratio,),) = typical_limits([Group(units, CONTRAST)], 0.05)
    assert ratio.estimate == ratio.low == ratio.high == 1.0
    with pytest.raises(ValueError, match="not negative"):
        typical_limits([Group(-units - 1, CONTRAST)], 0.05)


def test_too_few_units_have_no_limits():
    units = np.random.default_rng(0).lognormal(size=(10, 2))
    ((ratio,),) = typical_limits([Group(units, CONTRAST)], 0.001)
    assert (ratio.low, ratio.high) == (0.0, UNBOUNDED)
    assert ratio.word == "undecided"
    with pytest.raises(ValueError, match="9 units; limits need at least 10"):
        typical_limits([Group(units[:9], CONTRAST)], 0.05)
    few = typical_ratio(units[:9], 0.05)
    assert few.estimate == pytest.approx(np.median(units[:9, 0] / units[:9, 1]))
    assert np.isnan(few[1:]).all()


def test_one_ratio_is_that_of_frames():
    units = np.random.default_rng(1).lognormal(size=(25, 2))
    frame = pd.DataFrame(units, columns=["a", "b"])
    assert joint_ratios({"x": frame}, [("a", "b")], 0.05)["x"] == [typical_ratio(units, 0.05)]
