"""Models of tables of any columns: in a study by places, and from the files of other packages."""

import joblib
import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from mixed_table import mixed_table, rents
from shapaudit import datasets, models
from shapaudit.datasets.mixed import TableError, distinct_rows
from shapaudit.models.model_files import model_in

GROUPS = {"place": ["city", "street"], "house": ["built", "heating"]}
FUNCTION = "from mixed_table import rents\n\n\ndef both(t):\n    return rents(t)\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """The table, and a function of it, in the working folder."""
    monkeypatch.chdir(tmp_path)
    table = mixed_table(60)
    table.to_csv("flats.csv", index=False)
    (tmp_path / "flat_model.py").write_text(FUNCTION, encoding="utf-8")
    return pd.read_csv("flats.csv")


def load(groups=GROUPS, **params):
    given = {"path": "flats.csv", "target": "rent", "groups": groups} | params
    return datasets.load("mixed", given, np.random.default_rng(0))


def train(dataset, groups=GROUPS, **params):
    given = {"path": "flats.csv", "target": "rent", "groups": groups} | params
    return models.train("mixed", dataset, given, 0)


def test_places_lead_back_to_the_rows_of_the_table(table, tmp_path):
    dataset = load()
    assert dataset.feature_names[:4] == ("size", "rooms", "place", "house")
    assert (dataset.features <= np.arange(60)[:, None]).all()
    model = train(dataset, predictor="flat_model.py:both")
    np.testing.assert_allclose(model.predict(dataset.features), rents(table))
    model.save(tmp_path / "saved")
    again = models.load_model(tmp_path / "saved")
    np.testing.assert_array_equal(
        again.predict(dataset.features[:5]), model.predict(dataset.features[:5])
    )


def test_players_move_their_columns_together(table):
    model = train(load(), predictor="flat_model.py:both")
    places = np.tile(4.0, (1, 10))
    places[0, 2] = 9  # the place of row 9 with all else of row 4
    by_hand = table.iloc[[4]].copy()
    by_hand[["city", "street"]] = table.loc[9, ["city", "street"]].to_numpy()
    assert model.predict(places) == pytest.approx(rents(by_hand))


def test_gaps_are_equal_and_targets_that_are_texts_are_none(table):
    features = load(groups=None).features
    gaps = np.flatnonzero(table["heating"].isna())
    assert len(gaps) > 1
    assert set(features[gaps, 3]) == {gaps[0]}
    assert load(groups=None, target="city").target is None
    assert load(groups=None).target is not None


def test_other_players_and_places_that_are_no_rows_are_refused(table):
    with pytest.raises(TableError, match="other players"):
        train(load(groups=None), predictor="flat_model.py:both")
    model = train(load(), predictor="flat_model.py:both")
    with pytest.raises(TableError, match="0 to 59"):
        model.predict(np.full((1, 10), 60.0))


def test_distinct_rows_are_those_of_numpy_also_where_digits_overflow():
    rng = np.random.default_rng(0)
    for base, width in ((3, 4), (1 << 20, 5)):
        pool = rng.integers(base, size=(40, width))
        rows = pool[rng.integers(40, size=300)]
        first, inverse = distinct_rows(rows)
        np.testing.assert_array_equal(rows[first][inverse], rows)
        assert len(first) == len(np.unique(rows, axis=0))


NUMBERS = pd.DataFrame(np.random.default_rng(1).normal(size=(80, 3)), columns=["b", "a", "c d"])


def test_files_of_scikit_learn_and_xgboost_give_what_the_models_give(tmp_path):
    target = NUMBERS["a"] * NUMBERS["b"]
    forest = RandomForestRegressor(5, random_state=0).fit(NUMBERS, target)
    for name in ("m.joblib", "m.pkl"):
        joblib.dump(forest, tmp_path / name)
        read = model_in(str(tmp_path / name), NUMBERS).predict(NUMBERS)
        np.testing.assert_array_equal(read, forest.predict(NUMBERS))
    booster = xgboost.train({"base_score": 0.0}, xgboost.DMatrix(NUMBERS, target), 5)
    booster.save_model(tmp_path / "m.ubj")
    read = model_in(str(tmp_path / "m.ubj"), NUMBERS[["c d", "a", "b"]])
    expected = booster.predict(xgboost.DMatrix(NUMBERS))
    np.testing.assert_allclose(read.predict(NUMBERS[["c d", "a", "b"]].to_numpy()), expected, 1e-4)


def test_a_file_of_lightgbm_with_several_classes_gives_all_scores_and_the_trees_of_each(tmp_path):
    labels = (NUMBERS["a"] > 0.3).astype(int) + (NUMBERS["b"] > 0)
    settings = {"objective": "multiclass", "num_class": 3, "min_data_in_leaf": 5, "verbose": -1}
    booster = lightgbm.train(settings, lightgbm.Dataset(NUMBERS, labels), 3)
    booster.save_model(tmp_path / "m.txt")
    model = model_in(str(tmp_path / "m.txt"), NUMBERS)
    scores = booster.predict(NUMBERS, raw_score=True)
    np.testing.assert_allclose(model.predict(NUMBERS), scores, rtol=1e-6)
    rows = NUMBERS[list(model.names)].to_numpy()
    for k in range(3):
        np.testing.assert_allclose(model.trees(k).predict(rows), scores[:, k], rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.json", None, "does not exist"),
        ("model.onnx", b"", r"ends in none of those that are read: XGBoost .* by a function"),
        ("model.pkl", b"\x00", "cannot load .*model.pkl"),
        ("model.txt", b"no trees", "is no model that LightGBM saved"),
        ("model.cbm", b"", "needs the package catboost: pip install catboost"),
    ],
)
def test_files_that_do_not_do_are_refused(tmp_path, monkeypatch, name, content, message):
    monkeypatch.setitem(__import__("sys").modules, "catboost", None)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(TableError, match=message):
        model_in(str(tmp_path / name), NUMBERS)


def test_a_forest_of_a_file_has_exact_values_by_its_trees(tmp_path):
    from shapaudit.datasets.mixed import players_of
    from shapaudit.explanations.trees import trees_of
    from shapaudit.models.predictors import predictor_of
    from shapaudit.truth import shapley_exact

    labels = np.where(NUMBERS["a"] > 0.3, "high", np.where(NUMBERS["b"] > 0, "mid", "low"))
    forest = RandomForestClassifier(5, random_state=0).fit(NUMBERS, labels)
    players, predict = players_of(list(NUMBERS.columns), None), predictor_of(forest, "mid")
    trees = trees_of(forest, 2, players, NUMBERS, predict(NUMBERS[:6]))
    sources = NUMBERS.iloc[[1, 2, 5]].reset_index(drop=True)

    from shapaudit.explanations.rows_game import RowsGame

    game = RowsGame(predict, sources.iloc[[2]], sources.iloc[:2], players)
    np.testing.assert_allclose(trees.values(sources), shapley_exact(game).values, atol=1e-6)
    together = players_of(list(NUMBERS.columns), {"both": ["a", "b"]})
    assert trees_of(forest, 2, together, NUMBERS, predict(NUMBERS[:6])) is None
    assert trees_of(forest, 2, players, NUMBERS, 1.1 * predict(NUMBERS[:6])) is None
