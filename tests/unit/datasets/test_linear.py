"""Mechanisms of linear regressions, the models of their reduced problems, and the collections."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.datasets import DatasetError, LinearMechanism, linear, toy
from shapaudit.games import GameError
from shapaudit.models import ModelError
from shapaudit.study.collection import build_collection, load_collection
from shapaudit.study.ground_truth import compute_all
from shapaudit.truth import shapley_from_table

PARAMS = {"n_train": 5000, "n_test": 300, "n_features": 20, "problems": 2}


@pytest.fixture(scope="module")
def mechanism():
    return datasets.load("linear", PARAMS, np.random.default_rng(3))


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


def test_rows_follow_the_mechanism(mechanism):
    rows, target = mechanism.rows("train", 1)
    covariance = mechanism.covariance(1)
    np.testing.assert_allclose(np.diag(covariance), 1.0)
    # Largest of 210 entries, each with a standard error of at most 0.02.
    np.testing.assert_allclose(np.cov(rows.T), covariance, atol=0.1)
    noise = target - rows @ mechanism.coefficients[1]
    assert noise.var() == pytest.approx(mechanism.noise[1], rel=0.09)
    assert sorted(mechanism.coefficients[1])[-3:] == [0.0, 2.0, 2.0]
    assert 0 < mechanism.r_squared(1) < 1


def test_blocks_are_generated_alike_every_time(mechanism):
    blocks = mechanism.blocks("train")
    assert [len(block()[1]) for block in blocks] == [4096, 904]
    np.testing.assert_array_equal(blocks[1]()[0], mechanism.rows("train")[0][4096:])
    assert not np.allclose(mechanism.rows("test")[0], mechanism.rows("test", 1)[0])
    assert not np.allclose(mechanism.rows("test")[0], mechanism.rows("train")[0][:300])


def test_mechanisms_are_saved_without_rows(mechanism, tmp_path):
    mechanism.save(tmp_path / "once.npz")
    again = datasets.read(tmp_path / "once.npz")
    assert isinstance(again, LinearMechanism)
    again.save(tmp_path / "twice.npz")
    first, second = ((tmp_path / name).read_bytes() for name in ("once.npz", "twice.npz"))
    assert hashlib.sha256(first).digest() == hashlib.sha256(second).digest()
    assert len(first) < 10_000
    np.testing.assert_array_equal(again.rows("test")[1], mechanism.rows("test")[1])
    (tmp_path / "other.npz").write_bytes(b"PK")
    with pytest.raises(DatasetError, match="not a saved dataset"):
        datasets.read(tmp_path / "other.npz")


def test_the_toy_design_is_the_printed_one():
    one = datasets.load(
        "linear", {"design": "toy", "n_train": 5, "n_test": 5}, np.random.default_rng(0)
    )
    np.testing.assert_allclose(one.covariance(0), linear.TOY_COVARIANCE)
    assert one.coefficients[0].tolist() == [2.1, 1.4, 0.1]
    for params, message in (
        ({"design": "cubic"}, "unknown design 'cubic'"),
        ({"design": "toy", "n_features": 4}, "for features; got 4"),
        ({"problems": 0}, "problems must be an integer of at least 1"),
    ):
        with pytest.raises(DatasetError, match=message):
            datasets.load("linear", {"n_train": 5, "n_test": 5} | params, np.random.default_rng(0))


def test_the_toy_is_read_from_tables_that_are_there_already(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    names = [name for name, _ in toy.SOURCE.instead]
    for name in names:
        np.savetxt(tmp_path / name, rng.normal(size=(4, 4)), delimiter=",", header="x1,x2,x3,y")
    digests = tuple((name, toy.download.file_sha256(tmp_path / name)) for name in names)
    monkeypatch.setenv("SHAPAUDIT_DATA", str(tmp_path))
    monkeypatch.setattr(toy, "SOURCE", replace(toy.SOURCE, instead=digests))
    found = toy.load(rng)
    assert found.features.shape == (8, 3)
    assert found.split["test"].tolist() == [4, 5, 6, 7]


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
    one = models.train("least-squares", diabetes, {}, 1)
    # Of the split itself, but for the mean that R^2 compares with.
    assert one.score(rows, target)["r2"] == pytest.approx(one.own_score()["r2"], abs=0.02)


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
    for pair in range(3):
        values = read.structured(pair)(coalitions)
        np.testing.assert_allclose(read.game(pair)(coalitions), values, atol=1e-12)
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
