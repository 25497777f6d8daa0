"""Collections of a removal's games: built, saved with what was fitted, and their truths."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.games import GameError
from shapaudit.removals import create
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.removal_collection import RemovalCollection, build_removal_games

SIZES = {"n_rows": 400, "n_features": 4}


def build(loader, removal="gaussian", params=None, explicands=3, name="made"):
    dataset = datasets.load(loader, {} if loader == "diabetes" else SIZES, np.random.default_rng(0))
    model = models.train("xgboost", dataset, {"n_estimators": 10, "max_depth": 3}, 0)
    fitted = create(removal, params).fit(model, dataset, np.random.default_rng(1))
    return build_removal_games(name, dataset, fitted, explicands, 1, np.random.default_rng(2), 7)


@pytest.mark.parametrize("loader", ["diabetes", "gaussian-law"])
def test_games_are_the_same_in_every_job(loader, tmp_path):
    made = build(loader, params={"draws": 20})
    made.save(tmp_path / "games")
    made.model.save(tmp_path / "model")
    read = load_collection(tmp_path / "games", models.load_model(tmp_path / "model"))
    assert isinstance(read, RemovalCollection)
    assert (read.n_games, read.n_experiment, read.n_players) == (4, 3, made.n_players)
    for explicand in range(4):
        values = made.structured(explicand)
        np.testing.assert_array_equal(read.game(explicand).values, made.game(explicand).values)
        coalitions = np.eye(made.n_players, dtype=bool)
        np.testing.assert_array_equal(read.structured(explicand)(coalitions), values(coalitions))
    assert not np.array_equal(build(loader, name="other").tables, made.tables)


def test_under_a_law_the_truth_is_that_of_the_population():
    exact = build("discrete-law", "exact-match", {"own_row": True})
    population, _ = compute_all(exact, "law", {}, "law-numerical", 0)
    own, _ = compute_all(exact, "enumeration", {}, None, 0)
    marginal, _ = compute_all(build("discrete-law", "marginal"), "law", {}, None, 0)
    for of_law, other, same in zip(population, own, marginal, strict=True):
        np.testing.assert_allclose(of_law.values, same.values, atol=1e-9)
        distance = np.abs(of_law.values - other.values).max()
        assert 0 < distance < 0.5 * np.abs(of_law.values).sum() + 0.1


def test_too_few_test_rows_are_told():
    with pytest.raises(GameError, match="101 games need as many test rows"):
        build("discrete-law", "marginal", explicands=100)
