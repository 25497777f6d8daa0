"""XGBoost models: read and evaluated as XGBoost does, trained on the training rows only."""

import json
from dataclasses import replace

import numpy as np
import pytest
import xgboost

from shapaudit import datasets, models
from shapaudit.models import ModelError, TreeEnsemble, XGBoostModel

FLOAT32 = 1e-4  # relative: XGBoost sums the leaves in float32


@pytest.fixture(scope="module")
def diabetes():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


@pytest.fixture(scope="module")
def boosted(diabetes):
    return models.train("xgboost", diabetes, {"n_estimators": 20, "max_depth": 4}, seed=1)


@pytest.fixture
def gaussian():
    return datasets.load("gaussian", {"n_rows": 50, "n_features": 4}, np.random.default_rng(0))


def own_predictions(model, rows, **options):
    booster = xgboost.Booster()
    booster.load_model(bytearray(model.document))
    return booster.predict(xgboost.DMatrix(rows), **options)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"n_estimators": 10, "max_depth": 5, "tree_method": "exact", "base_score": 0.5},
        {"n_estimators": 30, "max_depth": 8, "min_child_weight": 5, "subsample": 0.5},
        {"n_estimators": 1, "max_depth": 1, "learning_rate": 1.0, "reg_lambda": 0.0},
    ],
)
def test_agreement_with_xgboost(diabetes, params):
    model = models.train("xgboost", diabetes, params, seed=0)
    own = own_predictions(model, diabetes.features)
    np.testing.assert_allclose(model.predict(diabetes.features), own, rtol=FLOAT32)


def test_agreement_with_xgboost_on_missing_features(diabetes, boosted):
    rng = np.random.default_rng(0)
    rows = np.where(rng.random(diabetes.features.shape) < 0.3, np.nan, diabetes.features)
    np.testing.assert_allclose(boosted.predict(rows), own_predictions(boosted, rows), rtol=FLOAT32)


def test_agreement_with_xgboost_on_thresholds(diabetes, boosted):
    """Rows made of split thresholds, where a comparison with the wrong sign or type shows."""
    nodes, rng = boosted.ensemble.nodes, np.random.default_rng(0)
    rows = np.stack(
        [
            rng.choice(np.append(nodes.threshold[nodes.feature == j], 0.0), 500)
            for j in range(diabetes.n_features)
        ],
        axis=1,
    )
    np.testing.assert_allclose(boosted.predict(rows), own_predictions(boosted, rows), rtol=FLOAT32)


def fitted(diabetes, kind="XGBRegressor", target=None, **options):
    target = diabetes.target if target is None else target
    model = getattr(xgboost, kind)(n_estimators=5, max_depth=3, n_jobs=1, **options)
    booster = model.fit(diabetes.features, target).get_booster()
    return XGBoostModel(bytes(booster.save_raw("json")))


def test_pruned_trees_are_read(diabetes):
    model = fitted(diabetes, gamma=3e4)
    own = own_predictions(model, diabetes.features)
    np.testing.assert_allclose(model.predict(diabetes.features), own, rtol=FLOAT32)


def test_forests_are_read(diabetes):
    model = fitted(diabetes, num_parallel_tree=3, subsample=0.5)
    assert model.ensemble.roots.size == 15
    own = own_predictions(model, diabetes.features)
    np.testing.assert_allclose(model.predict(diabetes.features), own, rtol=FLOAT32)


def test_logistic_output_is_the_margin(diabetes):
    model = fitted(diabetes, "XGBClassifier", diabetes.target > 150)
    own = own_predictions(model, diabetes.features, output_margin=True)
    np.testing.assert_allclose(model.predict(diabetes.features), own, rtol=FLOAT32, atol=1e-6)


@pytest.mark.parametrize("written", ["1.5213348E2", "[1.5213348E2]", "152.13348"])
def test_base_score_may_be_bracketed(boosted, written):
    document = json.loads(boosted.document)
    document["learner"]["learner_model_param"]["base_score"] = written
    assert TreeEnsemble.from_xgboost(document).base_score == np.float32(152.13348)


def test_unread_xgboost_models_are_named(diabetes):
    with pytest.raises(ModelError, match="booster 'gblinear' is not read as trees"):
        _ = fitted(diabetes, booster="gblinear").ensemble
    document = json.loads(fitted(diabetes).document)
    document["learner"]["objective"]["name"] = "reg:new"
    with pytest.raises(ModelError, match="objective 'reg:new' is not read: how its base score"):
        TreeEnsemble.from_xgboost(document)
    with pytest.raises(ModelError, match="several outputs"):
        _ = fitted(diabetes, "XGBClassifier", np.arange(442) % 3).ensemble
    with pytest.raises(ModelError, match="several outputs"):
        _ = fitted(diabetes, target=np.stack([diabetes.target] * 2, axis=1)).ensemble


def test_categorical_splits_are_refused_where_rows_are_numbers(diabetes):
    import pandas

    table = pandas.DataFrame({"x": diabetes.features[:, 0]})
    table["colour"] = pandas.Categorical(np.where(diabetes.target > 150, "high", "low"))
    model = xgboost.XGBRegressor(n_estimators=2, enable_categorical=True, n_jobs=1)
    booster = model.fit(table, diabetes.target).get_booster()
    with pytest.raises(ModelError, match="splits by category on 'colour': encode"):
        _ = XGBoostModel(bytes(booster.save_raw("json"))).ensemble


def test_training_is_deterministic_given_the_seed(diabetes):
    params = {"n_estimators": 5, "subsample": 0.5}
    first, again, other = (models.train("xgboost", diabetes, params, seed) for seed in (3, 3, 4))
    assert first.document == again.document
    assert first.document != other.document


def test_training_uses_the_training_rows_only(diabetes):
    changed = diabetes.target.copy()
    changed[diabetes.split["test"]] += 100.0
    first, other = (
        models.train("xgboost", dataset, {"n_estimators": 3}, 0)
        for dataset in (diabetes, replace(diabetes, target=changed))
    )
    assert first.document == other.document


def test_boosting_beats_the_mean(boosted, diabetes):
    train, test = (boosted.score(*diabetes.rows(part)) for part in ("train", "test"))
    assert train["r2"] > test["r2"] > 0.2
    assert test["rmse"] < diabetes.rows("test")[1].std()


def test_xgboost_reads_what_is_saved(boosted, diabetes, tmp_path):
    boosted.save(tmp_path)
    regressor = xgboost.XGBRegressor()
    regressor.load_model(tmp_path / "xgboost.json")
    np.testing.assert_allclose(
        regressor.predict(diabetes.features), boosted.predict(diabetes.features), rtol=FLOAT32
    )


def test_training_needs_a_target(gaussian):
    with pytest.raises(ModelError, match="trainer 'xgboost': dataset 'gaussian' has no target"):
        models.train("xgboost", gaussian, {}, 0)


def test_training_refuses_nan(diabetes):
    features, target = diabetes.features.copy(), diabetes.target.copy()
    features[diabetes.split["train"][3], 2] = np.nan
    target[diabetes.split["train"][3]] = np.nan
    with pytest.raises(ModelError, match="NaN or infinity in the training rows of 'bmi'"):
        models.train("xgboost", replace(diabetes, features=features), {}, 0)
    with pytest.raises(ModelError, match="training target"):
        models.train("xgboost", replace(diabetes, target=target), {}, 0)


def test_nan_in_the_test_rows_does_not_matter(diabetes):
    features = diabetes.features.copy()
    features[diabetes.split["test"][3], 2] = np.nan
    model = models.train("xgboost", replace(diabetes, features=features), {"n_estimators": 2}, 0)
    assert np.isfinite(model.predict(features)).all()


def test_training_on_all_rows_uses_the_test_rows(diabetes):
    params = {"n_estimators": 3, "rows": "all"}
    changed = diabetes.target.copy()
    changed[diabetes.split["test"]] += 100.0
    first, other = (
        models.train("xgboost", dataset, params, 0)
        for dataset in (diabetes, replace(diabetes, target=changed))
    )
    assert first.document != other.document
    everything = {"train": np.arange(1, diabetes.n_rows), "test": np.array([0])}
    again = models.train("xgboost", replace(diabetes, split=everything), params, 0)
    assert again.document == first.document


@pytest.mark.parametrize("zero_features", [0, 100])
def test_the_published_protocol(diabetes, zero_features):
    """Ten trees that start at 0.5; columns without information change no tree."""
    params = {"n_estimators": 10, "max_depth": 5, "tree_method": "exact", "base_score": 0.5}
    model = models.train("xgboost", diabetes, {**params, "rows": "all"}, 0)
    assert model.ensemble.base_score == 0.5
    assert model.ensemble.roots.size == 10
    assert model.ensemble.depth <= 5
    wide = datasets.load("diabetes", {"zero_features": zero_features}, np.random.default_rng(0))
    again = models.train("xgboost", wide, {**params, "rows": "all"}, 0)
    outputs = [m.predict(w.features) for m, w in ((model, diabetes), (again, wide))]
    np.testing.assert_array_equal(*outputs)


def test_a_classifier_gives_log_odds_and_its_own_scores(diabetes):
    labels = replace(diabetes, target=(diabetes.target > 150).astype(float))
    params = {"n_estimators": 20, "max_depth": 5, "objective": "binary:logistic"}
    model = models.train("xgboost", labels, params | {"base_score": 0.5}, 0)
    assert model.ensemble.base_score == 0.0
    margins = own_predictions(model, labels.features, output_margin=True)
    np.testing.assert_allclose(model.predict(labels.features), margins, rtol=FLOAT32, atol=1e-5)
    rows, target = labels.rows("test")
    chance = own_predictions(model, rows)
    score = model.score(rows, target)
    assert score["accuracy"] == np.mean((chance > 0.5) == target)
    loss = -np.mean(np.log(np.where(target == 1, chance, 1 - chance)))
    assert score["log_loss"] == pytest.approx(loss, rel=1e-4)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"rows": "test"}, "rows must be one of 'train', 'all', got 'test'"),
        ({"objective": "reg:gamma"}, "objective must be one of 'reg:squarederror'.*'reg:gamma'"),
    ],
)
def test_unknown_choices_are_named(diabetes, params, message):
    with pytest.raises(ModelError, match=message):
        models.train("xgboost", diabetes, params, 0)


def test_training_on_all_rows_refuses_nan_in_any(diabetes):
    features = diabetes.features.copy()
    features[diabetes.split["test"][3], 2] = np.nan
    with pytest.raises(ModelError, match="'bmi'"):
        models.train("xgboost", replace(diabetes, features=features), {"rows": "all"}, 0)
