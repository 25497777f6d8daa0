"""Trees from files and objects of other packages, against what these predict themselves."""

import json
from pathlib import Path

import numpy as np
import pytest
import xgboost
from sklearn import ensemble as forests
from sklearn import tree as single
from sklearn.linear_model import LinearRegression

from shapaudit.models import ModelError, XGBoostModel
from shapaudit.models.binned import chosen_output
from shapaudit.models.float_thresholds import just_above
from shapaudit.models.lightgbm import from_lightgbm
from shapaudit.models.read_trees import read_trees

LIGHTGBM = json.loads((Path(__file__).parent / "data" / "lightgbm.json").read_text())
LIGHTGBM_ROWS = np.array(LIGHTGBM["rows"], dtype=float)
RNG = np.random.default_rng(0)
ROWS, OTHERS = RNG.normal(size=(120, 4)), RNG.normal(size=(40, 4))
TARGET = ROWS[:, 0] * ROWS[:, 1] + ROWS[:, 2]
CLASSES = np.digitize(TARGET, [-0.5, 0.5])

REGRESSIONS = [
    single.DecisionTreeRegressor(max_depth=4),
    single.ExtraTreeRegressor(max_depth=4, random_state=0),
    forests.RandomForestRegressor(5, max_depth=4, random_state=0),
    forests.ExtraTreesRegressor(5, random_state=0),
    forests.GradientBoostingRegressor(n_estimators=5, random_state=0),
    forests.GradientBoostingRegressor(n_estimators=5, init="zero", random_state=0),
    forests.HistGradientBoostingRegressor(max_iter=5, random_state=0),
]
SHARES = [
    single.DecisionTreeClassifier(max_depth=4),
    forests.RandomForestClassifier(5, max_depth=4, random_state=0),
    forests.ExtraTreesClassifier(5, random_state=0),
]
LOG_ODDS = [
    forests.GradientBoostingClassifier(n_estimators=5, random_state=0),
    forests.HistGradientBoostingClassifier(max_iter=5, random_state=0),
]


def kind(model):
    return type(model).__name__


@pytest.mark.parametrize("case", LIGHTGBM["cases"])
@pytest.mark.parametrize("form", ["text", "dump", "text file", "dump file"])
def test_lightgbm(case, form, tmp_path):
    recorded = LIGHTGBM["cases"][case]
    content = recorded[form.split()[0]]
    path = tmp_path / "model"
    path.write_text(content if form.startswith("text") else json.dumps(content))
    for output, raw in enumerate(recorded["raw"]):
        chosen = output if len(recorded["raw"]) > 1 else None
        trees = from_lightgbm(content, chosen)
        if form.endswith("file"):
            trees = read_trees(path, chosen)
        np.testing.assert_allclose(trees.predict(LIGHTGBM_ROWS), raw, rtol=1e-14)


def test_log_odds_of_either_class_of_a_saved_booster(tmp_path):
    recorded = LIGHTGBM["cases"]["two classes"]
    (raw,) = np.array(recorded["raw"])
    booster = xgboost.XGBClassifier(n_estimators=4, max_depth=3, n_jobs=1).fit(ROWS, TARGET > 0)
    booster.save_model(tmp_path / "model.json")
    odds = booster.predict(OTHERS, output_margin=True)
    document = (tmp_path / "model.json").read_bytes()
    for output, sign in ((None, 1), (1, 1), (0, -1)):
        for form in ("text", "dump"):
            trees = from_lightgbm(recorded[form], output)
            np.testing.assert_allclose(trees.predict(LIGHTGBM_ROWS), sign * raw, rtol=1e-14)
        for model in (booster, tmp_path / "model.json", XGBoostModel(document)):
            found_odds = read_trees(model, output).predict(OTHERS)
            np.testing.assert_allclose(found_odds, sign * odds, rtol=1e-4, atol=1e-6)
    for model in (booster, XGBoostModel(document)):
        with pytest.raises(ModelError, match="this XGBoost model has outputs 0 to 1, not 2"):
            read_trees(model, 2)
    with pytest.raises(ModelError, match="this LightGBM model has outputs 0 to 1, not 2"):
        from_lightgbm(recorded["text"], 2)
    with pytest.raises(ModelError, match="this LightGBM model has outputs 0 to 0, not 1"):
        from_lightgbm(LIGHTGBM["cases"]["regression"]["text"], 1)


def test_thresholds_of_lightgbm_are_not_rounded():
    """The next float64 above a threshold goes to the right; in float32 it would not."""
    trees = from_lightgbm(LIGHTGBM["cases"]["regression"]["text"])
    feature = next(j for j, edges in enumerate(trees.edges) if len(edges))
    edge = trees.edges[feature][0]
    rows = np.zeros((2, 4))
    rows[:, feature] = edge, np.nextafter(edge, np.inf)
    assert np.float32(rows[0, feature]) == np.float32(rows[1, feature])
    encoded = trees.encode(rows)[:, feature]
    assert encoded[1] == encoded[0] + 1


@pytest.mark.parametrize("kinds", [("NaN", "Zero"), ("Zero", "NaN"), ("None", "NaN")])
def test_two_kinds_of_missing_in_a_tree_are_refused(kinds):
    def leaf(value):
        return {"leaf_value": value, "leaf_count": 1}

    def split(kind, left):
        own = {"split_feature": 0, "decision_type": "<=", "missing_type": kind, "threshold": 0.5}
        own |= {"default_left": True, "internal_count": 2}
        return own | {"left_child": left, "right_child": leaf(1.0)}

    document = json.loads(json.dumps(LIGHTGBM["cases"]["regression"]["dump"]))
    first = document["tree_info"][0]
    first["tree_structure"] = split(kinds[0], split(kinds[0], leaf(0.0)))
    document["tree_info"] = [first]
    assert from_lightgbm(document).predict(np.zeros((1, 4))) == [0.0]
    first["tree_structure"] = split(kinds[0], split(kinds[1], leaf(0.0)))
    told = " and ".join(repr(kind.lower()) for kind in kinds)
    with pytest.raises(ModelError, match=f"is missing in two ways, {told}"):
        from_lightgbm(document)


def test_lightgbm_that_is_not_read():
    text = LIGHTGBM["cases"]["regression"]["text"]
    with pytest.raises(ModelError, match=r"no LightGBM model .*leaf_const"):
        from_lightgbm(text.replace("is_linear=0", "is_linear=1"))
    with pytest.raises(ModelError, match="no LightGBM model"):
        from_lightgbm(text.replace("num_leaves", "leaves"))
    with pytest.raises(ModelError, match="no LightGBM model"):
        from_lightgbm(text.replace("threshold=", "threshold=x "))
    with pytest.raises(ModelError, match="has no tree"):
        from_lightgbm(text.split("\nTree=")[0])
    first, *rest = text.split("\nTree=")
    other = rest[-1].replace("decision_type=", "decision_type=4 4 4 4\nunused=")
    with pytest.raises(ModelError, match="is missing in two ways"):
        from_lightgbm("\nTree=".join([first, *rest[:-1], other]))
    with pytest.raises(ModelError, match="has 3 outputs; say which"):
        from_lightgbm(LIGHTGBM["cases"]["three classes"]["text"])


def test_a_tree_of_lightgbm_may_be_a_single_leaf():
    head = "tree\nnum_tree_per_iteration=1\nfeature_names=a b\n"
    leaf = "\nTree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=2.5\nis_linear=0\n\nend of trees\n"
    trees = from_lightgbm(head + leaf)
    np.testing.assert_array_equal(trees.predict(np.zeros((3, 2))), 2.5)


@pytest.mark.parametrize("model", REGRESSIONS, ids=kind)
def test_regressions_of_scikit_learn(model):
    model.fit(ROWS, TARGET)
    trees = read_trees(model)
    np.testing.assert_allclose(trees.predict(OTHERS), model.predict(OTHERS), rtol=1e-12)
    assert (trees.ensemble.weight[trees.ensemble.roots] == len(ROWS)).all()


@pytest.mark.parametrize("model", SHARES, ids=kind)
def test_shares_of_classes_of_scikit_learn(model):
    model.fit(ROWS, CLASSES)
    for k, expected in enumerate(model.predict_proba(OTHERS).T):
        np.testing.assert_allclose(read_trees(model, k).predict(OTHERS), expected, atol=1e-14)
    with pytest.raises(ModelError, match="has 3 outputs; say which"):
        read_trees(model)
    model.fit(ROWS, CLASSES > 1)
    second = model.predict_proba(OTHERS)[:, 1]
    np.testing.assert_allclose(read_trees(model).predict(OTHERS), second, atol=1e-14)


@pytest.mark.parametrize("model", LOG_ODDS, ids=kind)
def test_log_odds_of_scikit_learn(model):
    model.fit(ROWS, CLASSES > 1)
    odds = model.decision_function(OTHERS)
    np.testing.assert_allclose(read_trees(model).predict(OTHERS), odds, rtol=1e-12)
    np.testing.assert_allclose(read_trees(model, 1).predict(OTHERS), odds, rtol=1e-12)
    np.testing.assert_allclose(read_trees(model, 0).predict(OTHERS), -odds, rtol=1e-12)
    model.fit(ROWS, CLASSES)
    for k, expected in enumerate(model.decision_function(OTHERS).T):
        np.testing.assert_allclose(read_trees(model, k).predict(OTHERS), expected, rtol=1e-12)


@pytest.mark.parametrize("model", [REGRESSIONS[0], REGRESSIONS[-1]], ids=kind)
def test_missing_entries_of_scikit_learn(model):
    rows, others = ROWS.copy(), OTHERS.copy()
    rows[RNG.random(rows.shape) < 0.2] = np.nan
    others[RNG.random(others.shape) < 0.2] = np.nan
    model.fit(rows, TARGET)
    np.testing.assert_allclose(read_trees(model).predict(others), model.predict(others))


def test_thresholds_in_float32_keep_every_comparison():
    rows = np.array([-1.5, -0.1, 0.0, 0.1, 0.3, 2.0], dtype=np.float32)
    near = (np.nextafter(rows, side, dtype=np.float32) for side in (-np.inf, np.inf))
    rows = np.concatenate([rows, *near])
    exact = rows.astype(float)
    thresholds = np.concatenate([exact, np.nextafter(exact, -np.inf), np.nextafter(exact, np.inf)])
    kept = rows[:, None] < just_above(thresholds)
    np.testing.assert_array_equal(kept, rows[:, None] <= thresholds)


def test_scikit_learn_that_is_not_read():
    with pytest.raises(ModelError, match="no fitted model of trees"):
        read_trees(LinearRegression())
    with pytest.raises(ModelError, match="no fitted model of trees"):
        read_trees(forests.RandomForestRegressor())
    with pytest.raises(ModelError, match="is not fitted"):
        read_trees(forests.HistGradientBoostingRegressor())
    median = forests.AdaBoostRegressor(n_estimators=2).fit(ROWS, TARGET)
    with pytest.raises(ModelError, match="AdaBoostRegressor of scikit-learn is not read"):
        read_trees(median)
    several = single.DecisionTreeClassifier().fit(ROWS, np.stack([CLASSES, CLASSES], axis=1))
    with pytest.raises(ModelError, match="several targets"):
        read_trees(several)
    two = single.DecisionTreeRegressor().fit(ROWS, np.stack([TARGET, -TARGET], axis=1))
    with pytest.raises(ModelError, match="has 2 outputs"):
        read_trees(two)
    np.testing.assert_allclose(read_trees(two, 1).predict(ROWS), -TARGET)
    started = forests.GradientBoostingRegressor(init=LinearRegression(), n_estimators=2)
    with pytest.raises(ModelError, match="starts from LinearRegression, which is no constant"):
        read_trees(started.fit(ROWS, TARGET))


def test_xgboost_objects_and_files(tmp_path):
    estimator = xgboost.XGBRegressor(n_estimators=4, max_depth=3, n_jobs=1).fit(ROWS, TARGET)
    booster = estimator.get_booster()
    booster.save_model(tmp_path / "model.json")
    booster.save_model(tmp_path / "model.ubj")
    expected = estimator.predict(OTHERS)
    for model in (estimator, booster, tmp_path / "model.json", str(tmp_path / "model.ubj")):
        np.testing.assert_allclose(read_trees(model).predict(OTHERS), expected, rtol=1e-5)


def test_files_that_are_not_read(tmp_path):
    with pytest.raises(ModelError, match=r"none\.txt does not exist"):
        read_trees(tmp_path / "none.txt")
    for content, message in (
        ("no model", "no XGBoost model in JSON"),
        ('{"learner": {}}', "no model that XGBoost, LightGBM or CatBoost"),
        ('{"tree_info": []}', "no LightGBM model"),
        ("tree\nversion=v4\n", "no LightGBM model"),
        ("CBM1 and so on", "trees of CatBoost are read from its objects and from its JSON, not"),
        ('{"scale_and_bias": [1, [0]]}', "no model that XGBoost, LightGBM or CatBoost saved"),
    ):
        (tmp_path / "model.txt").write_text(content)
        with pytest.raises(ModelError, match=rf"model\.txt.*{message}"):
            read_trees(tmp_path / "model.txt")
    with pytest.raises(ModelError, match="dict is no model of trees"):
        read_trees({})


def test_boosters_that_are_not_read():
    for model in (xgboost.XGBRegressor(), xgboost.DMatrix(ROWS)):
        kind = type(model).__name__
        with pytest.raises(ModelError, match=rf"{kind} is no booster and no fitted estimator"):
            read_trees(model)


def test_outputs():
    assert chosen_output("it", 1, None) == 0
    for output in (-1, 2):
        with pytest.raises(ModelError, match=f"it has outputs 0 to 1, not {output}"):
            chosen_output("it", 2, output)


def test_trees_that_were_read_are_read_as_they_are():
    rows = np.random.default_rng(0).normal(size=(60, 3))
    booster = forests.HistGradientBoostingRegressor(max_iter=3, min_samples_leaf=5)
    once = read_trees(booster.fit(rows, rows[:, 0] * rows[:, 1]))
    assert read_trees(once) is once
    np.testing.assert_allclose(read_trees(once).predict(rows), booster.predict(rows))


def test_rows_pass_all_steps_of_a_pipeline_before_its_trees():
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler

    rows = np.random.default_rng(0).normal(5, 3, size=(60, 3))
    target = rows[:, 0] * (rows[:, 1] > 5)
    last = GradientBoostingRegressor(n_estimators=5, random_state=0)
    model = make_pipeline(MinMaxScaler((2, 9)), StandardScaler(with_mean=False), last)
    model.fit(rows, target)
    read = read_trees(model)
    np.testing.assert_allclose(read.predict(rows), model.predict(rows), rtol=1e-12)
    np.testing.assert_allclose(read.own(rows), model.predict(rows), rtol=1e-12)
