"""Models: known functions against their formulas, hand-made trees, files and errors."""

import json

import numpy as np
import pytest
from scipy import stats

from shapaudit import datasets, models
from shapaudit.models import (
    ChiSquareClassifier,
    Model,
    ModelError,
    RadialRegression,
    TreeEnsemble,
    held_out_score,
)
from shapaudit.models.base import regression_scores
from shapaudit.models.nodes import LEAF, Nodes


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


@pytest.fixture(scope="module")
def boosted(diabetes):
    return models.train("xgboost", diabetes, {"n_estimators": 20, "max_depth": 4}, seed=1)


@pytest.fixture
def gaussian():
    return datasets.load("gaussian", {"n_rows": 50, "n_features": 4}, np.random.default_rng(0))


def hand_made(**change):
    """Two trees over three features: one with two splits of feature 1, one that is a leaf."""
    fields = {
        "feature": [1, LEAF, 1, LEAF, LEAF, LEAF],
        "threshold": [0.5, 0, 2.0, 0, 0, 0],
        "left": [1, LEAF, 3, LEAF, LEAF, LEAF],
        "right": [2, LEAF, 4, LEAF, LEAF, LEAF],
        "default_left": [False, False, True, False, False, False],
        "value": [0, 10.0, 0, 20.0, 30.0, 7.0],
    } | change
    return TreeEnsemble(
        Nodes(**{key: np.array(array) for key, array in fields.items()}), [0, 5], 1, 3
    )


def outputs_at(ensemble, values):
    rows = np.zeros((len(values), 3))
    rows[:, 1] = values
    return ensemble.predict(rows).tolist()


@pytest.mark.parametrize("d", [1, 2, 16, 300])
def test_chi_square_threshold_is_the_median(d):
    assert ChiSquareClassifier.for_dimension(d).threshold == pytest.approx(
        stats.chi2.median(d), rel=1e-12
    )


def test_chi_square_labels():
    rows = np.array([[3.0, 0.0], [0.0, -3.0], [3.0, 0.1], [1.0, 1.0]])
    assert ChiSquareClassifier(9.0).predict(rows).tolist() == [0.0, 0.0, 1.0, 0.0]


def test_chi_square_classes_are_balanced():
    rows = np.random.default_rng(0).standard_normal((10_000, 16))
    share = ChiSquareClassifier.for_dimension(16).predict(rows).mean()
    assert abs(share - 0.5) < 5 * 0.5 / np.sqrt(len(rows))


def test_chi_square_refuses_nan():
    with pytest.raises(ModelError, match="row 1 holds NaN"):
        ChiSquareClassifier(1.0).predict(np.array([[0.0], [np.nan]]))


def test_chi_square_accuracy():
    rows, labels = np.array([[0.0], [2.0], [3.0], [0.5]]), np.array([0.0, 1.0, 0.0, 0.0])
    assert ChiSquareClassifier(1.0).score(rows, labels) == {"accuracy": 0.75}


def test_radial_is_the_product():
    rows = np.random.default_rng(0).standard_normal((20, 5))
    product = np.prod(np.sqrt(np.pi / 2) * np.exp(-(rows**2) / 2), axis=1)
    np.testing.assert_allclose(RadialRegression(5).predict(rows), product, rtol=1e-13)


def test_radial_in_high_dimension():
    d = 4000  # the constant alone, (pi / 2)^(d / 2), is beyond float64
    level = np.sqrt(np.log(np.pi / 2))
    rows = np.full((1, d), level)
    assert (np.pi / 2) ** (d / 4) > 1e190
    np.testing.assert_allclose(RadialRegression(d).predict(rows), 1.0, rtol=1e-9)


def test_radial_needs_its_dimension():
    with pytest.raises(ModelError, match=r"shape \(m, 3\), got \(2, 4\)"):
        RadialRegression(3).predict(np.zeros((2, 4)))


def test_regression_scores():
    scores = regression_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 5.0]))
    assert scores == pytest.approx({"r2": 1 - 4 / 2, "rmse": np.sqrt(4 / 3)})


def test_a_constant_target_has_no_r2():
    with pytest.raises(ModelError, match="r2 needs a target that varies"):
        regression_scores(np.ones(3), np.zeros(3))


def test_rows_that_determine_no_score_are_logged(boosted, diabetes, caplog):
    rows, target = diabetes.rows("test")
    assert held_out_score(boosted, rows, None) == ({}, "the data have no target")
    assert held_out_score(boosted, rows, target) == (boosted.score(rows, target), "")
    assert not caplog.records
    reason = "r2 needs a target that varies; all 1 values are equal"
    assert held_out_score(boosted, rows[:1], target[:1]) == ({}, reason)
    assert reason in caplog.text
    with pytest.raises(ModelError, match="one target per row"):
        held_out_score(boosted, rows, target[:5])


def test_scores_need_one_target_per_row(boosted, diabetes):
    with pytest.raises(ModelError, match="one target per row"):
        boosted.score(diabetes.features, diabetes.target[:5])


def test_tree_sends_below_to_the_left():
    below = np.nextafter(np.float32(0.5), np.float32(0))
    values = [below, 0.5, 1.9, 2.0, np.nan, -np.inf, np.inf]
    expected = [1 + 7 + leaf for leaf in (10, 20, 20, 30, 20, 10, 30)]
    assert outputs_at(hand_made(), values) == expected


def test_tree_compares_in_float32():
    assert outputs_at(hand_made(), [0.5 - 1e-12]) == outputs_at(hand_made(), [0.5])


def test_depth():
    assert hand_made().depth == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": [9, LEAF, 3, LEAF, LEAF, LEAF]}, "6 nodes refers to a node it does not have"),
        ({"left": [1, LEAF, -2, LEAF, LEAF, LEAF]}, "6 nodes refers to a node it does not have"),
        ({"right": [0, LEAF, 4, LEAF, LEAF, LEAF]}, "reached in two ways"),
        ({"right": [2, LEAF, 1, LEAF, LEAF, LEAF]}, "reached in two ways"),
        ({"feature": [3, LEAF, 1, LEAF, LEAF, LEAF]}, "3 features splits on another feature"),
        ({"value": [1.0]}, "one entry per node"),
    ],
)
def test_arrays_must_be_trees(change, message):
    with pytest.raises(ModelError, match=message):
        hand_made(**change)


def test_an_ensemble_needs_a_tree():
    with pytest.raises(ModelError, match="at least one tree"):
        TreeEnsemble(hand_made().nodes, [], 0.0, 3)


def test_tree_needs_its_features():
    with pytest.raises(ModelError, match=r"shape \(m, 3\), got \(3,\)"):
        hand_made().predict(np.zeros(3))


@pytest.mark.parametrize("kind", ["chi-square", "radial", "xgboost", "tree-ensemble"])
def test_round_trip(kind, boosted, gaussian, diabetes, tmp_path):
    model, rows = {
        "chi-square": (models.train("chi-square", gaussian, {}, 0), gaussian.features),
        "radial": (models.train("radial", gaussian, {}, 0), gaussian.features),
        "xgboost": (boosted, diabetes.features),
        "tree-ensemble": (boosted.ensemble, diabetes.features),
    }[kind]
    model.save(tmp_path / "once" / "model")
    again = models.load_model(tmp_path / "once" / "model")
    assert type(again) is type(model)
    assert isinstance(again, Model)
    np.testing.assert_array_equal(again.predict(rows), model.predict(rows))
    again.save(tmp_path / "twice")
    files = sorted((tmp_path / "twice").iterdir())
    assert json.loads((tmp_path / "twice" / "model.json").read_text())["kind"] == kind
    for file in files:
        assert file.read_bytes() == (tmp_path / "once" / "model" / file.name).read_bytes()


def test_every_trainer_has_a_reader():
    shapnets = dict.fromkeys(("deep-shapnet", "shallow-shapnet"), "shapnet")
    saved_as_others = {"xgboost-file": "xgboost", **shapnets}
    kinds = {saved_as_others.get(trainer, trainer) for trainer in models.TRAINERS}
    assert kinds <= set(models.READERS)


def test_known_models_take_the_dataset_dimension(gaussian):
    assert models.train("radial", gaussian, {}, 0) == RadialRegression(4)
    assert models.train("chi-square", gaussian, {}, 0) == ChiSquareClassifier.for_dimension(4)


@pytest.mark.parametrize(
    ("trainer", "params", "message"),
    [
        ("xgb", {}, "unknown trainer 'xgb'.*; the known ones are .*'chi-square', .*'xgboost'"),
        ("radial", {"depth": 1}, "trainer 'radial' has no parameter 'depth'; it knows none"),
        ("xgboost", {"depth": 1}, "'xgboost' has no parameter 'depth'; it knows 'n_estimators'"),
        ("xgboost", {"n_estimators": 0}, "n_estimators must be an integer of at least 1, got 0"),
        ("xgboost", {"max_depth": "a"}, "max_depth must be an integer of at least 1, got 'a'"),
        ("xgboost", {"subsample": 2.0}, "XGBoost refuses dataset 'diabetes'.*subsample"),
    ],
)
def test_training_errors_name_the_culprit(diabetes, trainer, params, message):
    with pytest.raises(ModelError, match=f"(?s){message}"):
        models.train(trainer, diabetes, params, 0)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "model.json is missing"),
        ({"model.json": "{"}, "is not JSON"),
        ({"model.json": "[]"}, "does not name a kind"),
        ({"model.json": '{"kind": "forest"}'}, "unknown kind of model 'forest'"),
        ({"model.json": '{"kind": "radial"}'}, "model.json lacks 'n_features'"),
        ({"model.json": '{"kind": "xgboost"}'}, r"xgboost\.json is no XGBoost model"),
        ({"model.json": '{"kind": "xgboost"}', "xgboost.json": "{}"}, "is no XGBoost model"),
        ({"model.json": '{"kind": "tree-ensemble"}'}, r"ensemble\.npz is no tree ensemble"),
    ],
)
def test_damaged_directories_are_refused(files, message, tmp_path):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ModelError, match=message):
        models.load_model(tmp_path)
