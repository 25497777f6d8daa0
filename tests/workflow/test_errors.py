"""What a person sees who makes a mistake, and that finished work stays."""

import pytest
import yaml
from workspace import digests, run, write_tiny_study

from shapaudit_audit.study.overlays import load_study

OWN_ESTIMATOR = '''
import os
import signal
import sys
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shapaudit.estimators import Estimate, Estimator


@dataclass(frozen=True)
class EqualSplit(Estimator):
    """Split v(M) - v(empty) equally; at 300 evaluations and more, fail as told."""

    id: ClassVar[str] = "equal-split"
    fault: str = "none"

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        d = game.n_players
        empty, grand = game(np.array([[False] * d, [True] * d]))
        values = np.full(d, (grand - empty) / d)
        if budget >= 300 and self.fault == "raises":
            raise KeyError("lost")
        if budget >= 300 and self.fault == "nan":
            values *= np.nan
        if budget >= 300 and self.fault == "overspends":
            game(np.zeros((budget, d), dtype=bool))
        if budget >= 300 and self.fault == "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if budget >= 300 and self.fault == "leaves":
            os._exit(0)
        if budget >= 300 and self.fault == "exits":
            sys.exit(0)
        if self.fault == "reads":
            values *= np.loadtxt("data/own_factor.txt")
        if self.fault == "is random":
            values += np.random.random(d)
        return Estimate(values, 2)
'''


@pytest.fixture(scope="module")
def study(project):
    """A tiny study with an estimator from outside the package, also normalised."""
    path = write_tiny_study(project)
    (project / "src" / "own_estimator.py").write_text(OWN_ESTIMATOR, encoding="utf-8")
    config = yaml.safe_load(path.read_text(encoding="utf-8"))

    def write(fault="none", files=(), **changes):
        own = {"label": "Own", "estimator": "own_estimator.EqualSplit", "params": {"fault": fault}}
        own["files"] = list(files)
        inside = {"estimator": own["estimator"]}
        normalised = {"label": "Normalised", "estimator": "normalised", "params": inside}
        experiments = {
            "classification": config["experiments"]["classification"]
            | {"estimators": ["plain-mc", "own", "normalised"]}
        }
        estimators = config["estimators"] | {"own": own, "normalised": normalised}
        changed = config | {"estimators": estimators, "experiments": experiments} | changes
        path.write_text(yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")
        return project

    return write


def estimates(project, *arguments):
    return run(project, "estimates", "--configfile", "config/tiny.yaml", "--cores", "2", *arguments)


def test_an_estimator_from_outside_the_package_is_run(study):
    project = study()
    outcome = estimates(project)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    assert (project / "results/tiny/estimates/classification/own.parquet").exists()
    assert outcome.stdout.count("evaluations of games and models") == 1

    (project / "src" / "own_estimator.py").write_text(OWN_ESTIMATOR + "# edited\n", "utf-8")
    planned = estimates(project, "--dry-run").stdout
    assert "evaluations of games and models" not in planned
    assert "Running own on classification" in planned
    assert "Running normalised on classification" in planned
    assert "Running plain-mc on classification" not in planned


def test_a_file_that_an_estimator_reads_has_to_be_named(study):
    project = study("reads")
    factor = project / "data" / "own_factor.txt"
    factor.parent.mkdir(exist_ok=True)
    factor.write_text("2", encoding="utf-8")
    outcome = estimates(project, "--keep-going", "--show-failed-logs")
    assert outcome.returncode != 0
    assert "estimators.own: its code reads files that the configuration does not" in outcome.stdout
    assert "add files: [data/own_factor.txt] to estimators.own" in outcome.stdout

    study("reads", files=["data/own_factor.txt"])
    assert estimates(project).returncode == 0
    factor.write_text("3", encoding="utf-8")
    planned = estimates(project, "--dry-run").stdout
    assert "Running own on classification" in planned
    assert "Running normalised on classification" not in planned


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raises", "KeyError: 'lost'"),
        ("nan", "not finite at budget 300"),
        ("overspends", "BudgetExceeded"),
        ("exits", "called sys.exit(0)"),
        ("is random", "two runs with the same generator differ"),
    ],
)
def test_a_faulty_estimator_is_named_and_the_rest_stays(study, fault, message):
    project = study(fault)
    kept = project / "results/tiny/estimates/classification/plain-mc.parquet"
    before = digests(kept.parent)["plain-mc.parquet"] if kept.exists() else None
    outcome = estimates(project, "--keep-going", "--show-failed-logs")
    assert outcome.returncode != 0
    assert "EqualSplit" in outcome.stdout
    assert message in outcome.stdout
    assert before is None or digests(kept.parent)["plain-mc.parquet"] == before
    assert kept.exists()

    ending = outcome.stdout.partition("At least one job did not complete successfully")[2]
    log = "logs/tiny/run_estimators/classification/own.log"
    assert "1 job failed" in ending
    assert ending.index("run_estimators") < ending.index(log) < ending.index(message)
    assert (project / log).exists()


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("is killed", "its process was killed, most likely because memory ran out"),
        ("leaves", "its process ended without an error: code that it ran may have called"),
    ],
)
def test_a_job_that_dies_is_named_with_the_likely_cause(study, fault, message):
    outcome = estimates(study(fault), "--keep-going")
    assert outcome.returncode != 0
    ending = outcome.stdout.partition("At least one job did not complete successfully")[2]
    assert "1 job failed" in ending
    assert message in ending
    assert "own" in ending.partition(message)[0 if fault == "is killed" else 2]


def test_a_mistyped_key_stops_the_run_at_once(study):
    outcome = estimates(study(seeed=1))
    assert outcome.returncode != 0
    assert "did you mean 'seed'" in outcome.stdout
    assert "Traceback" not in outcome.stdout


def test_a_key_twice_stops_the_run_at_once(study):
    project = study()
    with (project / "config" / "tiny.yaml").open("a", encoding="utf-8") as file:
        file.write("claims: {alpha: 0.1}\n")
    outcome = estimates(project)
    assert outcome.returncode != 0
    assert "the block has 'claims' already" in outcome.stdout
    assert "Traceback" not in outcome.stdout


def test_more_explicands_than_rows_is_explained(study):
    project = study()
    path = project / "config" / "tiny.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    config["games"]["classification"]["explicands"] = 1000
    path.write_text(yaml.safe_dump(config, sort_keys=False), encoding="utf-8")
    outcome = estimates(project, "--show-failed-logs")
    assert outcome.returncode != 0
    assert "need as many test rows" in outcome.stdout


def test_a_study_that_extends_itself_stops_at_once(project):
    path = project / "config" / "round.yaml"
    path.write_text("extends: round.yaml\n", encoding="utf-8")
    outcome = run(project, "--dry-run", "--configfile", "config/round.yaml")
    assert outcome.returncode != 0
    assert "a study cannot extend itself" in outcome.stdout
    assert "Traceback" not in outcome.stdout


def test_later_files_and_the_command_line_are_laid_over_what_is_extended(project):
    own = project / "config" / "fewer.yaml"
    own.write_text("claims: {alpha: 0.01}\npaths: null\nseed: 5\n", encoding="utf-8")
    files = ("--configfile", "config/smoke.yaml", "config/fewer.yaml")
    target = "results/smoke/study.yaml"
    outcome = run(project, *files, "--config", "seed=7", "--cores", "1", "--", target)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    study = yaml.safe_load((project / target).read_text(encoding="utf-8"))
    smoke = load_study(project / "config" / "smoke.yaml")
    del smoke["paths"]
    assert study == smoke | {"seed": 7, "claims": smoke["claims"] | {"alpha": 0.01}}


def test_a_run_of_too_many_evaluations_is_not_begun(study):
    outcome = estimates(study(most_evaluations=1, seed=5))
    assert outcome.returncode != 0
    assert "for games.classification, and most_evaluations is 1; lower the" in outcome.stdout
    assert "steps (" not in outcome.stdout
