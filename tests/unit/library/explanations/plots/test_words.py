"""How names, entries and numbers are written."""

import datetime

import numpy as np
import pandas as pd
import pytest

from shapaudit.explanations.plots import words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (4.0, "4.00"),
        (-0.2, "−0.200"),
        (134.6, "135"),
        (1234.6, "1235"),
        (999_999.4, "999999"),
        (1.5e6, "1.50e+06"),
        (1.234e-5, "1.23e−05"),
        (0.0, "0"),
    ],
)
def test_numbers_have_three_digits(value, text):
    assert words.number(value) == text


@pytest.mark.parametrize(("value", "text"), [(1.0, "+1.00"), (-1.0, "−1.00"), (0.0, "0")])
def test_signs_are_written(value, text):
    assert words.signed(value) == text


@pytest.mark.parametrize(
    ("value", "half", "text"),
    [
        (35.84, 2.44, "+35.8 ± 2.4"),
        (-3.79, 9.42, "−3.8 ± 9.4"),
        (0.61, 0.00392, "+0.610 ± 0.0039"),
        (1.03, 12.3, "+1 ± 12"),
        (0.0, 0.789, "0.00 ± 0.79"),
        (2.0, 0.0, "+2.00"),
        (-2e6, 1e5, "−2.00e+06 ± 100000"),
    ],
)
def test_values_have_no_more_places_than_their_errors(value, half, text):
    assert words.with_error(value, half) == text


@pytest.mark.parametrize(
    ("limits", "text"),
    [((1.0, 2.0), "1.50  [1.00, 2.00]"), ((1.5, 1.5), "1.50"), ((np.nan, np.nan), "1.50")],
)
def test_limits_are_written_where_there_are_any(limits, text):
    assert words.with_limits(1.5, *limits) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (2008, "2008"),
        (np.int64(-3), "−3"),
        (2_000_000, "2.00e+06"),
        (0.49224031, "0.492"),
        (-0.5, "−0.500"),
        (np.inf, "inf"),
        (np.nan, "missing"),
        (None, "missing"),
        (pd.NA, "missing"),
        (pd.NaT, "missing"),
        (True, "True"),
        (np.True_, "True"),
        ("no, but\n  perhaps", "no, but perhaps"),
        ("Castrop-Rauxel am Kanal", "Castrop-…m Kanal"),
        (pd.Timestamp("2020-02-03"), "2020-02-03"),
        (np.datetime64("2020-02-03T04:05"), "2020-02-03 04:05:00"),
        (datetime.date(2020, 2, 3), "2020-02-03"),
        (np.timedelta64(4, "D"), "4 days"),
        ((1, 2), "(1, 2)"),
    ],
)
def test_entries_are_short(value, text):
    assert words.entry(value) == text


def test_long_names_keep_both_ends():
    long = "mean radius of the nuclei, worst of three"
    short = words.name(long)
    assert len(short) == words.NAME
    start, end = short.split("…")
    assert long.startswith(start)
    assert long.endswith(end)
    assert words.name("x" * words.NAME) == "x" * words.NAME


def test_units_are_in_brackets():
    assert words.with_unit("value", "euro") == "value (euro)"
    assert words.with_unit("value", "") == "value"
