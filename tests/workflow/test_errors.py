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


# By what an estimator does: what is said of its job at the end of the run.
FAULTS = {
    "raises": "KeyError: 'lost'",
    "nan": "not finite at budget 300",
    "overspends": "BudgetExceeded",
    "exits": "called sys.exit(0)",
    "is random": "two runs with the same generator differ",
    "reads": "add files: [data/own_factor.txt] to estimators.reads",
    "is killed": "its process was killed, most likely because memory ran out",
    "leaves": "its process ended without an error: code that it ran may have called",
}
DYING = ("is killed", "leaves")  # without a word in the log


def own_estimator(fault="none", files=()):
    params = {"fault": fault}
    return {
        "label": f"Own, {fault}",
        "estimator": "own_estimator.EqualSplit",
        "params": params,
        "files": list(files),
    }


@pytest.fixture(scope="module")
def study(project):
    """A function: a tiny study with estimators from outside the package, also normalised."""
    path = write_tiny_study(project)
    (project / "src" / "own_estimator.py").write_text(OWN_ESTIMATOR, encoding="utf-8")
    factor = project / "data" / "own_factor.txt"
    factor.parent.mkdir(exist_ok=True)
    factor.write_text("2", encoding="utf-8")
    config = yaml.safe_load(path.read_text(encoding="utf-8"))

    def write(own=None, **changes):
        own = own or {"own": own_estimator()}
        inside = {"estimator": "own_estimator.EqualSplit"}
        normalised = {"label": "Normalised", "estimator": "normalised", "params": inside}
        experiments = {
            "classification": config["experiments"]["classification"]
            | {"estimators": ["plain-mc", *own, "normalised"]}
        }
        estimators = config["estimators"] | own | {"normalised": normalised}
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


@pytest.fixture(scope="module")
def failed(study):
    """By fault: what the end of a run says of the estimator that has it."""
    project = study({name_of(fault): own_estimator(fault) for fault in FAULTS})
    folder = project / "results/tiny/estimates/classification"
    before = digests(folder)
    outcome = estimates(project, "--keep-going", "--show-failed-logs")
    assert outcome.returncode != 0
    assert digests(folder).items() >= before.items()
    ending = outcome.stdout.partition("At least one job did not complete successfully")[2]
    head, *failures = ending.strip(".\n").split("\n\n")
    assert head.startswith(f"{len(FAULTS)} jobs failed after ")
    begins = {fault: f"run_estimators: Running {name_of(fault)} on" for fault in FAULTS}
    return {
        fault: next(text for text in failures if text.startswith(begin))
        for fault, begin in begins.items()
    }


def name_of(fault):
    return fault.replace(" ", "-")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_estimator_is_named_with_its_fault_and_its_log(study, failed, fault):
    log = f"logs/tiny/run_estimators/classification/{name_of(fault)}.log"
    told = failed[fault]
    assert FAULTS[fault] in told
    if fault not in DYING:
        assert log in told
        text = (study() / log).read_text(encoding="utf-8")
        assert "reads files that the configuration" in text or "EqualSplit" in text


def test_what_can_be_made_beside_a_job_that_fails_is_made(study, failed):
    assert failed
    planned = estimates(study(), "--dry-run").stdout
    assert "Running plain-mc on" not in planned
    assert "Running normalised on" not in planned


def test_a_file_that_an_estimator_names_is_followed(study):
    files = ["data/own_factor.txt"]
    project = study({"own": own_estimator("reads", files)})
    assert estimates(project).returncode == 0
    (project / files[0]).write_text("3", encoding="utf-8")
    planned = estimates(project, "--dry-run").stdout
    assert "Running own on classification" in planned
    assert "Running normalised on classification" not in planned


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
