"""Entries of all types as places and as ranks."""

import datetime

import numpy as np
import pandas as pd
import pytest

from shapaudit.explanations.plots.entries import MOST_CATEGORIES, MOST_SCORES, Entries


def entries(made, column):
    data = pd.DataFrame({"x": column})
    return Entries.of(made(np.zeros((len(data), 1)), data), 0)


@pytest.mark.parametrize(
    "column",
    [
        [3.5, np.nan, 1.0],
        pd.array([3.5, None, 1.0], dtype="Float64"),
        pd.Series([3.5, None, 1.0], dtype=object),
        [3.5, np.inf, 1.0],
    ],
)
def test_numbers_are_their_places(made, column):
    encoded = entries(made, column)
    np.testing.assert_array_equal(encoded.places, [3.5, np.nan, 1.0])
    np.testing.assert_array_equal(encoded.ranks, [1.0, np.nan, 0.0])
    assert not encoded.categories


@pytest.mark.parametrize(
    "column",
    [
        pd.to_datetime(["1970-01-03", None, "1970-01-02"]),
        pd.to_datetime(["1970-01-03", None, "1970-01-02"]).tz_localize("Europe/Berlin"),
        pd.Series([datetime.date(1970, 1, 3), None, datetime.date(1970, 1, 2)], dtype=object),
    ],
)
def test_dates_are_days(made, column):
    encoded = entries(made, column)
    np.testing.assert_array_equal(encoded.places, [2.0, np.nan, 1.0])
    np.testing.assert_array_equal(encoded.ranks, [1.0, np.nan, 0.0])
    assert encoded.dates


@pytest.mark.parametrize(
    ("column", "categories", "places", "ranks"),
    [
        ([True, False, True], ("False", "True"), [1, 0, 1], [1, 0, 1]),
        (
            pd.array([True, None, False], "boolean"),
            ("False", "True"),
            [1, np.nan, 0],
            [1, np.nan, 0],
        ),
        (["b", None, "a"], ("a", "b"), [1, np.nan, 0], [np.nan] * 3),
        (
            pd.Categorical(["b", "a", "b"], ["c", "b", "a"], ordered=True),
            ("b", "a"),
            [0, 1, 0],
            [0, 1, 0],
        ),
        (pd.Categorical(["b", "a", "b"], ["b", "a"]), ("b", "a"), [0, 1, 0], [np.nan] * 3),
    ],
)
def test_all_others_are_categories(made, column, categories, places, ranks):
    encoded = entries(made, column)
    assert encoded.categories == categories
    np.testing.assert_array_equal(encoded.places, places)
    np.testing.assert_array_equal(encoded.ranks, ranks)


def test_groups_are_combinations_of_entries(made):
    data = pd.DataFrame({"a": [0.1234, 2, 0.1234], "b": ["u", "v", "u"]})
    encoded = Entries.of(made(np.zeros((3, 1)), data, groups={"g": ("a", "b")}, names=["g"]), 0)
    assert encoded.categories == ("0.123, u", "2, v")
    np.testing.assert_array_equal(encoded.places, [0, 1, 0])
    assert np.isnan(encoded.ranks).all()


def test_equal_entries_are_in_the_middle_of_the_ranks(made):
    np.testing.assert_array_equal(entries(made, [7.0, 7.0]).ranks, [0.5, 0.5])


def test_the_most_frequent_categories_are_kept(made):
    names = [chr(ord("a") + k) for k in range(MOST_CATEGORIES + 1)]
    encoded = entries(made, names + names[3:]).few()
    assert encoded.categories == ("a", *names[3:], "2 others")
    np.testing.assert_array_equal(encoded.places[:4], [0, 11, 11, 1])
    same = entries(made, names[1:])
    assert same.few() is same


@pytest.mark.parametrize(
    ("column", "categories"),
    [
        ([2.0, 1.0, 2.0, np.nan, 1.0], ("1", "2")),
        ([2.0, 1.0, 2.0], ()),  # too few rows to say that they repeat
        ([*range(MOST_SCORES + 1)] * 3, ()),
        (pd.to_datetime(["2020-01-01"] * 4), ()),
    ],
)
def test_numbers_that_are_few_are_categories(made, column, categories):
    encoded = entries(made, column).few()
    assert encoded.categories == categories
    if categories:
        np.testing.assert_array_equal(encoded.places, [1, 0, 1, np.nan, 0])
