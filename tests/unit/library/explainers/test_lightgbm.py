"""Boosters of LightGBM itself, as objects and as the files that it writes."""

import json

import lightgbm
import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import VotingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from shapaudit.explainers import ExplainerError, create
from shapaudit.games import all_coalitions
from shapaudit.models import ModelError
from shapaudit.models.read_trees import read_trees
from shapaudit.truth import shapley_from_table

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(400, 4))
ROWS[RNG.random(ROWS.shape) < 0.15] = np.nan
ROWS[RNG.random(ROWS.shape) < 0.15] = 0
FILLED = np.nan_to_num(ROWS)
TARGET = FILLED[:, 0] * FILLED[:, 1] + np.isnan(ROWS[:, 2]) + RNG.normal(size=len(ROWS)) / 10
CLASSES = np.digitize(TARGET, [-0.3, 0.6])
OTHERS = ROWS[:40]
QUIET = {"num_threads": 1, "verbose": -1, "min_data_in_leaf": 5, "num_leaves": 12}
SETTINGS = {
    "as it comes": {},
    "nothing is missing": {"use_missing": False},
    "zero is missing": {"zero_as_missing": True},
    "dropped trees": {"boosting": "dart"},
    "some rows": {"bagging_freq": 1, "bagging_fraction": 0.5},
    "gradients of one side": {"data_sample_strategy": "goss"},
    "random thresholds": {"extra_trees": True},
    "smoothed": {"path_smooth": 2.0},
    "medians": {"objective": "l1"},
}


def boosted(settings, target=TARGET, rounds=15):
    data = lightgbm.Dataset(ROWS, target)
    return lightgbm.train({"objective": "regression", **QUIET, **settings}, data, rounds)


def equal_to_contributions(model, booster, output=None):
    """Its values and base value are those that LightGBM prints."""
    theirs = booster.predict(OTHERS, pred_contrib=True)
    columns = OTHERS.shape[1] + 1
    if theirs.shape[1] > columns:
        theirs = theirs[:, output * columns :][:, :columns]
    explanation = (
        create("path-dependent-tree", {"output": output}).fit(model, OTHERS[:1]).explain(OTHERS)
    )
    np.testing.assert_allclose(explanation.values, theirs[:, :-1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(explanation.base_value, theirs[0, -1], rtol=0, atol=1e-13)


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_values_are_its_own_contributions(settings, tmp_path):
    booster = boosted(settings)
    booster.save_model(tmp_path / "booster.txt")
    (tmp_path / "booster.json").write_text(json.dumps(booster.dump_model()), encoding="utf-8")
    for model in (booster, tmp_path / "booster.txt", tmp_path / "booster.json"):
        equal_to_contributions(model, booster)


def test_a_random_forest_is_the_mean_that_it_predicts():
    """Its contributions are of the sum of its trees, and its predictions are their mean."""
    booster = boosted({"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.7}, rounds=5)
    theirs = booster.predict(OTHERS, pred_contrib=True) / 5
    fitted = create("path-dependent-tree").fit(booster, OTHERS[:1])
    np.testing.assert_allclose(fitted.explain(OTHERS).values, theirs[:, :-1], atol=1e-13)
    np.testing.assert_allclose(fitted.output(OTHERS), booster.predict(OTHERS), rtol=1e-12)


@pytest.mark.parametrize("settings", [{}, SETTINGS["zero is missing"]], ids=["nan", "zero"])
def test_marginal_values_are_those_of_enumerating_its_predictions(settings):
    booster, background = boosted(settings), ROWS[-8:]
    explanation = create("interventional-tree").fit(booster, background).explain(OTHERS[:5])
    for row, values in zip(OTHERS, explanation.values, strict=False):
        hybrids = np.where(all_coalitions(4)[:, None], row, background)
        table = booster.predict(hybrids.reshape(-1, 4)).reshape(-1, len(background)).mean(axis=1)
        np.testing.assert_allclose(values, shapley_from_table(table), rtol=0, atol=1e-13)
        np.testing.assert_allclose(explanation.base_value, table[0], rtol=0, atol=1e-13)


def test_estimators_and_their_classes():
    quiet = {"n_estimators": 5, "n_jobs": 1, "verbose": -1}
    two = lightgbm.LGBMClassifier(**quiet).fit(ROWS, CLASSES > 0)
    odds = two.predict(OTHERS, raw_score=True)
    for output, sign in ((None, 1), (1, 1), (0, -1)):
        fitted = create("interventional-tree", {"output": output}).fit(two, ROWS[:3])
        np.testing.assert_allclose(fitted.output(OTHERS), sign * odds, atol=1e-13)
    equal_to_contributions(two, two)
    three = lightgbm.LGBMClassifier(**quiet).fit(ROWS, CLASSES)
    for output in range(3):
        equal_to_contributions(three, three, output)
    with pytest.raises(ModelError, match="has 3 outputs; say which, as output=0 to 2"):
        create("path-dependent-tree").fit(three, ROWS[:1])


def test_an_early_stop_counts():
    data = lightgbm.Dataset(ROWS[:300], TARGET[:300])
    held_out = lightgbm.Dataset(ROWS[300:], TARGET[300:], reference=data)
    settings = {"objective": "regression", **QUIET, "learning_rate": 0.5}
    stop = lightgbm.early_stopping(3, verbose=False)
    watched = {"valid_sets": [held_out], "callbacks": [stop], "keep_training_booster": True}
    booster = lightgbm.train(settings, data, 200, **watched)
    assert 0 < booster.best_iteration < booster.num_trees()
    np.testing.assert_allclose(read_trees(booster).predict(OTHERS), booster.predict(OTHERS))
    equal_to_contributions(booster, booster)


@pytest.mark.parametrize("use_missing", [True, False])
def test_linear_leaves(use_missing, tmp_path):
    linear = lightgbm.LGBMRegressor(
        n_estimators=3, linear_tree=True, use_missing=use_missing, n_jobs=1, verbose=-1
    )
    linear.fit(ROWS, TARGET)
    linear.booster_.save_model(tmp_path / "model.txt")
    (tmp_path / "model.json").write_text(json.dumps(linear.booster_.dump_model()))
    holes = np.where(np.random.default_rng(0).random(OTHERS.shape) < 0.3, np.nan, OTHERS)
    for model in (linear, tmp_path / "model.txt", tmp_path / "model.json"):
        for rows in (OTHERS, holes):
            np.testing.assert_allclose(read_trees(model).predict(rows), linear.predict(rows))
    with pytest.raises(ExplainerError, match="this LightGBM model has linear leaves; interventi"):
        create("path-dependent-tree").fit(linear, ROWS[:1])
    voting = VotingRegressor([("one", linear)]).fit(ROWS, TARGET)
    np.testing.assert_allclose(read_trees(voting).predict(holes), voting.predict(holes))
    with pytest.raises(ExplainerError, match="this VotingRegressor has linear leaves; interventi"):
        create("path-dependent-tree").fit(voting, ROWS[:1])
    scaled = make_pipeline(StandardScaler(), linear)
    columns = ColumnTransformer([("numbers", "passthrough", [0, 1])])
    for model, message in (
        (scaled, "a Pipeline that scales columns for .* one with linear leaves, is not read"),
        (make_pipeline(columns, linear), "a Pipeline that encodes columns for .* linear leaves"),
    ):
        with pytest.raises(ModelError, match=message):
            read_trees(model.fit(ROWS, TARGET))


def test_what_is_no_booster_is_refused():
    for model in (lightgbm.LGBMRegressor(), lightgbm.Dataset(ROWS, TARGET)):
        kind = type(model).__name__
        with pytest.raises(ModelError, match=rf"{kind} is no booster and no fitted estimator"):
            read_trees(model)
