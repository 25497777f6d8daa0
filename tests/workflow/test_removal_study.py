"""A study of one's own with removals: mixed data, a removal of choice, and one of one's own."""

import numpy as np
import pytest
import yaml
from workspace import run

from shapaudit_audit.study.reading import load_truth

pytestmark = pytest.mark.studies

OWN = '''
from dataclasses import dataclass

import numpy as np

from shapaudit.removals import Removal
from shapaudit.removals.completed import BackgroundRows, CompletedGame


@dataclass(frozen=True)
class Quartiles(Removal):
    """Absent features are at their quartiles, all at the same."""

    id = "quartiles"
    middle: float = 2.0

    def learn(self, model, background, rng):
        return {"quartiles": np.percentile(background.rows, [25, 50, 75], axis=0)}

    def play(self, fitted, explicand, rng):
        weights = np.array([1.0, self.middle, 1.0])
        rows = BackgroundRows(explicand, fitted.arrays["quartiles"], weights)
        return CompletedGame(fitted, explicand, rows)
'''
GAME = {
    "label": "Houses",
    "model": "houses",
    "reward": "prediction",
    "players": 4,
    "explicands": 10,
}
GAME |= {"truth": {"method": "enumeration"}}
STUDY = {
    "study": "houses",
    "seed": 3,
    "results": "results/houses",
    "datasets": {"houses": {"loader": "csv", "params": {"path": "data/houses.csv", "target": "y"}}},
    "models": {
        "houses": {
            "dataset": "houses",
            "trainer": "xgboost",
            "params": {"n_estimators": 10, "max_depth": 3},
        }
    },
    "removals": {
        "near": {
            "removal": "kernel",
            "params": {"bandwidth": 0.5, "categorical": ["ocean", "rooms"]},
        },
        "drawn": {"removal": "gaussian", "params": {"draws": 20}},
        "mine": {"removal": "my_removal.Quartiles", "params": {"middle": 3.0}},
    },
    "games": {name: GAME | {"removal": name} for name in ("near", "drawn", "mine")},
    "estimators": {
        "walks": {"label": "Walks", "estimator": "optimised-monte-carlo"},
        "kernel": {"label": "KernelSHAP", "estimator": "paired-kernel-shap"},
    },
    "experiments": {
        name: {
            "game": name,
            "budgets": [14, 60],
            "repetitions": 1,
            "per_job": 2,
            "estimators": ["walks", "kernel"],
        }
        for name in ("near", "drawn", "mine")
    },
    "claims": {"alpha": 0.05},
}


@pytest.fixture(scope="module")
def houses(project):
    """The project with a table of mixed columns, like California's houses, and a removal."""
    rng = np.random.default_rng(0)
    income = rng.gamma(3.0, 1.2, 200)
    rooms = rng.integers(1, 4, 200)
    ocean = (rng.random(200) < 1 / (1 + np.exp(3 - income))).astype(int)
    age = rng.normal(30 - 5 * ocean, 8)
    value = 40 * income + 20 * ocean - 0.3 * age * rooms + rng.normal(0, 5, 200)
    table = np.column_stack([income, rooms, ocean, age, value])
    (project / "data").mkdir(exist_ok=True)
    header = "income,rooms,ocean,age,y"
    path = project / "data" / "houses.csv"
    np.savetxt(path, table, delimiter=",", header=header, comments="", fmt="%.6g")
    (project / "src" / "my_removal.py").write_text(OWN, encoding="utf-8")
    text = yaml.safe_dump(STUDY, sort_keys=False)
    (project / "config" / "houses.yaml").write_text(text, encoding="utf-8")
    return project


def run_houses(project, *arguments):
    return run(project, "--cores", "2", "--configfile", "config/houses.yaml", *arguments)


def test_removals_are_fitted_played_and_estimated(houses):
    outcome = run_houses(houses)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    results = houses / "results" / "houses"
    truths = {name: load_truth(results, name) for name in STUDY["games"]}
    assert {truth["certificate"].iloc[0] for truth in truths.values()} == {"exact"}
    values = [truth["value"].to_numpy() for truth in truths.values()]
    assert np.abs(values[0] - values[1]).max() > 0.1
    for name in STUDY["games"]:
        assert (results / "removals" / "houses" / name / "removal.npz").exists()
        assert (results / "estimates" / name / "walks.parquet").exists()
    assert "Nothing to be done" in run_houses(houses).stdout
    own = houses / "src" / "my_removal.py"
    own.write_text(OWN.replace("[25, 50, 75]", "[10, 50, 90]"), encoding="utf-8")
    planned = run_houses(houses, "--dry-run").stdout
    own.write_text(OWN, encoding="utf-8")
    assert "Fitting the removal mine" in planned
    assert "tabulating the game mine" in planned
    assert "the game near" not in planned
    assert "the game drawn" not in planned


# What of the example is somebody's own: mixed columns, categories by name, no other models.
MINE = {
    "extends": "my_study.yaml",
    "results": "results/mixed",
    "datasets": {"mine": {"params": {"path": "data/houses.csv"}}},
    "models": {"saved-booster": None, "any-function": None},
    "removals": {"near": {"params": {"categorical": ["ocean", "rooms"]}}},
    "games": {
        "trained-here": {"players": 4, "explicands": 10},
        "by-removal": {"players": 4},
        "saved-booster": None,
        "any-function": None,
    },
    "estimators": {"mine": None},
    "experiments": {
        name: {"budgets": [60], "estimators": ["optimised-mc", "paired-kernel-shap"]}
        for name in ("trained-here", "by-removal")
    }
    | {"saved-booster": None, "any-function": None},
}


def test_mixed_data_go_through_the_example_with_a_removal_of_choice(houses):
    path = houses / "config" / "mixed.yaml"
    path.write_text(yaml.safe_dump(MINE, sort_keys=False), encoding="utf-8")
    outcome = run(houses, "--cores", "2", "--configfile", "config/mixed.yaml")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    results = houses / "results" / "mixed"
    trained, other = (load_truth(results, name)["value"] for name in ("trained-here", "by-removal"))
    assert len(trained) == len(other) == 40
    assert np.abs(trained - other).max() > 0.1
    page = (results / "site" / "index.html").read_text(encoding="utf-8")
    assert "Boosted trees and near rows" in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"removals": {"near": {"removal": "kernal"}}},
            "removals.near: unknown removal 'kernal' (",
        ),
        ({"removals": {"near": {"removal": "kernel", "params": {"sigma": 1}}}}, "no parameter 'si"),
        ({"games": {"near": GAME | {"removal": "nera"}}}, "removal 'nera' is not in the configur"),
        (
            {"games": {"near": GAME | {"removal": "near", "baseline": "zero"}}},
            "games of a removal have no baselines; leave out baseline",
        ),
        (
            {"games": {"near": GAME | {"removal": "near", "reward": "same-class"}}},
            "a removal takes the reward prediction, not same-class",
        ),
        (
            {"games": {"near": GAME | {"removal": "near", "truth": {"method": "tree"}}}},
            "games.near.truth: tree knows no removals; take one of enumeration",
        ),
    ],
)
def test_mistakes_are_told_before_the_first_job(houses, change, words):
    path = houses / "config" / "wrong.yaml"
    study = {**STUDY, **{block: {**STUDY[block], **content} for block, content in change.items()}}
    path.write_text(yaml.safe_dump(study, sort_keys=False), encoding="utf-8")
    outcome = run(houses, "--dry-run", "--configfile", "config/wrong.yaml")
    assert outcome.returncode != 0
    assert words in outcome.stdout + (outcome.stderr or "")
