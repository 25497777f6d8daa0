"""Dependence: values against entries of all types."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PathCollection


def points(ax):
    """Points of entries, and those of missing ones."""
    present, missing = (part for part in ax.collections if isinstance(part, PathCollection))
    return [np.asarray(part.get_offsets()) for part in (present, missing)]


def test_numbers_are_where_they_are(made):
    data = pd.DataFrame({"x": [5.0, 1.0, 3.0], "y": [0, 0, 0]})
    table = made([[1.0, 0.0], [-2.0, 0.0], [3.0, 0.0]], data, errors=0.5, unit="euro")
    ax = table.plot.dependence("x")
    present, missing = points(ax)
    np.testing.assert_allclose(present, [[5, 1], [1, -2], [3, 3]])
    assert len(missing) == 0
    (bars,) = ax.containers[0].lines[2]
    half = table.half_widths()[:, 0]
    low, high = np.transpose([ends[:, 1] for ends in bars.get_segments()])
    np.testing.assert_allclose(low, table.values[:, 0] - half)
    np.testing.assert_allclose(high, table.values[:, 0] + half)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "Shapley value of x (euro)")


def test_exact_values_have_no_error_bars(made):
    assert not made([[1.0], [2.0]]).plot.dependence("x0").containers


def test_missing_numbers_are_open_at_the_left_edge(mixed, texts):
    ax = mixed.plot.dependence("age")
    present, missing = points(ax)
    np.testing.assert_allclose(missing[:, 1], mixed.values[:1, 0])
    assert missing[0, 0] < present[:, 0].min()
    labels = texts(ax.xaxis)
    assert labels[0] == "missing"
    assert len(labels) > 3
    assert all(20.5 <= float(label) <= 70.5 for label in labels[1:])
    *_, open_ = (part for part in ax.collections if isinstance(part, PathCollection))
    np.testing.assert_array_equal(open_.get_facecolor()[0], [1, 1, 1, 1])


def test_dates_have_an_axis_of_dates(mixed, texts):
    ax = mixed.plot.dependence("since")
    labels = texts(ax.xaxis)
    assert labels[0] == "missing"
    assert all(label.startswith("20") for label in labels[1:])
    assert len(points(ax)[0]) == 11


@pytest.mark.parametrize(
    ("feature", "labels"),
    [
        ("city", ["missing", "Bonn", "Rome"]),
        ("grade", ["low", "high"]),
        ("member", ["False", "True"]),
        ("note", ["text 0", "text 1", "text 2"]),
    ],
)
def test_categories_have_places(mixed, texts, feature, labels):
    ax = mixed.plot.dependence(feature)
    assert texts(ax.xaxis) == labels
    present, missing = points(ax)
    places = np.rint(np.concatenate([present, missing])[:, 0])
    first = -1 if labels[0] == "missing" else 0
    assert set(places) == set(range(first, first + len(labels)))
    assert len(places) == 12
    values = mixed.values[:, mixed.feature_names.index(feature)]
    np.testing.assert_allclose(np.sort(np.concatenate([present, missing])[:, 1]), np.sort(values))


def test_points_of_a_category_are_beside_each_other(made):
    data = pd.DataFrame({"x": ["a"] * 9})
    present, _ = points(made(np.ones((9, 1)), data).plot.dependence("x"))
    assert len(np.unique(present[:, 0])) == 9
    assert np.abs(present[:, 0]).max() < 0.5


def test_groups_are_drawn_as_combinations(mixed, texts):
    ax = mixed.plot.dependence("place")
    assert texts(ax.xaxis)[1] == "0.143, 0.333"
    assert len(points(ax)[0]) == 12


def test_entries_that_are_all_missing_have_no_other_tick(made, texts):
    ax = made(np.ones((3, 1)), pd.DataFrame({"x": [np.nan] * 3})).plot.dependence("x")
    assert texts(ax.xaxis) == ["missing"]
    assert len(points(ax)[1]) == 3


def test_the_axes_given_are_used_and_returned(made):
    _, ax = plt.subplots()
    both = made(np.ones((3, 2, 2)) * [1.0, 2.0], outputs=("u", "v"))
    assert both.plot.dependence("x1", output="v", ax=ax) is ax
    assert len(plt.get_fignums()) == 1
    assert set(points(ax)[0][:, 1]) == {2.0}
