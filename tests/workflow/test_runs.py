"""The same study gives the same bytes, however it is run, interrupted and resumed."""

import os
import re
import signal
import subprocess
import time
from contextlib import contextmanager

import pytest
import yaml
from workspace import ROOT, command, copy_project, digests, environment, run, write_tiny_study

from shapaudit_audit.audit.evidence import read_pieces
from shapaudit_audit.papers import PAPERS

pytestmark = pytest.mark.studies

GRAH, CHEN, BELL = (key for key in PAPERS if key.split("_")[0] in ("grah", "chen", "bell"))
TARGETS = ["estimates", "audit", "--configfile", "config/tiny.yaml"]


@pytest.fixture(scope="module")
def finished(project):
    """A finished tiny study on two cores."""
    write_tiny_study(project)
    outcome = run(project, *TARGETS, "--cores", "2")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    return project


def test_a_second_run_does_nothing(finished):
    outcome = run(finished, *TARGETS, "--cores", "2")
    assert outcome.returncode == 0
    assert "Nothing to be done" in outcome.stdout


def test_one_core_and_kernels_compiled_anew_give_the_same_bytes(finished, tmp_path):
    other = copy_project(tmp_path / "project", finished)
    write_tiny_study(other)
    cold = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    outcome = run(other, *TARGETS, "--cores", "1", "--verbose", **cold)
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    assert digests(other / "results" / "tiny") == digests(finished / "results" / "tiny")
    # Jobs are selected once at the start and after each job, now and then, and not every second.
    jobs = len(re.findall("^Finished jobid", outcome.stdout, flags=re.MULTILINE))
    assert jobs > 10
    assert len(re.findall("^Ready jobs: ", outcome.stdout, flags=re.MULTILINE)) <= 2 * jobs


def test_a_killed_run_resumes_to_the_same_bytes(finished, tmp_path):
    other = copy_project(tmp_path / "project", finished)
    write_tiny_study(other)
    evidence = [f"results/tiny/evidence/{paper}.json" for paper in (GRAH, "field")]
    targets = ["estimates", *evidence, *TARGETS[2:]]
    process = subprocess.Popen(
        command(*targets, "--cores", "2"),
        cwd=other,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    while not list(other.glob("results/tiny/truth/*.parquet")):
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not any((other / path).exists() for path in evidence)

    assert run(other, "--unlock", "--configfile", "config/tiny.yaml").returncode == 0
    outcome = run(other, *targets, "--cores", "2", "--rerun-incomplete")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    assert all((other / path).exists() for path in evidence)
    resumed, whole = (digests(project / "results" / "tiny") for project in (other, finished))
    assert resumed == {path: whole[path] for path in resumed}


def dry_run(project) -> str:
    """What a dry run says."""
    outcome = run(project, *TARGETS, "--dry-run")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    return outcome.stdout


def planned(project) -> set[str]:
    """What a dry run would execute: rules, and papers whose evidence it would gather."""
    said = dry_run(project)
    _, _, table = said.partition("Job stats:")
    table = table.partition("total")[0]
    rules = re.findall(r"^(\w+) +\d+$", table, flags=re.MULTILINE)
    papers = re.findall(r"Gathering the evidence on (\w+):", said, flags=re.MULTILINE)
    return {*rules, *papers}


@contextmanager
def edited(path):
    """A file of text with one more line, and a time of now."""
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(before + b"# edited\n")
    os.utime(path)
    try:
        yield
    finally:
        path.write_bytes(before)
        os.utime(path, (times.st_atime, times.st_mtime))


@pytest.mark.parametrize(
    ("module", "reruns", "stays"),
    [
        ("shapaudit/estimators/sgd.py", {"run_estimators", GRAH}, {"compute_truth", "build_games"}),
        (
            "shapaudit/estimators/strata.py",
            set(),
            {"run_estimators", "compute_truth", "build_games"},
        ),
        ("shapaudit/statistics/limits.py", {"judge_claims"}, {"run_estimators", "compute_truth"}),
        ("shapaudit/truth/enumeration.py", {"compute_truth", "run_estimators"}, {"build_games"}),
        (
            "shapaudit/datasets/gaussian.py",
            {"load_dataset", "run_estimators", "judge_claims"},
            set(),
        ),
        (
            "shapaudit_audit/report/style.py",
            set(),
            {"load_dataset", "run_estimators", "judge_claims"},
        ),
        ("shapaudit_papers/field/evidence/svarm.py", {"field", "judge_claims"}, {GRAH, CHEN, BELL}),
        (
            "shapaudit_papers/field/claims/svarm.py",
            {"judge_claims"},
            {"gather_evidence", "run_estimators"},
        ),
        (f"shapaudit_papers/{CHEN}/claims/__init__.py", {"judge_claims"}, {"gather_evidence"}),
        (f"shapaudit_papers/{BELL}/tables.py", set(), {"gather_evidence", "judge_claims"}),
    ],
)
def test_editing_a_module_reruns_what_depends_on_it(finished, module, reruns, stays):
    with edited(finished / "src" / module):
        rules = planned(finished)
    assert reruns <= rules
    assert not stays & rules


@pytest.mark.parametrize(
    "key", [path.stem for path in sorted((ROOT / "config" / "published").glob("*.csv"))]
)
def test_editing_printed_values_reruns_the_evidence_that_reads_them(finished, key):
    with edited(finished / "config" / "published" / f"{key}.csv"):
        rules = planned(finished)
    readers = {paper.key for paper in PAPERS.values() if key in paper.reads}
    assert rules & set(PAPERS) == readers
    assert ("judge_claims" in rules) == bool(readers)
    assert "run_estimators" not in rules


@contextmanager
def configured(project, *keys, value):
    """The tiny study with another value under some keys of its configuration."""
    path = project / "config" / "tiny.yaml"
    before = path.read_text(encoding="utf-8")
    study = yaml.safe_load(before)
    block = study
    for key in keys[:-1]:
        block = block[key]
    assert block.get(keys[-1]) != value
    block[keys[-1]] = value
    path.write_text(yaml.safe_dump(study, sort_keys=False), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def test_a_dry_run_names_the_module_the_key_and_the_file_that_changed(finished):
    with edited(finished / "src" / "shapaudit" / "estimators" / "sgd.py"):
        said = dry_run(finished)
    assert "Running psgd-sqrt-tuned on classification: module shapaudit.estimators.sgd" in said
    assert "Running optimised-mc" not in said
    with configured(finished, "experiments", "classification", "repetitions", value=7):
        said = dry_run(finished)
    running = "Running optimised-mc on classification: experiment.repetitions was "
    assert re.search(rf"{running}\d+ and is 7$", said, flags=re.MULTILINE)
    printed = f"config/published/{GRAH}.csv"
    reader = next(key for key, paper in PAPERS.items() if GRAH in paper.reads)
    with edited(finished / printed):
        said = dry_run(finished)
    assert re.search(rf"^Gathering the evidence on {reader}: .*{printed}", said, flags=re.MULTILINE)


def test_another_error_rate_judges_anew_and_gathers_nothing(finished):
    with configured(finished, "claims", "alpha", value=0.04):
        assert planned(finished) == {"judge_claims", "verify_evidence", "audit"}


@pytest.mark.parametrize(
    "keys", [("games", "classification"), ("estimators", "optimised-mc")], ids="/".join
)
def test_another_label_computes_nothing(finished, keys):
    with configured(finished, *keys, "label", value="Another"):
        assert planned(finished) == set()


def test_another_truth_leaves_the_games(finished):
    with configured(finished, "games", "classification", "truth", "check", value="enumeration"):
        rules = planned(finished)
    assert "compute_truth" in rules
    assert "build_games" not in rules


def test_the_base_seed_of_a_repetition_is_its_own(finished):
    """The rules are the same: what a repetition makes differs from the study by the seed alone."""
    results = finished / "results" / "tiny"
    papers = [GRAH, "field"]  # one looks at games and estimates, the other at nothing
    outcome = run(
        finished,
        *[f"results/tiny/repetitions/1/evidence/{paper}.json" for paper in papers],
        *("--cores", "2", "--configfile", "config/tiny.yaml", "--config", "seed=3"),
    )
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    again = results / "repetitions" / "1"
    for made in ("datasets/gaussian-6.npz", "games/classification/tables.npy"):
        assert (again / made).read_bytes() == (results / made).read_bytes()
    for paper in papers:
        whole, drawn = (
            read_pieces(folder / "evidence" / f"{paper}.json") for folder in (results, again)
        )
        assert set(drawn) < set(whole)
        drawn.pop("experiments.outperformance.gather_errors", None)  # of fewer estimators
        assert drawn
        assert drawn == {key: whole[key] for key in drawn}
