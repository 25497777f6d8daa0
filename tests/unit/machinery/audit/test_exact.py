"""Numbers of a summary in words."""

from fractions import Fraction

import pytest

from shapaudit_audit.audit.numbers_in_words import show, show_power


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (float("inf"), "infinity"),
        (0.000647, "0.000647"),
        (-12.345, "-12.3"),
        (999.96, "1,000"),
        (16_400.0, "16,400"),
        (999_999.9, "1 million"),
        (-3.2e7, "-32 million"),
        (1.717e12, "1.72 trillion"),
        (1e15, "1e+15"),
        (9.93e-23, "9.93e-23"),
        (123_456, "123456"),
        (Fraction(5, 2), "5/2"),
    ],
)
def test_numbers_are_plain(value, text):
    assert show(value) == text


@pytest.mark.parametrize(
    ("exponent", "text"), [(15.7, "5e15"), (-409.5, "3.2e-410"), (3.0, "1e3"), (-0.001, "1e0")]
)
def test_powers_beyond_all_floats_are_shown(exponent, text):
    assert show_power(exponent) == text
