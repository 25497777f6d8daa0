"""Words, formulas and numbers of the site."""

import pytest

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit_audit.report.overview import with_limits
from shapaudit_audit.report.site.text import limits, mathematics, number, ratio


def test_ratios_far_from_one_are_no_numbers():
    """Nearly exact estimates err by rounding errors."""
    values = (4e-11, 9.99e-4, 1e-3, 1.0, 999.0, 1e3, 2.4e10)
    shown = ["< 0.001", "< 0.001", "0.00100", "1", "999", "> 999", "> 999"]
    assert [ratio(value) for value in values] == shown
    assert limits(4e-11, 0.148) == "< 0.001 to 0.148"
    assert limits(4e-11, 1e-8) == "< 0.001"
    assert limits(2e5, UNBOUNDED) == limits(2e5, 3e5) == "> 999"


def test_a_record_has_no_ratio_of_rounding_errors():
    shown = [
        with_limits({"ratio": ratio, "low": low, "high": high})
        for ratio, low, high in (
            (4e-11, 1e-11, 0.02),
            (4e-11, 1e-11, 1e-4),
            (5e4, 2e3, 1e5),
            (2e3, 1.0, 1e5),
            (4e-11, None, None),
            (0.5, 0.4, 2e6),
            (0.5, 0.4, 0.61),
        )
    ]
    assert shown == [
        "< 0.001 (< 0.001 to 0.0200)",
        "< 0.001",
        "> 999",
        "> 999 (1.00 to > 999)",
        "< 0.001 (no limits)",
        "0.500 (no upper limit)",
        "0.500 (0.400 to 0.610)",
    ]


def test_limits_say_what_has_no_bound():
    nan = float("nan")
    assert [limits(0.5, 2.0), limits(0.5, UNBOUNDED)] == ["0.500 to 2", "0.500 or more"]
    assert [limits(None, None), limits(nan, nan), limits(0.0, UNBOUNDED)] == ["no limits"] * 3


def test_formulas_become_mathematics_and_the_rest_is_escaped():
    text = mathematics(r"if $a<\frac{1}{2}$ & <b>")
    assert "<mfrac>" in text
    assert text.endswith("&amp; &lt;b&gt;")
    assert "$" not in text
    assert mathematics("below 1e-06 & 9.93e+23") == "below 10⁻⁶ &amp; 9.93 × 10²³"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567, "1,234,567"),
        (0.123456, "0.123"),
        (12.0, "12"),
        (123.4, "123"),
        (5.6e-7, "5.60 × 10⁻⁷"),
        (1e15 - 1, "999,999,999,999,999"),
        (1e15, "1.00 × 10¹⁵"),
        (10**15, "1,000,000,000,000,000"),
        (float("nan"), "–"),
        (None, "–"),
        ("1/3", "1/3"),
    ],
)
def test_numbers_have_few_digits(value, shown):
    assert number(value) == shown
