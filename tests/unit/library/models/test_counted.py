"""Counted rows of a model, and the weights of trees."""

import json

import numpy as np
import pytest

from shapaudit.datasets import Dataset
from shapaudit.models import CountedModel, ModelError, RowsExceeded, load_model, train
from shapaudit.models.nodes import LEAF
from shapaudit.removals.path_dependent import PathDependentGame
from shapaudit_papers.theory.trees import Split, as_ensemble, path_dependent_game

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(80, 3))


@pytest.fixture(scope="module")
def booster():
    split = {"train": np.arange(60), "test": np.arange(60, 80)}
    target = ROWS[:, 0] * ROWS[:, 1]
    dataset = Dataset("drawn", ROWS, target, ("a", "b", "c"), split, "generated")
    return train("xgboost", dataset, {"n_estimators": 4, "max_depth": 3}, 0)


def test_rows_are_counted_and_refused_beyond_the_limit(booster):
    counted = CountedModel(booster, 100)
    np.testing.assert_array_equal(counted.predict(ROWS), booster.predict(ROWS))
    assert counted.rows == 80
    with pytest.raises(RowsExceeded, match="80 of 100 rows of the model are spent; 21 more"):
        counted.predict(ROWS[:21])
    counted.predict(ROWS[:20])
    assert counted.rows == 100
    with pytest.raises(ModelError, match="limit of rows must be a whole number"):
        CountedModel(booster, 2.5)


def test_weights_of_the_file_are_counts_for_squared_errors(booster):
    ensemble = booster.ensemble
    counted = ensemble.reweighted(ROWS[:60])
    np.testing.assert_allclose(ensemble.weight, counted.weight)
    assert (counted.weight[ensemble.roots] == 60).all()
    split = ensemble.nodes.feature != LEAF
    children = counted.weight[ensemble.nodes.left] + counted.weight[ensemble.nodes.right]
    np.testing.assert_array_equal(children[split], counted.weight[split])


def test_weights_are_saved_where_there_are_any(booster, tmp_path):
    booster.ensemble.save(tmp_path / "with")
    np.testing.assert_array_equal(load_model(tmp_path / "with").weight, booster.ensemble.weight)
    document = json.loads(booster.document)
    for tree in document["learner"]["gradient_booster"]["model"]["trees"]:
        del tree["sum_hessian"]
    bare = type(booster.ensemble).from_xgboost(document)
    assert bare.weight is None
    bare.save(tmp_path / "without")
    assert load_model(tmp_path / "without").weight is None


def test_path_dependent_values_are_those_in_fractions():
    tree = Split(0, 0.5, Split(1, 0.5, 0.0, 4.0), 1.0)
    rows = np.array([[0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [1, 1]], dtype=float)
    ensemble = as_ensemble(tree, 2).reweighted(rows)
    x = np.array([0.0, 1.0])
    game = PathDependentGame(ensemble, x, "tree")
    coalitions = np.array([[False, False], [True, False], [False, True], [True, True]])
    expected = path_dependent_game(tree, x.tolist(), rows.tolist())
    np.testing.assert_allclose(game(coalitions), expected.astype(float))
    assert game(coalitions)[2] == 2.5


def test_children_that_no_row_reaches_count_for_a_half_each():
    tree = Split(0, 0.5, Split(1, 0.5, 2.0, 6.0), 1.0)
    ensemble = as_ensemble(tree, 2).reweighted(np.ones((3, 2)))
    game = PathDependentGame(ensemble, np.zeros(2), "tree")
    assert game(np.array([[True, False]])).tolist() == [4.0]
