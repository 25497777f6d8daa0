"""Regressions of mechanisms and tables: what is reduced, folds, and the collections of games."""

from dataclasses import replace

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.games import GameError
from shapaudit.models import ModelError
from shapaudit.truth import shapley_from_table
from shapaudit_audit.study.collection import build_collection, load_collection
from shapaudit_audit.study.ground_truth import compute_all

PARAMS = {"n_train": 5000, "n_test": 300, "n_features": 20, "problems": 2}


@pytest.fixture(scope="module")
def mechanism():
    return datasets.load("linear", PARAMS, np.random.default_rng(3))


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


def test_a_model_holds_what_refits_find(mechanism, tmp_path):
    model = models.train("least-squares", mechanism, {"problems": 2}, 1)
    rows, target = mechanism.rows("train")
    design = np.column_stack([np.ones(len(rows)), rows])
    theta = np.linalg.lstsq(design, target, rcond=None)[0]
    test, answer = mechanism.rows("test")
    expected = np.column_stack([np.ones(len(test)), test]) @ theta
    np.testing.assert_allclose(model.predict(test), expected, atol=1e-10)
    loss = np.sum((answer - expected) ** 2) / np.sum((answer - target.mean()) ** 2)
    assert model.own_score()["r2"] == pytest.approx(1 - loss, abs=1e-10)
    model.save(tmp_path / "model")
    again = models.load_model(tmp_path / "model")
    assert again.own_score() == model.own_score()
    assert again.n_test == 300
    np.testing.assert_array_equal(again.predict(test), model.predict(test))


def test_tables_are_split_anew_for_each_problem(diabetes):
    model = models.train("least-squares", diabetes, {"problems": 3, "ridge": [0.0, 0.001]}, 1)
    losses = [folds[0].loss() for folds in model.regressions]
    assert len(set(losses)) == 3
    assert set(model.ridges) <= {0.0, 0.001}
    rows, target = diabetes.rows("test")
    fit = models.train("least-squares", diabetes, {}, 1)
    # Of the split itself, but for the mean that R^2 compares with.
    assert fit.score(rows, target)["r2"] == pytest.approx(fit.own_score()["r2"], abs=0.02)


def test_folds_cover_all_rows(diabetes):
    model = models.train("least-squares", diabetes, {"folds": 4}, 1)
    assert model.n_test == diabetes.n_rows
    assert len(model.regressions[0]) == 4


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"fit": "ridge"}, "fit 'ridge'"),
        ({"penalty": -1.0}, "penalty -1.0"),
        ({"penalty": "a"}, "penalty 'a'"),
        ({"problems": 3}, "has 2 problems"),
        ({"folds": 2}, "no folds"),
        ({"reduction": "lu"}, "unknown reduction 'lu'"),
        ({"threads": 0}, "threads"),
    ],
)
def test_training_errors_name_the_culprit(mechanism, params, message):
    with pytest.raises(ModelError, match=message):
        models.train("least-squares", mechanism, params, 0)


def test_folds_need_rows(diabetes):
    few = replace(
        diabetes,
        features=diabetes.features[:40, :3],
        feature_names=diabetes.feature_names[:3],
        target=diabetes.target[:40],
        split={"train": np.arange(30), "test": np.arange(30, 40)},
    )
    assert len(models.train("least-squares", few, {"folds": 40}, 0).regressions[0]) == 40
    with pytest.raises(ModelError, match="41 folds of 40 rows leave folds empty"):
        models.train("least-squares", few, {"folds": 41}, 0)


@pytest.mark.parametrize("folds", [1, 3])
def test_a_target_must_vary(diabetes, folds):
    constant = replace(diabetes, target=np.full(diabetes.n_rows, 0.1))
    with pytest.raises(ModelError, match=r"'diabetes'.*response is constant.*a target that varies"):
        models.train("least-squares", constant, {"folds": folds}, 0)


def test_regressions_need_a_target():
    gaussian = datasets.load("gaussian", {"n_rows": 30, "n_features": 3}, np.random.default_rng(0))
    with pytest.raises(ModelError, match="no target"):
        models.train("least-squares", gaussian, {}, 0)


@pytest.mark.parametrize("fit", ["least-squares", "non-negative"])
def test_collections_of_regressions(diabetes, tmp_path, fit):
    model = models.train("least-squares", diabetes, {"problems": 3, "fit": fit}, 1)
    rng = np.random.default_rng(0)
    made = build_collection("split", diabetes, model, "r-squared", 2, 1, rng)
    made.save(tmp_path / "games")
    read = load_collection(tmp_path / "games", model)
    assert (read.n_games, read.n_experiment, read.n_players) == (3, 2, 10)
    assert len(read.experiment_games()) == 2
    assert len(read.tuning_games()) == 1
    coalitions = rng.random((5, 10)) < 0.5
    for number in range(3):
        values = read.structured(number)(coalitions)
        np.testing.assert_allclose(read.game(number)(coalitions), values, atol=1e-12)
    truths, _ = compute_all(read, "enumeration", {}, None, 1)
    np.testing.assert_allclose(truths[2].values, shapley_from_table(read.tables[2]), atol=1e-12)
    with pytest.raises(GameError, match="with problems: 4"):
        build_collection("split", diabetes, model, "r-squared", 3, 1, rng)


def test_many_features_are_not_tabulated():
    params = {"n_train": 100, "n_test": 50, "n_features": 21}
    mechanism = datasets.load("linear", params, np.random.default_rng(0))
    model = models.train("least-squares", mechanism, {}, 0)
    made = build_collection("wide", mechanism, model, "r-squared", 1, 0, np.random.default_rng(0))
    assert made.tables is None
    assert made.game(0).n_players == 21
