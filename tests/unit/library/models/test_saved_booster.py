"""Boosters that XGBoost has saved: matched by name, cut at their best iteration, or explained."""

import json
import pickle
import re
import sys
from dataclasses import replace

import numpy as np
import pytest
import xgboost

from shapaudit import datasets, models
from shapaudit.models import ModelError, XGBoostModel
from shapaudit.models.base import UndefinedScore
from shapaudit.models.saved_booster import read_document

FLOAT32 = 1e-4  # relative: XGBoost sums the leaves in float32


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


def boosted(dataset, order=None, names=True, **options):
    """A regressor on the columns of a data set in some order."""
    import pandas

    table = pandas.DataFrame(dataset.features, columns=dataset.feature_names)
    table = table[[dataset.feature_names[j] for j in order]] if order is not None else table
    settings = {"n_estimators": 12, "max_depth": 4, "n_jobs": 1} | options
    return xgboost.XGBRegressor(**settings).fit(
        table if names else table.to_numpy(), dataset.target
    )


def saved(model, tmp_path, name="booster.json"):
    path = tmp_path / name
    model.get_booster().save_model(path)
    return {"path": str(path)}


def taken(dataset, params):
    return models.train("xgboost-file", dataset, params, 0)


def test_a_booster_is_taken_as_it_is(diabetes, tmp_path):
    trained = models.train("xgboost", diabetes, {"n_estimators": 3, "max_depth": 2}, 0)
    path = tmp_path / "booster.json"
    path.write_bytes(trained.document)
    same = taken(diabetes, {"path": str(path)})
    assert isinstance(same, XGBoostModel)
    rows = diabetes.features
    np.testing.assert_array_equal(same.predict(rows), trained.predict(rows))


@pytest.mark.parametrize("name", ["booster.json", "booster.ubj"])
def test_columns_are_found_by_name(diabetes, tmp_path, name):
    order = np.random.default_rng(1).permutation(10)
    own = boosted(diabetes, order)
    model = taken(diabetes, saved(own, tmp_path, name))
    expected = own.predict(diabetes.features[:, order])
    np.testing.assert_allclose(model.predict(diabetes.features), expected, rtol=FLOAT32)
    assert model.score(diabetes.features, diabetes.target)["r2"] > 0.7
    by_place = models.TreeEnsemble.from_xgboost(json.loads(own.get_booster().save_raw("json")))
    assert by_place.score(diabetes.features, diabetes.target)["r2"] < 0
    again = xgboost.Booster()
    again.load_model(bytearray(model.document))
    assert tuple(again.feature_names) == diabetes.feature_names
    matrix = xgboost.DMatrix(diabetes.features, feature_names=list(diabetes.feature_names))
    np.testing.assert_allclose(again.predict(matrix), expected, rtol=FLOAT32)


@pytest.mark.parametrize("name", ["booster.json", "booster.ubj"])
def test_boosters_are_read_where_xgboost_is_missing(diabetes, tmp_path, monkeypatch, name):
    params = saved(boosted(diabetes), tmp_path, name)
    expected = taken(diabetes, params).predict(diabetes.features)
    monkeypatch.setitem(sys.modules, "xgboost", None)
    np.testing.assert_array_equal(taken(diabetes, params).predict(diabetes.features), expected)
    with pytest.raises(ModelError, match=r"needs XGBoost; .* pip install 'shapaudit\[trees\]'"):
        models.train("xgboost", diabetes, {}, 0)


def test_other_columns_are_refused_by_name(diabetes, tmp_path):
    params = saved(boosted(diabetes), tmp_path)
    names = ("weight", *diabetes.feature_names[1:])
    message = (
        f"booster.json: .* dataset 'diabetes': it was trained on '{diabetes.feature_names[0]}', "
        "which the data lack, and not on 'weight', which they have. Rename columns"
    )
    with pytest.raises(ModelError, match=message):
        taken(replace(diabetes, feature_names=names), params)
    wider = datasets.load("diabetes", {"zero_features": 1}, np.random.default_rng(0))
    with pytest.raises(ModelError, match="name those that it does not use under drop"):
        taken(wider, params)


def test_without_names_columns_are_counted_and_the_log_says_so(diabetes, tmp_path, caplog):
    own = boosted(diabetes, names=False)
    params = saved(own, tmp_path)
    model = taken(diabetes, params)
    expected = own.predict(diabetes.features)
    np.testing.assert_allclose(model.predict(diabetes.features), expected, rtol=FLOAT32)
    assert "names no features: they are taken in the order of the columns" in caplog.text
    wider = datasets.load("diabetes", {"zero_features": 1}, np.random.default_rng(0))
    with pytest.raises(ModelError, match="trained on 10 features; dataset 'diabetes' has 11"):
        taken(wider, params)


@pytest.mark.parametrize("options", [{}, {"num_parallel_tree": 2, "subsample": 0.5}])
def test_trees_after_the_best_iteration_do_not_count(diabetes, tmp_path, caplog, options):
    caplog.set_level("INFO")
    own = xgboost.XGBRegressor(n_estimators=80, early_stopping_rounds=5, n_jobs=1, **options)
    train, test = diabetes.rows("train"), diabetes.rows("test")
    own.fit(*train, eval_set=[test], verbose=False)
    there = own.get_booster().num_boosted_rounds()
    assert there > own.best_iteration + 1
    model = taken(diabetes, saved(own, tmp_path))
    expected = own.predict(diabetes.features)
    np.testing.assert_allclose(model.predict(diabetes.features), expected, rtol=FLOAT32)
    each = options.get("num_parallel_tree", 1)
    assert model.ensemble.roots.size == (own.best_iteration + 1) * each
    assert f"{own.best_iteration + 1} of {there} rounds, by its best_iteration" in caplog.text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"booster": "gblinear"}, "booster 'gblinear' is not read as trees, only 'gbtree' and"),
    ],
)
def test_what_is_not_read_is_explained_with_the_way_out(diabetes, tmp_path, options, message):
    params = saved(boosted(diabetes, **options), tmp_path)
    with pytest.raises(ModelError, match=f"booster.json: .*{message}.* taken by trainer: function"):
        taken(diabetes, params)


@pytest.mark.parametrize(
    "options", [{"booster": "dart", "rate_drop": 0.5}, {"objective": "count:poisson"}], ids=str
)
def test_the_margin_of_other_boosters_is_taken_by_the_names_of_columns(diabetes, tmp_path, options):
    order = np.random.default_rng(1).permutation(10)
    own = boosted(diabetes, order, **options)
    model = taken(diabetes, saved(own, tmp_path))
    expected = own.predict(diabetes.features[:, order], output_margin=True)
    np.testing.assert_allclose(model.predict(diabetes.features), expected, rtol=FLOAT32)
    if "objective" in options:
        with pytest.raises(UndefinedScore, match="'count:poisson' is not on the scale"):
            model.score(*diabetes.rows("test"))


def test_a_classifier_of_one_class_is_explained(diabetes, tmp_path):
    data = xgboost.DMatrix(diabetes.features, np.ones(diabetes.n_rows))
    booster = xgboost.train({"objective": "binary:logistic", "nthread": 1}, data, 2)
    booster.save_model(tmp_path / "one.json")
    with pytest.raises(ModelError, match=r"one\.json: .* target was the same in all rows"):
        taken(diabetes, {"path": str(tmp_path / "one.json")})


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b'{"learner": 3}', b"[1]", b"tree\nversion=v4\n", b"{L\x01", pickle.dumps([1])],
)
def test_what_is_no_booster_is_explained(diabetes, tmp_path, content):
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    message = r"other.bin is no XGBoost model .*save_model\('.*other.json'\)\. A model of any kind"
    with pytest.raises(ModelError, match=message):
        taken(diabetes, {"path": str(path)})
    with pytest.raises(ModelError, match=r"no\.json does not exist; save the booster there"):
        taken(diabetes, {"path": str(tmp_path / "no.json")})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Expecting value: line 1"),
        (b"tree\nversion=v4\n", "Expecting value: line 1"),
        (b'{"learner": \n', "Expecting value: line 2"),
        (b'{\n "learner": \n', "Expecting value: line 3"),
        (b"{L\x01", "cut off at byte 2"),
    ],
)
def test_the_reason_is_that_of_the_format_that_the_file_seems_to_have(tmp_path, content, reason):
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    with pytest.raises(ModelError, match=re.escape(f"in JSON or UBJSON ({reason}")):
        read_document(str(path))


def test_every_cut_of_a_binary_file_is_refused(diabetes, tmp_path):
    path = tmp_path / "booster.ubj"
    boosted(diabetes, n_estimators=1, max_depth=1).get_booster().save_model(path)
    content = path.read_bytes()
    for length in range(1, len(content), 97):
        path.write_bytes(content[:length])
        with pytest.raises(ModelError, match="no XGBoost model"):
            taken(diabetes, {"path": str(path)})
