"""Numbers as LaTeX, read back: no digit is lost that is promised, and none is made up."""

import math
import re

import numpy as np
import pytest

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit_audit.report import latex

VALUES = [
    sign * 10.0**power
    for sign in (1, -1)
    for power in np.random.default_rng(0).uniform(-9, 9, size=150)
]


def read(text):
    """The number that a reader sees."""
    plain = re.sub(r"\\ensuremath\{(.*)\}", r"\1", text.replace(r"\,", ""))
    plain = plain.replace(r"\ensuremath{-}", "-").replace(r"\infty", "inf")
    mantissa, _, power = plain.partition(r"\times10^{")
    return float(mantissa) * 10.0 ** int(power.rstrip("}") or 0)


def significant(text):
    """How many digits are shown, from the first that is not 0."""
    mantissa = text.replace(r"\,", "").partition(r"\times")[0]
    return len(re.sub(r"[^0-9]", "", mantissa).lstrip("0"))


@pytest.mark.parametrize("digits", [2, 3])
def test_numbers_keep_their_significant_digits(digits):
    for value in VALUES:
        text = latex.number(value, digits)
        unit = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits)
        assert abs(read(text) - value) <= 0.500001 * unit, (value, text)
        if abs(value) < 10**digits or "times" in text:
            assert significant(text) == digits, (value, text)
        assert ("times" in text) == (not 0.99e-4 < abs(value) < 0.9995e6), (value, text)


def test_shares_are_percentages():
    for value in (0.5, 0.0123, 1.0):
        text = latex.percent(value)
        assert text.endswith(r"\,\%")
        assert read(text.removesuffix(r"\,\%")) == pytest.approx(100 * value, rel=0.05)
    assert latex.percent(math.nan) == latex.DASH


def test_values_and_limits_share_their_decimals():
    rng = np.random.default_rng(1)
    for value in VALUES:
        if not 0.01 < abs(value) < 4e3:  # beyond, an end may be in the tails or in whole tens
            continue
        low, high = value + abs(value) * np.array([-0.9, 1.0]) * rng.random(2)
        shown, interval = latex.with_limits(value, low, high)
        ends = interval.strip("[]").split(", ")
        decimals = {len(text.partition(".")[2]) for text in (shown, *ends)}
        assert len(decimals) == 1, (value, interval)
        unit = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
        assert abs(read(shown) - value) <= 0.51 * max(unit, 1e-99), (value, shown)
        assert [read(text) for text in ends] == pytest.approx([low, high], abs=0.51 * unit)


def test_the_largest_and_smallest_floats_have_powers():
    assert latex.number(1.797e308) == r"\ensuremath{1.80\times10^{308}}"
    assert latex.number(-1.797e308, 2) == r"\ensuremath{-1.8\times10^{308}}"
    assert latex.number(math.ulp(0.0)) == r"\ensuremath{4.94\times10^{-324}}"


@pytest.mark.parametrize("value", [0.0, 3e-7, -3e-7, 4e9])
def test_values_in_the_tails_have_two_digits_and_powers_in_their_limits(value):
    low, high = value - 2e-8, value + 2.5e9
    shown, interval = latex.with_limits(value, low, high)
    assert shown == latex.number(value, 2)
    assert interval == f"[{latex.number(low, 2)}, {latex.number(high, 2)}]"


def test_ratios_far_from_one_are_bounds():
    least, most = r"\ensuremath{<}\,0.001", r"\ensuremath{>}\,999"
    for value, shown in ((4e-12, least), (1e-3, "0.00100"), (999.0, "999"), (5e30, most)):
        assert latex.ratio(value) == shown
    assert [latex.ratio(value) for value in (0.0, UNBOUNDED, np.nan)] == [
        *("0", r"\ensuremath{\infty}", "--")
    ]
    assert latex.ratio_with_limits(1e-9, 1e-10, 1e-8) == (least, "")
    assert latex.ratio_with_limits(5e30, 1e29, 1e31) == (most, "")
    assert latex.ratio_with_limits(0.2, 1e-9, 3.0) == ("0.200", f"[{least}, 3.00]")
    assert latex.ratio_with_limits(1e9, 2.0, UNBOUNDED) == (most, r"[2.00, \ensuremath{\infty}]")
    assert latex.ratio_with_limits(0.2, 0.0, UNBOUNDED) == ("0.20", r"[0.00, \ensuremath{\infty}]")
    assert latex.ratio_with_limits(1e9, np.nan, np.nan) == (most, "no limits")
    assert latex.ratio_in_line(1e-9, 1e-10, 1e-8) == least
    assert latex.ratio_in_line(2.0, 1.0, 3.0) == "2.00 [1.00, 3.00]"
    assert latex.ratio_cell(1e-9, 1e-10, 1e-8) == rf"\textbf{{{least}}}"


def test_ratios_near_one_have_two_decimals():
    for ratio in (0.1, 0.9999, 2.345, 9.99):
        shown, interval = latex.ratio_with_limits(ratio, ratio / 2, ratio * 2)
        assert shown == f"{ratio:.2f}"
        assert interval == f"[{ratio / 2:.2f}, {ratio * 2:.2f}]"
    for ratio in (0.0999, 10.0, 33.25):
        shown, interval = latex.ratio_with_limits(ratio, ratio / 2, ratio * 2)
        assert (shown, interval) == latex.with_limits(ratio, ratio / 2, ratio * 2)


def test_tables_have_as_many_columns_as_their_last_header_row():
    table = latex.tabular(
        "lrr", [[r"\multicolumn{3}{c}{all}"], ["a", "b", "c"]], [[["1", "2", "3"]]]
    )
    assert table.splitlines() == [
        r"\begin{tabular}{lrr}",
        r"\toprule",
        r"\multicolumn{3}{c}{all} \\",
        r"a & b & c \\",
        r"\midrule",
        r"1 & 2 & 3 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
    groups = latex.tabular("l", [["a"]], [[["1"]], [], [["2"]]]).splitlines()
    assert groups[3:] == [
        r"\midrule",
        r"1 \\",
        r"\midrule",
        r"2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]
