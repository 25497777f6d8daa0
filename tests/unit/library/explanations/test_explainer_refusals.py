"""The front door: rows, settings and models that do not do are refused in a sentence."""

import numpy as np
import pandas as pd
import pytest

from explained_models import MIXED, NUMBERS, Asked, rent, smooth
from shapaudit import Explainer
from shapaudit.datasets.mixed import TableError


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            MIXED.drop(columns="city"),
            "rows has other columns than the background: it lacks",
        ),
        (MIXED.rename(columns={"city": "citty"}), "it lacks 'city' and has 'citty' in addition"),
        (MIXED.assign(more=1), "it has 'more' in addition"),
        (MIXED[["size", "city", "old", "floor", "size"]], "rows has 2 columns named 'size'"),
        (MIXED.assign(size="large"), "column 'size' holds .*, in the background float64"),
        (MIXED.assign(city=3), "column 'city' holds int64, in the background"),
        (MIXED[:0], "rows has no rows; give at least one"),
        (MIXED.to_numpy()[:, :3], "has 3 columns, the background has 4"),
        (np.zeros((2, 2, 2)), r"must be a table \(n, p\)"),
        (MIXED.iloc[0].to_dict(), r"got dict; make it one, as pandas.DataFrame\(rows\)"),
        ("rows.csv", "as a DataFrame or an array; got str"),
        (MIXED["size"], "is a Series, which is one row, and none of its labels is a column"),
    ],
)
def test_rows_that_do_not_fit_are_refused_before_the_model_is_asked(rows, message):
    model = Asked(rent)
    explainer = Explainer(model, MIXED[4:])
    asked = len(model.rows)
    with pytest.raises(TableError, match=message):
        explainer(rows)
    assert len(model.rows) == asked == 1


def test_a_category_that_the_background_lacks_is_named():
    table = pd.DataFrame({"a": pd.Categorical(["x", "y"]), "b": [1.0, 2.0]})
    explainer = Explainer(lambda rows: rows["b"].to_numpy(), table)
    with pytest.raises(TableError, match="column 'a' has 'z', which is no category"):
        explainer(pd.DataFrame({"a": pd.Categorical(["z"]), "b": [1.0]}))


@pytest.mark.parametrize("several", [[1, 2], np.ones(2), {"a": 1}, (1, 2)])
def test_a_cell_that_holds_several_entries_is_named(several):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}).astype({"b": object})
    table.at[1, "b"] = several
    kind = type(several).__name__
    with pytest.raises(TableError, match=f"the background: column 'b' has a {kind} in row 1"):
        Explainer(lambda rows: rows["a"].to_numpy(), table)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tolerance": 0.0}, "tolerance must be a positive number"),
        ({"tolerance": float("nan")}, "tolerance must be a positive number"),
        ({"minutes": 0}, "minutes must be a positive number"),
        ({"minutes": float("inf")}, "minutes must be a positive number"),
        ({"evaluations": 5}, "evaluations must be a whole number of at least 20"),
        ({"evaluations": 100.5}, "evaluations must be a whole number"),
        ({"tolerance": "0.1"}, "tolerance must be a number; got '0.1'"),
        ({"minutes": "1"}, "minutes must be a number; got '1'"),
        ({"n_jobs": 0}, "n_jobs must be 1 or more, or -1"),
        ({"n_jobs": "2"}, "n_jobs must be a whole number; got '2'"),
        ({"n_jobs": None}, "n_jobs must be a whole number; got None"),
        ({"keep": True}, "keep must be the path of a folder; got True"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(TableError, match=message):
        Explainer(smooth, NUMBERS[10:])(NUMBERS[:2], **settings)


@pytest.mark.parametrize(
    ("model", "settings", "message"),
    [
        (lambda rows: np.full(len(rows), np.nan), {}, "the model gives nan"),
        (lambda rows: rows["city"], {}, "outputs of type"),
        (lambda rows: np.zeros(3), {}, r"shape \(3,\) for 1 rows"),
        (lambda rows: 1 / 0, {}, "the model fails on 1 rows"),
        (7, {}, "is no model"),
        (rent, {"output": "rent"}, "no output 'rent'"),
        (rent, {"removal": "gausian"}, "gaussian"),
        (rent, {"groups": {"place": ["citty"]}}, "'citty', which the table lacks"),
        (rent, {"groups": {"place": "city"}}, r"'place' must be a list; got 'city', perhaps"),
        (rent, {"groups": {"place": []}}, "the group 'place' has no columns"),
        (rent, {"groups": ["city", "old"]}, "groups must be a dictionary of names and lists"),
        (rent, {"removal": None}, "removal must be the id of a removal"),
        (rent, {"seed": -1}, "seed must be an integer of at least 0"),
        (rent, {"seed": "one"}, "seed must be an integer of at least 0"),
        (rent, {"output": 1.5}, "no output 1.5"),
        (rent, {"background_rows": 0}, "background_rows must be at least 1"),
        (rent, {"background_rows": 2.5}, "background_rows must be a whole number; got 2.5"),
        (lambda rows: np.zeros((len(rows), 30)), {}, "gives 30 outputs for each row; choose"),
    ],
)
def test_models_and_settings_that_do_not_do_are_refused_at_once(model, settings, message):
    with pytest.raises(TableError, match=message):
        Explainer(model, MIXED, **settings)


def test_an_empty_background_and_names_given_twice_are_refused():
    with pytest.raises(TableError, match="the background has no rows"):
        Explainer(rent, MIXED[:0])
    with pytest.raises(TableError, match="2 names for 9 columns"):
        Explainer(smooth, NUMBERS.to_numpy(), names=["a", "b"])
    with pytest.raises(TableError, match="the background has 9 columns named 'a'"):
        Explainer(smooth, NUMBERS.to_numpy(), names=["a"] * 9)


def test_a_random_model_and_one_that_looks_at_other_rows_are_refused():
    rng = np.random.default_rng(1)
    with pytest.raises(TableError, match="gives different numbers for the same rows"):
        Explainer(lambda rows: rng.random(len(rows)), NUMBERS)(NUMBERS[:3])
    centred = Explainer(lambda rows: np.asarray(rows)[:, 0] - np.mean(rows.iloc[:, 0]), NUMBERS)
    with pytest.raises(TableError, match="gives different numbers for the same rows"):
        centred(NUMBERS[:3])
