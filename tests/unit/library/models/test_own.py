"""Tables and models of one's own."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError
from shapaudit.models import ModelError
from shapaudit.models.own import FunctionModel


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "mine.csv"
    rows = np.random.default_rng(0).normal(size=(30, 4))
    np.savetxt(path, rows, delimiter=",", header="a,b,row,y", comments="")
    return path


def load(path, **params):
    return datasets.load("csv", {"path": str(path), **params}, np.random.default_rng(1))


def test_features_are_the_columns_but_the_target_and_those_dropped(table):
    dataset = load(table, target="y", drop=["row"])
    assert dataset.feature_names == ("a", "b")
    assert dataset.name == "mine"
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    np.testing.assert_allclose(dataset.features, rows[:, :2])
    np.testing.assert_allclose(dataset.target, rows[:, 3])
    assert load(table).target is None


def test_faults_of_a_table_are_named(table):
    with pytest.raises(DatasetError, match="no column 'z'; it has 'a', 'b', 'row', 'y'"):
        load(table, target="z")
    with pytest.raises(DatasetError, match="does not exist"):
        load(table.with_name("other.csv"))
    table.write_text("a,b\n1,red\n2,blue\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="'b' is not numeric"):
        load(table)
    table.write_text("a,b\n1,2\n3,\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="'b' has missing or infinite entries"):
        load(table)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,b,y\n1,2,3,9\n4,5,6,9\n", r"cannot be read as a table \(Length of header"),
        (b"a,b,y\n1,2,3\n4,5,6,9\n", "Expected 3 fields in line 3, saw 4"),
        (b"", "No columns to parse"),
        ("a,é,y\n1,2,3\n4,5,6\n".encode("latin-1"), "it must be a CSV file in UTF-8"),
        (b"a,a,y\n1,2,3\n4,5,6\n", "has column 'a' more than once"),
        (b"a,b,y\n", "has 0 rows; training and testing need at least 2"),
        (b"a,b,y\n1,2,3\n", "has 1 rows"),
    ],
)
def test_what_is_no_table_is_explained(table, content, message):
    table.write_bytes(content)
    with pytest.raises(DatasetError, match=message) as raised:
        load(table, target="y")
    assert str(table) in str(raised.value)


def test_columns_are_neither_renamed_nor_moved(table):
    table.write_bytes(b",a,,y\n0,1,5,2\n1,3,6,4\n")  # nameless columns are no repeated ones
    dataset = load(table, target="y")
    np.testing.assert_array_equal(dataset.features, [[0, 1, 5], [1, 3, 6]])
    np.testing.assert_array_equal(dataset.target, [2, 4])


@pytest.mark.parametrize(
    ("drop", "message"),
    [
        ("ab", "drop must be a list of columns, got 'ab'"),
        (3, "drop must be a list of columns, got 3"),
        (["a", "y"], "the target 'y' is also under drop"),
    ],
)
def test_what_cannot_be_dropped_is_explained(table, drop, message):
    with pytest.raises(DatasetError, match=message):
        load(table, target="y", drop=drop)


def test_a_function_is_called_by_its_dotted_path(table, tmp_path, monkeypatch):
    (tmp_path / "own_functions.py").write_text(
        "def total(rows):\n    return rows.sum(axis=1)\n\n\ndef table(rows):\n    return rows\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    dataset = load(table, target="y")
    model = models.train("function", dataset, {"function": "own_functions.total"}, 0)
    np.testing.assert_allclose(model.predict(dataset.features), dataset.features.sum(axis=1))
    assert model.score(dataset.features, dataset.features.sum(axis=1))["r2"] == pytest.approx(1)
    model.save(tmp_path / "saved")
    assert models.load_model(tmp_path / "saved") == FunctionModel("own_functions.total")
    with pytest.raises(ModelError, match=r"shape \(22, 3\) for 22 rows"):
        models.train("function", dataset, {"function": "own_functions.table"}, 0)


def test_rows_are_safe_from_a_function_that_changes_them(table, tmp_path, monkeypatch):
    (tmp_path / "own_in_place.py").write_text(
        "def centred(rows):\n    rows -= 10.0\n    return rows.sum(axis=1)\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    rows = load(table).features
    before = rows.copy()
    outputs = FunctionModel("own_in_place.centred").predict(rows)
    np.testing.assert_array_equal(rows, before)
    np.testing.assert_allclose(outputs, (before - 10.0).sum(axis=1))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:", r"cannot import the function '\w+.f' \(SyntaxError: .*; name it as"),
        ("f = undefined_name", r"cannot import .*\(NameError: name 'undefined_name'"),
        ("f = 3", r"\w+.f is no function of rows but 3"),
        ("def f(rows):\n    raise KeyError('x')", r"\w+.f fails on 22 rows \(KeyError: 'x'\)"),
        ("def f(rows):\n    return ['a'] * len(rows)", r"fails on 22 rows \(ValueError: could not"),
    ],
)
def test_a_faulty_function_is_named(table, tmp_path, monkeypatch, source, message):
    module = tmp_path.name  # another for each case
    (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModelError, match=message):
        models.train("function", load(table, target="y"), {"function": f"{module}.f"}, 0)


@pytest.mark.parametrize("name", ["nowhere.at_all", "math.nothing", "nodots", 3])
def test_a_function_that_is_not_there_is_explained(name, table):
    with pytest.raises(ModelError, match=r"name it as\s+module.function"):
        models.train("function", load(table), {"function": name}, 0)
