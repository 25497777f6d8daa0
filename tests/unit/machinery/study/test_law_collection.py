"""Collections of conditional games: built, saved with their law, and their truths."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.games import GameError, all_coalitions
from shapaudit_audit.study.collection import build_collection, load_collection
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.law_collection import LawCollection
from shapaudit_audit.study.sealed import DamagedResult

LOADERS = {
    "gaussian-law": "network",
    "mixture-law": "network",
    "copula-law": "additive",
    "discrete-law": "xgboost",
    "chain-law": "xgboost",
}


def world(loader, trainer, params=None):
    sizes = {"n_rows": 200, "n_features": 4}
    dataset = datasets.load(loader, sizes, np.random.default_rng(0))
    return dataset, models.train(trainer, dataset, params or {}, 0)


def build(dataset, model, explicands=4, tuning=1):
    rng = np.random.default_rng(1)
    return build_collection("made", dataset, model, "expectation", explicands, tuning, rng)


@pytest.mark.parametrize("loader", LOADERS)
def test_games_are_built_kept_and_known_exactly(loader, tmp_path):
    dataset, model = world(loader, LOADERS[loader])
    made = build(dataset, model)
    made.save(tmp_path / "games")
    model.save(tmp_path / "model")
    read = load_collection(tmp_path / "games", models.load_model(tmp_path / "model"))
    assert isinstance(read, LawCollection)
    assert (read.n_games, read.n_experiment, read.n_players) == (5, 4, 4)
    assert read.explicands.tolist() == made.explicands.tolist()
    coalitions = all_coalitions(4)
    for explicand in range(5):
        values = read.structured(explicand)(coalitions)
        np.testing.assert_allclose(read.game(explicand)(coalitions), values, rtol=1e-10)
    truths, differences = compute_all(read, "law", {}, "law-numerical", 0)
    assert {truth.certificate for truth in truths} == {"exact"}
    assert max(differences) < 1e-9
    tables, _ = compute_all(read, "enumeration", {}, None, 0)
    np.testing.assert_allclose([t.values for t in tables], [t.values for t in truths], rtol=1e-8)


def test_explicands_are_distinct_test_rows():
    dataset, model = world("gaussian-law", "polynomial")
    made = build(dataset, model)
    test, _ = dataset.rows("test")
    assert all((row == test).all(axis=1).any() for row in made.explicands)
    assert len(np.unique(made.explicands, axis=0)) == 5


def test_a_model_that_changed_is_noticed(tmp_path):
    dataset, model = world("gaussian-law", "polynomial")
    build(dataset, model).save(tmp_path)
    other = models.train("polynomial", dataset, {"degree": 2}, 0)
    with pytest.raises(GameError, match="differs from the one with which they were built"):
        load_collection(tmp_path, other)


def test_a_damaged_file_is_named(tmp_path):
    build(*world("gaussian-law", "polynomial")).save(tmp_path)
    (tmp_path / "explicands.npz").write_bytes((tmp_path / "explicands.npz").read_bytes()[:-100])
    with pytest.raises(DamagedResult, match="delete it and run again"):
        load_collection(tmp_path, None)


def test_what_cannot_be_built_is_refused():
    dataset, model = world("gaussian-law", "polynomial")
    with pytest.raises(GameError, match="51 games need as many test rows"):
        build(dataset, model, 50, 1)
    with pytest.raises(GameError, match="no closed form is known for a XGBoostModel"):
        build(*world("gaussian-law", "xgboost"))
    other = datasets.load("diabetes", {}, np.random.default_rng(0))
    with pytest.raises(GameError, match=r"diabetes are not; choose a dataset loader.*'-law'"):
        build(other, model)
