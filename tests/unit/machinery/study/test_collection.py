"""Choosing explicands, tabulating, saving, and the comparison of two methods of truth."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.games import BaselineGame, GameError, RadialGame, SameClassGame, all_coalitions
from shapaudit.seeding import generator
from shapaudit.truth import TruthError
from shapaudit_audit.study.collection import (
    GameCollection,
    build_collection,
    make_game,
    select_rows,
)
from shapaudit_audit.study.ground_truth import compute_all


def gaussian(trainer, d=5, rows=60):
    dataset = datasets.load("gaussian", {"n_rows": rows, "n_features": d}, np.random.default_rng(0))
    return dataset, models.train(trainer, dataset, {}, 0)


def collection(trainer, reward, **changes):
    dataset, model = gaussian(trainer, **changes)
    return build_collection("games", dataset, model, reward, 6, 2, generator(0, "pairs"))


def test_same_class_explicands_come_from_different_classes():
    dataset, model = gaussian("chi-square")
    x, r = select_rows(dataset, model, 10, "same-class", np.random.default_rng(1))
    assert (model.predict(x) != model.predict(r)).all()


def test_explicands_are_distinct_test_rows_and_baselines_training_rows():
    dataset, model = gaussian("radial")
    x, r = select_rows(dataset, model, 15, "prediction", np.random.default_rng(1))
    test, train = dataset.rows("test")[0], dataset.rows("train")[0]
    assert len(np.unique(x, axis=0)) == 15
    assert all((row == test).all(axis=1).any() for row in x)
    assert all((row == train).all(axis=1).any() for row in r)


@pytest.mark.parametrize(
    ("trainer", "reward", "kind"),
    [("chi-square", "same-class", SameClassGame), ("radial", "prediction", RadialGame)],
)
def test_structured_games_equal_the_model_on_hybrid_rows(trainer, reward, kind):
    dataset, model = gaussian(trainer)
    (x,), (r,) = select_rows(dataset, model, 1, reward, np.random.default_rng(3))
    game = make_game(model, reward, x, r, "g")
    assert isinstance(game, kind)
    coalitions = all_coalitions(5)
    outputs = BaselineGame(model.predict, x, r)(coalitions)
    expected = outputs == outputs[-1] if reward == "same-class" else outputs - outputs[0]
    np.testing.assert_allclose(game(coalitions), expected, atol=1e-12)


def test_the_same_class_reward_of_any_model():
    dataset = datasets.load("diabetes", {}, np.random.default_rng(0))
    model = models.train("xgboost", dataset, {"n_estimators": 2, "max_depth": 2}, 0)
    x, r = dataset.features[:2]
    values = make_game(model, "same-class", x, r, "g")(all_coalitions(10))
    assert set(np.unique(values)) <= {0.0, 1.0}
    assert values[-1] == 1.0


def test_tables_hold_the_games_and_survive_saving(tmp_path):
    made = collection("radial", "prediction")
    assert made.tables.shape == (8, 32)
    made.save(tmp_path / "games")
    read = GameCollection.load(tmp_path / "games", made.model)
    assert len(read.experiment_games()) == 6
    assert len(read.tuning_games()) == 2
    coalitions = all_coalitions(5)
    for explicand in range(8):
        np.testing.assert_array_equal(read.game(explicand)(coalitions), made.tables[explicand])
        np.testing.assert_allclose(read.structured(explicand)(coalitions), made.tables[explicand])


def test_large_games_are_not_tabulated(tmp_path):
    made = collection("chi-square", "same-class", d=30)
    made.save(tmp_path / "games")
    read = GameCollection.load(tmp_path / "games", made.model)
    assert read.tables is None
    assert isinstance(read.game(0), SameClassGame)


def test_too_few_rows_or_classes_are_explained():
    with pytest.raises(GameError, match="need as many test rows"):
        collection("radial", "prediction", rows=20)
    dataset, _ = gaussian("chi-square")
    with pytest.raises(GameError, match="no baseline of another class"):
        build_collection(
            "g", dataset, models.ChiSquareClassifier(1e9), "same-class", 2, 0, generator(0)
        )
    with pytest.raises(GameError, match="unknown reward"):
        make_game(models.ChiSquareClassifier(1.0), "profit", [0.0], [1.0], "g")


def test_two_methods_are_compared():
    truths, differences = compute_all(
        collection("radial", "prediction"), "enumeration", {}, "multilinear", 0
    )
    assert [truth.certificate for truth in truths] == ["exact"] * 8
    assert max(differences) < 1e-12
    _, unchecked = compute_all(collection("radial", "prediction"), "enumeration", {}, None, 0)
    assert np.isnan(unchecked).all()


def test_only_exact_methods_are_compared():
    with pytest.raises(TruthError, match="neither may be a reference"):
        compute_all(collection("radial", "prediction"), "enumeration", {}, "permutations", 0)


def test_bounded_values_are_compared_to_their_bounds():
    made = collection("chi-square", "same-class", d=12, rows=120)
    truths, differences = compute_all(made, "inversion", {"bound": 0.02}, "enumeration", 0)
    assert [truth.certificate for truth in truths] == ["bounded"] * 8
    assert 1e-9 < max(differences) < 0.02
    made.tables[3] = 1 - made.tables[3]
    with pytest.raises(TruthError, match=r"games\[3\].*proved of their errors"):
        compute_all(made, "inversion", {"bound": 0.02}, "enumeration", 0)


def test_methods_that_differ_stop_the_run_and_name_the_game():
    made = collection("radial", "prediction")
    made.tables[3, 7] += 1.0
    with pytest.raises(TruthError, match=r"games\[3\]"):
        compute_all(made, "enumeration", {}, "multilinear", 0)
