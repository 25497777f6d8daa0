"""Games from files in a study: built, saved, with their truths, their cost and their faults."""

import re

import numpy as np
import pytest
import yaml
from places import ROOT

from shapaudit import datasets, models
from shapaudit.estimators import create
from shapaudit.games import CountedGame, GameError, TabularGame, save
from shapaudit.models import RadialRegression
from shapaudit.truth import compute, shapley_from_table
from shapaudit_audit.jobs import BuildGames, LoadDataset
from shapaudit_audit.jobs.base import Plan
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.collection import build_collection, load_collection
from shapaudit_audit.study.consistency import consistency_faults
from shapaudit_audit.study.outside import check_outside
from shapaudit_audit.study.overlays import ConfigError

VALUES = np.random.default_rng(0).normal(size=(4, 1 << 10))


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study with the blocks that config/README.md shows, and three games and one for tuning."""
    monkeypatch.chdir(tmp_path)
    for k, values in enumerate(VALUES):
        save(TabularGame(values), tmp_path / "data" / "games" / f"{k}.npz")
    page = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    (block,) = [text for text in re.findall(r"```yaml\n(.*?)```", page, re.S) if "game-t" in text]
    blocks = yaml.safe_load(block)
    blocks["games"]["published"] |= {"explicands": 3, "tuning_explicands": 1}
    runs = {"game": "published", "budgets": [60], "repetitions": 1, "estimators": ["walks"]}
    return blocks | {
        **{"study": "s", "seed": 1, "results": "results/s", "claims": {"alpha": 0.05}},
        "estimators": {"walks": {"label": "Walks", "estimator": "optimised-monte-carlo"}},
        "experiments": {"one": runs},
    }


def build(study):
    name = "published"
    rng = np.random.default_rng(0)
    data = datasets.load("game-tables", study["datasets"][name]["params"], rng)
    model = models.train(study["models"][name]["trainer"], data, {}, 0)
    block = study["games"][name]
    counts = block["explicands"], block["tuning_explicands"]
    return build_collection(name, data, model, block["reward"], *counts, rng), model


def test_its_games_are_the_tables_with_exact_truths(study, tmp_path):
    games, model = build(study)
    games.save(tmp_path / "saved")
    read = load_collection(tmp_path / "saved", model)
    assert (read.n_games, read.n_players, read.n_experiment) == (4, 10, 3)
    for k, values in enumerate(VALUES):
        np.testing.assert_array_equal(read.game(k).values, values)
        np.testing.assert_array_equal(read.structured(k).values, values)
        truth = compute("enumeration", read.game(k), np.random.default_rng(0))
        np.testing.assert_allclose(truth.values, shapley_from_table(values))
    assert len(read.experiment_games()) == 3
    counted = CountedGame(read.game(0), 60)
    create("optimised-monte-carlo").estimate(counted, 60, np.random.default_rng(0))
    assert 0 < counted.evaluations <= 60


def test_more_games_than_files_and_other_models_are_refused(study):
    study["games"]["published"]["explicands"] = 4
    with pytest.raises(GameError, match="takes 5 games, and its model has 4"):
        build(study)
    with pytest.raises(ConfigError, match="takes 5 games, and data/games has 4; lower"):
        check_outside(record(Study, study))
    rng = np.random.default_rng(0)
    with pytest.raises(GameError, match="takes 1 games, and its model has 0"):
        build_collection("g", None, RadialRegression(3), "table", 1, 0, rng)
    study["datasets"]["published"]["params"]["path"] = "data/none"
    with pytest.raises(ConfigError, match=r"datasets\.published: data/none is no file"):
        check_outside(record(Study, study))


def test_a_study_of_tables_has_no_faults_and_others_are_named(study):
    check_outside(record(Study, study))
    assert consistency_faults(record(Study, study)) == []
    study["games"]["published"]["baseline"] = "zero"
    (fault,) = consistency_faults(record(Study, study))
    assert "games of table have no explicands" in fault
    study["games"]["published"] |= {"baseline": "drawn", "reward": "prediction"}
    (fault,) = consistency_faults(record(Study, study))
    assert "the reward table and the trainer table need each other" in fault


def test_a_change_of_a_file_runs_the_loading_again_and_tables_cost_nothing(study):
    job = LoadDataset(Plan(study, ROOT), {"dataset": "published"})
    assert job.inputs()["own"] == ["data/games"]
    assert BuildGames(Plan(study), {"game": "published"}).evaluations() == 0
