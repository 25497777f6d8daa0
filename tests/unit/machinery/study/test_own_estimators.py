"""Files of the estimators of a configuration, and what is said of those that are not named."""

import os
import subprocess
import sys

import numpy as np
import pytest
from places import ROOT

from shapaudit.games import TabularGame
from shapaudit.truth import Truth, shapley_from_table
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.opened import UnnamedFiles
from shapaudit_audit.study.own_estimators import estimator_files, estimators_of
from shapaudit_audit.study.samples import deviations, kept_estimates

SOURCE = """
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from shapaudit.estimators import Estimate, PlainMonteCarlo

HERE = Path(__file__).parent
FACTOR = float((HERE / "factor.txt").read_text())


@dataclass(frozen=True)
class Mine(PlainMonteCarlo):
    id: ClassVar[str] = "mine"

    def trajectory(self, game, checkpoints, rng):
        with open(HERE / "calls.txt", "a") as calls:
            calls.write("called ")
        if "{late}" not in ("", game.name):
            return super().trajectory(game, checkpoints, rng)
        (HERE / "shift.txt").read_bytes()
        return super().trajectory(game, checkpoints, rng)
"""
GAMES = [TabularGame(np.random.default_rng(k).normal(size=8), f"g{k}") for k in range(2)]
TRUTHS = [Truth(shapley_from_table(game.values), "exact", "enumeration") for game in GAMES]
EXPERIMENT = ExperimentBlock(game="g", budgets=[7, 13], repetitions=2, keep=2, estimators=["mine"])
PATH = PathBlock(game="g", explicands=2, step=2, samples=4, replicates=2, estimators=["mine"])
WAYS = {
    "run": lambda specs, games: run_spec(
        specs["mine"], EXPERIMENT, games, TRUTHS, 0, ("e", "mine")
    ),
    "keep": lambda specs, games: kept_estimates(specs, EXPERIMENT, games, 0, "e"),
    "path": lambda specs, games: deviations(specs, PATH, games, 0, "p"),
}


class Games:
    """A collection whose model reads a file for each prediction."""

    n_players, n_experiment = 3, 2

    def experiment_games(self):
        return [self.game(explicand) for explicand in range(2)]

    def game(self, explicand):
        self.predictions()
        return GAMES[explicand]

    def predictions(self):
        with open("model.txt", encoding="utf-8") as file:
            return file.read()


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The block of an estimator in a folder of its own; it may read late, in another game alone."""
    for name in ("factor.txt", "shift.txt", "model.txt"):
        (tmp_path / name).write_text("1", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def write(late="", files=()):
        name = f"own_{tmp_path.name}_{late}"
        (tmp_path / f"{name}.py").write_text(SOURCE.replace("{late}", late), encoding="utf-8")
        return {"mine": EstimatorBlock(estimator=f"{name}.Mine", files=[*files])}

    return write


@pytest.mark.parametrize("way", WAYS)
def test_files_that_an_estimator_reads_are_named(mine, way):
    named = r"add files: \[factor.txt, shift.txt\] to estimators\.mine"
    with pytest.raises(UnnamedFiles, match=rf"^estimators\.mine: .* {named}$"):
        WAYS[way](mine(), Games())


@pytest.mark.parametrize("way", WAYS)
def test_an_estimator_may_read_what_it_names_and_its_model_what_it_likes(mine, way):
    WAYS[way](mine(files=["factor.txt", "shift.txt"]), Games())


def test_it_is_told_before_the_work(mine, tmp_path):
    specs = mine()
    with pytest.raises(UnnamedFiles):
        WAYS["run"](specs, Games())
    assert (tmp_path / "calls.txt").read_text(encoding="utf-8").split() == 2 * ["called"]


@pytest.mark.parametrize("way", WAYS)
def test_files_that_are_read_in_the_end_count_too(mine, way):
    with pytest.raises(UnnamedFiles, match=r"add files: \[shift.txt\] to"):
        WAYS[way](mine("g1", ["factor.txt"]), Games())


@pytest.mark.parametrize("way", WAYS)
def test_estimators_of_the_package_are_not_asked(tmp_path, monkeypatch, way):
    class Reading(Games):
        def game(self, explicand):
            (tmp_path / "elsewhere.txt").read_bytes()
            return GAMES[explicand]

    (tmp_path / "elsewhere.txt").write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    WAYS[way]({"mine": EstimatorBlock(estimator="plain-monte-carlo")}, Reading())


def test_files_of_estimators_are_found_with_what_they_normalise():
    normalised = EstimatorBlock(estimator="normalised", params={"estimator": "LS_ANTI"})
    files = estimator_files({"a": normalised, "b": EstimatorBlock(estimator="kernel-shap")})
    assert files == ["shapaudit/estimators/kernel.py", "shapaudit/estimators/normalised.py"]
    assert estimator_files({"c": EstimatorBlock(estimator="normalised")}) == [
        "shapaudit/estimators/monte_carlo.py",
        "shapaudit/estimators/normalised.py",
    ]


def test_estimators_inside_others_are_found():
    path = "shapaudit.estimators.sgd.ProjectedSGD"
    inner = {"estimator": path}
    assert list(estimators_of(EstimatorBlock(**inner))) == [path]
    single = {"estimator": "normalised", "params": inner}
    two = EstimatorBlock(estimator="normalised", params=single)
    assert list(estimators_of(two)) == ["normalised", "normalised", path]
    alone = EstimatorBlock(estimator="Normalised")
    assert list(estimators_of(alone)) == ["Normalised", "plain-monte-carlo"]


def test_looking_at_an_estimator_imports_no_other_one():
    """What a job imports is part of the code that is digested for it."""
    program = (
        "import sys; from shapaudit_audit.study.own_estimators import estimator_files;"
        "from shapaudit_audit.study.blocks.runs import EstimatorBlock;"
        "estimator_files({'a': EstimatorBlock(estimator='kernel-shap')});"
        "print(*(name for name in sys.modules if name.startswith('shapaudit.estimators.')))"
    )
    imported = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "shapaudit.estimators.kernel" in imported
    assert not {f"shapaudit.estimators.{name}" for name in ("normalised", "sgd")} & {*imported}
