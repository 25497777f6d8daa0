"""The front door: what is read from a model, and what it is given."""

import warnings

import numpy as np
import pytest
import xgboost
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

import tree_models
from explained_models import NUMBERS, smooth
from shapaudit import Explainer
from shapaudit.datasets.mixed import TableError
from shapaudit.models import catboost_unfolding


def test_trees_are_read_where_their_sums_are_the_outputs():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    read = Explainer(forest, NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "trees"
    assert read.unit == "probability of 1"
    asked = Explainer(forest.predict_proba, NUMBERS[10:], output=1)(NUMBERS[:3], evaluations=512)
    assert asked.method == "enumeration"
    np.testing.assert_allclose(read.values, asked.values, atol=1e-12)
    np.testing.assert_allclose(read.predictions, forest.predict_proba(NUMBERS[:3])[:, 1])


def test_a_booster_is_read_on_its_raw_scale_and_asked_for_probabilities():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    booster = GradientBoostingClassifier(n_estimators=10, random_state=0).fit(NUMBERS, target)
    raw = Explainer(booster, NUMBERS[10:], raw=True)(NUMBERS[:3])
    assert raw.method == "trees"
    np.testing.assert_allclose(raw.predictions, booster.decision_function(NUMBERS[:3]))
    shares = Explainer(booster, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    assert shares.method == "enumeration"
    np.testing.assert_allclose(shares.predictions, booster.predict_proba(NUMBERS[:3])[:, 1])


def test_names_of_features_are_used_where_the_model_has_them():
    model = MLPRegressor(hidden_layer_sizes=(4,), max_iter=50, random_state=0)
    with pytest.warns(match="Maximum iterations"):
        model.fit(NUMBERS, smooth(NUMBERS))
    explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:2], evaluations=60)
    np.testing.assert_allclose(explanation.predictions, model.predict(NUMBERS[:2]))


def test_a_model_that_was_fitted_to_an_array_gets_arrays_and_warns_of_no_names():
    model = SVR().fit(NUMBERS.to_numpy(), smooth(NUMBERS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explanation = Explainer(model, NUMBERS[10:])(NUMBERS[:2], evaluations=60)
    np.testing.assert_allclose(explanation.predictions, model.predict(NUMBERS[:2].to_numpy()))


def test_a_linear_model_is_read_and_so_are_its_groups():
    target = NUMBERS @ np.arange(9.0) + 1.0
    model = make_pipeline(StandardScaler(), Ridge(alpha=0.1)).fit(NUMBERS, target)
    read = Explainer(model, NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "linear"
    asked = Explainer(model.predict, NUMBERS[10:])(NUMBERS[:3], evaluations=512)
    np.testing.assert_allclose(read.values, asked.values, atol=1e-9)
    groups = {"first": ["a", "b", "c"]}
    together = Explainer(model, NUMBERS[10:], groups=groups)(NUMBERS[:3])
    assert together.method == "linear"
    np.testing.assert_allclose(together.values[:, 0], read.values[:, :3].sum(axis=1))


def test_trees_are_read_by_the_names_of_their_features():
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    turned = NUMBERS[list("ihgfedcba")]
    read = Explainer(forest, turned[10:])(turned[:3])
    assert read.method == "trees"
    straight = Explainer(forest, NUMBERS[10:])(NUMBERS[:3])
    np.testing.assert_allclose(read.values[:, ::-1], straight.values, atol=1e-15)


def test_a_reader_whose_sums_differ_is_not_used(monkeypatch):
    target = (NUMBERS["a"] + NUMBERS["b"] > 0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, target)
    predict = forest.predict_proba
    monkeypatch.setattr(forest, "predict_proba", lambda rows: 0.9 * predict(rows) + 0.05)
    explanation = Explainer(forest, NUMBERS[10:])(NUMBERS[:2], evaluations=512)
    assert explanation.method == "enumeration"
    np.testing.assert_allclose(explanation.predictions, 0.9 * predict(NUMBERS[:2])[:, 1] + 0.05)


def test_a_saved_model_is_named_by_its_path(tmp_path):
    booster = xgboost.XGBRegressor(n_estimators=5, max_depth=3).fit(NUMBERS, smooth(NUMBERS))
    booster.get_booster().save_model(tmp_path / "model.json")
    read = Explainer(tmp_path / "model.json", NUMBERS[10:])(NUMBERS[:3])
    assert read.method == "trees"
    np.testing.assert_allclose(read.predictions, booster.predict(NUMBERS[:3]), rtol=1e-5)
    with pytest.raises(TableError, match="does not exist"):
        Explainer(tmp_path / "other.json", NUMBERS[10:])


def test_a_linear_booster_is_explained():
    data = xgboost.DMatrix(NUMBERS, NUMBERS @ np.arange(9.0))
    booster = xgboost.train({"booster": "gblinear"}, data, 5)
    explanation = Explainer(booster, NUMBERS[10:])(NUMBERS[:2])
    np.testing.assert_allclose(explanation.predictions, booster.predict(data)[:2], rtol=1e-4)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_rows_are_read_in_parts_as_together(n_jobs, monkeypatch):
    forest = RandomForestClassifier(20, random_state=0).fit(NUMBERS, NUMBERS["a"] > 0)
    together = Explainer(forest, NUMBERS)(NUMBERS)
    monkeypatch.setattr("shapaudit.explanations.many_rows.READ_AT_ONCE", 7)
    parts = Explainer(forest, NUMBERS)(NUMBERS, n_jobs=n_jobs)
    np.testing.assert_array_equal(parts.values, together.values)
    assert parts.method == "trees"


def test_categories_of_catboost_are_read_or_evaluated(tmp_path, monkeypatch):
    case = tree_models.CASES["CatBoost categories, combined, SymmetricTree"]()
    background, rows = case.rows[:6], case.rows[30:34]
    read = Explainer(case.model, background)(rows)
    assert read.method == "trees"
    case.model.save_model(str(tmp_path / "model.cbm"))
    again = Explainer(tmp_path / "model.cbm", background)(rows)
    assert again.method == "trees"
    np.testing.assert_allclose(again.values, read.values, atol=1e-12)
    monkeypatch.setattr(catboost_unfolding, "MOST", 50)  # nodes, of which it has more
    asked = Explainer(case.model, background)(rows)
    assert asked.method == "enumeration"
    np.testing.assert_allclose(asked.values, read.values, atol=1e-9)
