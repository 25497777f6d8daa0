"""Models of all kinds as functions of a table: outputs that are chosen, and words of errors."""

from types import SimpleNamespace

import lightgbm
import numpy as np
import pandas
import pytest
from sklearn.ensemble import IsolationForest

from shapaudit.datasets.mixed import TableError
from shapaudit.models.predictors import Predictor, function_in, predictor_of

TABLE = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.5, 0.25, 0.0]})
TWO = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]])
THREE = np.arange(9.0).reshape(3, 3)


def classifier(outputs, classes, method="predict_proba"):
    return SimpleNamespace(**{method: lambda table: outputs}, classes_=classes)


@pytest.mark.parametrize(
    ("model", "chosen", "expected", "names", "scale"),
    [
        (lambda table: table["a"], None, [[1], [2], [3]], ("0",), ""),
        (lambda table: THREE, None, THREE, ("0", "1", "2"), ""),
        (lambda table: THREE, [], THREE, ("0", "1", "2"), ""),
        (lambda table: THREE, 2, THREE[:, [2]], ("2",), ""),
        (lambda table: THREE, [2, "0"], THREE[:, [2, 0]], ("2", "0"), ""),
        (lambda table: table, "b", TABLE[["b"]], ("b",), ""),
        (lambda table: table, None, TABLE, ("a", "b"), ""),
        (classifier(TWO, ["no", "yes"]), None, TWO[:, [1]], ("yes",), "probability"),
        (classifier(TWO, ["no", "yes"]), "no", TWO[:, [0]], ("no",), "probability"),
        (classifier(TWO, ["no", "yes"]), 0, TWO[:, [0]], ("no",), "probability"),
        (classifier(THREE, [7, 8, 9]), None, THREE, ("7", "8", "9"), "probability"),
        (classifier(THREE, [7, 8, 9]), 8, THREE[:, [1]], ("8",), "probability"),
        (classifier(TWO[:, 0], [0, 1], "decision_function"), None, TWO[:, :1], ("1",), ""),
        (classifier(TWO[:, 0], [0, 1], "decision_function"), 0, -TWO[:, :1], ("0",), ""),
        (classifier([TWO, THREE], [[0, 1], [0, 1, 2]]), "1: 2", THREE[:, 2:], ("1: 2",), None),
        (SimpleNamespace(predict=lambda table: TWO[:, 0]), None, TWO[:, :1], ("0",), ""),
        (SimpleNamespace(inplace_predict=lambda table: TWO[:, 1]), None, TWO[:, 1:], ("0",), ""),
    ],
)
def test_outputs_of_a_model(model, chosen, expected, names, scale):
    if scale is None:  # of several targets
        model.classes_ = [np.array(labels) for labels in model.classes_]
        scale = "probability"
    predictor = Predictor(model, chosen)
    for _ in range(2):  # what is chosen at the first call holds for the next
        np.testing.assert_array_equal(predictor(TABLE), expected)
    assert (predictor.names, predictor.scale) == (names, scale)


def test_all_outputs_are_counted():
    predictor = Predictor(lambda table: THREE, [2, 1])
    assert (predictor.total, predictor.columns) == (0, [])
    predictor(TABLE)
    assert (predictor.total, predictor.columns) == (3, [2, 1])


def failing(table):
    raise KeyError("c")


@pytest.mark.parametrize(
    ("model", "chosen", "message"),
    [
        (3, None, "3 is no model: give a function of a table"),
        (lambda table: THREE, 3, "output 3 does not exist: the model gives 3, counted from 0"),
        (lambda table: THREE, -1, "output -1 does not exist"),
        (lambda table: THREE, "c", "no output 'c'; there are "),
        (lambda table: table, "c", "no output 'c'; there are 'a', 'b'"),
        (classifier(TWO, ["no", "yes"]), "maybe", "no output 'maybe'; there are 'no', 'yes'"),
        (failing, None, "fails on 3 rows with the columns 'a', 'b': KeyError: 'c'"),
        (lambda table: THREE[:2], None, r"gives shape \(2, 3\) for 3 rows"),
        (lambda table: THREE[None], None, r"gives shape \(1, 3, 3\) for 3 rows"),
        (lambda table: THREE[:, :0], None, r"gives shape \(3, 0\) for 3 rows"),
        (lambda table: ["x", "y", "z"], None, "gives outputs of type <U1; give real numbers"),
        (lambda table: [1.0, np.inf, 2.0], None, "gives inf for a row that mixes"),
        (lambda table: [np.nan, np.inf, 2.0], None, "gives nan for a row that mixes"),
    ],
)
def test_what_is_no_model_is_told(model, chosen, message):
    with pytest.raises(TableError, match=message):
        Predictor(model, chosen)(TABLE)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (lambda table: THREE, "gives 3 outputs per row; choose one of them by output, 0 to 2$"),
        (lambda table: table, "gives 2 outputs per row; choose one of them by output: 'a', 'b'$"),
    ],
)
def test_one_output_is_chosen(model, message):
    np.testing.assert_array_equal(predictor_of(model, 1)(TABLE), model(TABLE).__array__()[:, 1])
    with pytest.raises(TableError, match=message):
        predictor_of(model)(TABLE)


def test_functions_are_found_by_their_place(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", ["first"])
    monkeypatch.setattr("sys.modules", dict(__import__("sys").modules))
    path = tmp_path / "own_functions.py"
    path.write_text("from beside import one\n\nnumber = 1\n")
    (tmp_path / "beside.py").write_text("def one(table):\n    return table\n")
    assert function_in(f"{path}:one")(5) == 5
    assert function_in("math:sqrt")(9) == 3
    for place, message in (
        ("sqrt", "'sqrt' names no function"),
        (f"{path}:two", "has no function 'two'"),
        (f"{path}:number", "has no function 'number'"),
        ("no_such_module:f", r"cannot load no_such_module \(ModuleNotFoundError"),
    ):
        with pytest.raises(TableError, match=message):
            function_in(place)


class Seen:
    """A model that keeps what it was given; of what it was fitted on it knows some attributes."""

    def __init__(self, **known):
        vars(self).update(known)

    def predict(self, rows):
        self.given = rows
        return np.asarray(rows, dtype=float).sum(axis=1)


NUMBERS = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})


@pytest.mark.parametrize(
    ("known", "arrays", "kind"),
    [
        ({}, False, pandas.DataFrame),
        ({}, True, np.ndarray),
        ({"n_features_in_": 2}, False, np.ndarray),
        ({"n_features_in_": 2}, True, np.ndarray),
        ({"n_features_in_": 2, "feature_names_in_": ["a", "b"]}, False, pandas.DataFrame),
        ({"n_features_in_": 2, "feature_names_in_": ["a", "b"]}, True, pandas.DataFrame),
    ],
)
def test_rows_come_in_the_form_in_which_they_were_given_or_fitted(known, arrays, kind):
    model = Seen(**known)
    convert = (lambda table: table.to_numpy()) if arrays else None
    Predictor(model, convert=convert)(NUMBERS)
    assert type(model.given) is kind
    assert model.given.shape == (2, 2)


def test_a_table_of_more_than_numbers_stays_one():
    model = Seen(n_features_in_=2)
    with pytest.raises(TableError):
        Predictor(model)(NUMBERS.assign(b="text"))
    assert type(model.given) is pandas.DataFrame


def test_columns_come_in_the_order_in_which_a_model_knows_them():
    booster = lightgbm.LGBMRegressor(n_estimators=3, min_child_samples=2, verbose=-1)
    table = pandas.DataFrame({"a b": np.arange(30.0), "c": np.arange(30.0)[::-1] ** 2})
    expected = booster.fit(table, table["a b"]).predict(table)
    assert np.ptp(expected) > 1
    np.testing.assert_array_equal(Predictor(booster)(table[["c", "a b"]])[:, 0], expected)


def test_a_detector_of_outliers_gives_its_score_not_a_label():
    rows = np.random.default_rng(0).normal(size=(40, 2))
    forest = IsolationForest(n_estimators=10, random_state=0).fit(rows)
    scores = Predictor(forest)(pandas.DataFrame(rows, columns=["a", "b"]))[:, 0]
    np.testing.assert_array_equal(scores, forest.decision_function(rows))
    assert len(np.unique(scores)) > 2


@pytest.mark.parametrize("size", [1e101, -1e300])
def test_outputs_whose_squares_overflow_are_refused(size):
    with pytest.raises(TableError, match=r"divide them so that none exceeds 1e\+100"):
        Predictor(lambda table: table["a"] * size)(NUMBERS)


def test_categories_that_a_csv_file_has_lost_are_told_with_the_remedy():
    table = pandas.DataFrame({"a": np.arange(40.0), "c": pandas.Categorical(["u", "v"] * 20)})
    booster = lightgbm.LGBMRegressor(n_estimators=2, verbose=-1).fit(table, table["a"])
    with pytest.raises(TableError, match="save the table as Parquet"):
        Predictor(booster)(table.astype({"c": str}))
