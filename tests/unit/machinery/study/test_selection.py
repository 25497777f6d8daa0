"""Explicands that a configuration gives: by row, by rank of the prediction, before those drawn."""

from copy import deepcopy

import numpy as np
import pytest
from places import ROOT

from shapaudit import datasets, models
from shapaudit.games import BaselineGame, GameError, TreeGame, all_coalitions
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.games import SelectionBlock
from shapaudit_audit.study.collection import (
    GameCollection,
    build_collection,
    given_rows,
    select_rows,
)
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.overlays import ConfigError, load_study

SMOKE = ROOT / "config" / "smoke.yaml"


@pytest.fixture(scope="module")
def dataset():
    return datasets.load("diabetes", {}, np.random.default_rng(0))


@pytest.fixture(scope="module")
def model(dataset):
    return models.train("xgboost", dataset, {"n_estimators": 10, "rows": "all"}, 0)


def build(dataset, model, selection, explicands=3, tuning=2):
    rng = np.random.default_rng(7)
    return build_collection("g", dataset, model, "prediction", explicands, tuning, rng, selection)


def test_rows_are_given_by_number(dataset, model):
    selection = SelectionBlock(explicands=[0, 5], baselines=[1, 441])
    x, r = given_rows(dataset, model, selection, 2)
    np.testing.assert_array_equal(x, dataset.features[[0, 5]])
    np.testing.assert_array_equal(r, dataset.features[[1, 441]])


@pytest.mark.parametrize("rank", [1, 10, 442])
def test_rows_are_given_by_the_rank_of_their_prediction(dataset, model, rank):
    selection = SelectionBlock(explicands=[f"largest-{rank}"], baselines=[1])
    (x,), _ = given_rows(dataset, model, selection, 1)
    outputs = np.sort(model.predict(dataset.features))[::-1]
    assert model.predict(x[None])[0] == outputs[rank - 1]


def test_given_rows_come_first_and_the_others_are_drawn(dataset, model):
    made = build(dataset, model, SelectionBlock(explicands=[0], baselines=[1]))
    drawn = select_rows(dataset, model, 4, "prediction", np.random.default_rng(7))
    np.testing.assert_array_equal(made.explicands, [dataset.features[0], *drawn[0]])
    np.testing.assert_array_equal(made.baselines, [dataset.features[1], *drawn[1]])
    assert len(made.experiment_games()) == 3


def test_without_a_selection_all_are_drawn(dataset, model):
    made = build(dataset, model, None)
    drawn = select_rows(dataset, model, 5, "prediction", np.random.default_rng(7))
    np.testing.assert_array_equal(made.explicands, drawn[0])
    np.testing.assert_array_equal(made.baselines, drawn[1])


def test_all_explicands_may_be_given(dataset, model):
    made = build(
        dataset, model, SelectionBlock(explicands=[3, 2], baselines=[4, 4]), explicands=2, tuning=0
    )
    np.testing.assert_array_equal(made.explicands, dataset.features[[3, 2]])


@pytest.mark.parametrize(
    ("explicands", "baselines", "message"),
    [
        ([0, 1], [2], "2 explicands and 1 baselines"),
        ([0, 1, 2, 3], [4, 5, 6, 7], "at most the 3 explicands"),
        ([442], [0], r"rows \[442, 0\]; diabetes has 442 rows"),
        (["largest-443"], [0], "largest-443.* has 442 rows"),
    ],
)
def test_wrong_selections_are_explained(dataset, model, explicands, baselines, message):
    with pytest.raises(GameError, match=message):
        build(dataset, model, SelectionBlock(explicands=explicands, baselines=baselines))


def test_tables_of_tree_games_are_those_of_hybrid_rows(dataset, model, tmp_path):
    made = build(dataset, model, SelectionBlock(explicands=[0], baselines=[1]))
    made.save(tmp_path)
    read = GameCollection.load(tmp_path, model)
    coalitions = all_coalitions(10)
    for explicand in range(5):
        assert isinstance(read.structured(explicand), TreeGame)
        plain = BaselineGame(model.predict, read.explicands[explicand], read.baselines[explicand])
        np.testing.assert_allclose(read.tables[explicand], plain(coalitions), rtol=1e-12)
    _, differences = compute_all(made, "enumeration", {}, "tree", 0)
    assert max(differences) < 1e-10


def selecting(selection):
    config = load_study(SMOKE)
    config["games"]["diabetes"]["selection"] = selection
    return config


@pytest.mark.parametrize("place", [0, 17, "largest-10"])
def test_the_schema_takes_rows_and_ranks(place):
    validate(selecting({"explicands": [place], "baselines": [1]}), ROLES)


@pytest.mark.parametrize("place", [-1, 1.5, "largest-0", "smallest-1", "first"])
def test_the_schema_refuses_what_is_no_row(place):
    config = selecting({"explicands": [place], "baselines": [1]})
    before = deepcopy(config)
    with pytest.raises(ConfigError, match=r"games\.diabetes\.selection\.explicands"):
        validate(config, ROLES)
    assert config == before


def test_the_schema_wants_both():
    with pytest.raises(ConfigError, match="'baselines' is a required property"):
        validate(selecting({"explicands": [0]}), ROLES)
