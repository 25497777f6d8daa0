"""Tables and models of one's own."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError
from shapaudit.models import ModelError, XGBoostModel
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
    table.write_text("a,b\n1,red\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="'b' holds no numbers"):
        load(table)
    table.write_text("a,b\n1,2\n3,\n", encoding="utf-8")
    with pytest.raises(DatasetError, match="'b' has missing or infinite entries"):
        load(table)


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


@pytest.mark.parametrize("name", ["nowhere.at_all", "math.nothing", "nodots"])
def test_a_function_that_is_not_there_is_explained(name, table):
    with pytest.raises(ModelError, match=r"name it as\s+module.function"):
        models.train("function", load(table), {"function": name}, 0)


def test_a_saved_booster_is_taken_as_it_is(table, tmp_path):
    dataset = load(table, target="y")
    trained = models.train("xgboost", dataset, {"n_estimators": 3, "max_depth": 2}, 0)
    path = tmp_path / "booster.json"
    path.write_bytes(trained.document)
    same = models.train("xgboost-file", dataset, {"path": str(path)}, 0)
    assert isinstance(same, XGBoostModel)
    rows = dataset.features
    np.testing.assert_array_equal(same.predict(rows), trained.predict(rows))
    with pytest.raises(ModelError, match="trained on 3 features; dataset 'mine' has 4"):
        models.train("xgboost-file", load(table), {"path": str(path)}, 0)
    with pytest.raises(ModelError, match="does not exist"):
        models.train("xgboost-file", dataset, {"path": str(tmp_path / "no.json")}, 0)
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match="no XGBoost model in JSON"):
        models.train("xgboost-file", dataset, {"path": str(path)}, 0)
