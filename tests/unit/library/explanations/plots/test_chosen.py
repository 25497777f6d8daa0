"""What is shown, and what a message says of what cannot be shown."""

import re

import numpy as np
import pytest

from shapaudit.datasets.mixed import TableError
from shapaudit.explanations.plots.chosen import Shown, labels_with_entries

VALUES = np.arange(12.0).reshape(4, 3)


def test_the_rest_is_summed_up():
    shown = Shown.largest(np.array([1.0, 4.0, 2.0, 3.0]), 3)
    assert shown.labels(["a", "b", "c", "d"]) == ["b", "d", "sum of 2 others"]
    totals = shown.totals(np.array([[1.0, 4.0, 2.0, 3.0], [-1.0, 0.0, 5.0, 0.5]]))
    np.testing.assert_array_equal(totals, [[4, 3, 3], [0, 0.5, 4]])


def test_what_fits_is_not_summed_up():
    shown = Shown.largest(np.array([1.0, 1.0, 2.0]), 3)
    assert shown.labels(["a", "b", "c"]) == ["c", "a", "b"]
    np.testing.assert_array_equal(shown.totals(np.array([1.0, 2.0, 3.0])), [3, 1, 2])
    assert not shown.summed


def test_features_have_their_entries(made, mixed):
    assert labels_with_entries(mixed[1]) == [
        "age = 20.5",
        "city = Rome",
        "grade = high",
        "since = 2020-01-01",
        "member = False",
        "note = text 1",
        "cost in $ and $ = 100000",
        "place = 0.143, 0.333",
    ]
    assert labels_with_entries(mixed[0])[:4] == [
        "age = missing",
        "city = missing",
        "grade = low",
        "since = missing",
    ]


@pytest.mark.parametrize("figure", ["bar", "beeswarm", "waterfall"])
def test_one_of_several_outputs_must_be_named(made, figure):
    explanation = made(np.stack([VALUES, -VALUES], 2), outputs=("no", "yes"))
    message = f"outputs 'no', 'yes'; choose one: explanation.plot.{figure}(output='no')"
    with pytest.raises(TableError, match=re.escape(message)):
        getattr(explanation.plot, figure)()
    with pytest.raises(TableError, match="did you mean 'yes'"):
        getattr(explanation.plot, figure)(output="yess")


def test_a_waterfall_shows_one_row(made):
    message = re.escape("has 4; choose one: explanation[3].plot.waterfall()")
    with pytest.raises(TableError, match=message):
        made(VALUES).plot.waterfall()
    with pytest.raises(TableError, match=re.escape("explanation[1].plot.waterfall()")):
        made(VALUES[:2]).plot.waterfall()


@pytest.mark.parametrize(("figure", "arguments"), [("beeswarm", ()), ("dependence", ("x0",))])
def test_figures_of_a_table_show_no_row(made, figure, arguments):
    message = re.escape(f"explanation[[3, 4]].plot.{figure}()")
    with pytest.raises(TableError, match=message):
        getattr(made(VALUES)[2].plot, figure)(*arguments)


def test_unknown_features_are_named(made):
    with pytest.raises(TableError, match=r"no feature 'x9': there are 'x0', 'x1', 'x2'"):
        made(VALUES).plot.dependence("x9")


@pytest.mark.parametrize("figure", ["bar", "beeswarm"])
@pytest.mark.parametrize("count", [1, 2.5])
def test_there_are_rows_for_a_feature_and_the_rest(made, figure, count):
    with pytest.raises(TableError, match="max_features must be an integer of at least 2"):
        getattr(made(VALUES).plot, figure)(count)
