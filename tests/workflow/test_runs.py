"""The same study gives the same bytes, however it is run, interrupted and resumed."""

import os
import re
import signal
import subprocess
import time

import pytest
from workspace import command, copy_project, digests, environment, run, write_tiny_study

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


def test_one_core_gives_the_same_bytes(finished, tmp_path):
    other = copy_project(tmp_path / "project", finished)
    write_tiny_study(other)
    assert run(other, *TARGETS, "--cores", "1").returncode == 0
    assert digests(other / "results" / "tiny") == digests(finished / "results" / "tiny")


def test_a_killed_run_resumes_to_the_same_bytes(finished, tmp_path):
    other = copy_project(tmp_path / "project", finished)
    write_tiny_study(other)
    process = subprocess.Popen(
        command(*TARGETS, "--cores", "2"),
        cwd=other,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while not list(other.glob("results/tiny/truth/*.parquet")):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (other / "results/tiny/claims/claims.json").exists()

    assert run(other, "--unlock", "--configfile", "config/tiny.yaml").returncode == 0
    outcome = run(other, *TARGETS, "--cores", "2", "--rerun-incomplete")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    assert digests(other / "results" / "tiny") == digests(finished / "results" / "tiny")


def planned(project) -> set[str]:
    """Rules in the table of jobs that a dry run would execute."""
    outcome = run(project, *TARGETS, "--dry-run")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    _, _, table = outcome.stdout.partition("Job stats:")
    table = table.partition("total")[0]
    return set(re.findall(r"^(\w+) +\d+$", table, flags=re.MULTILINE))


@pytest.mark.parametrize(
    ("module", "reruns", "stays"),
    [
        ("estimators/sgd.py", {"run_estimators"}, {"compute_truth", "build_games"}),
        ("estimators/strata.py", set(), {"run_estimators", "compute_truth", "build_games"}),
        ("claims/limits.py", {"audit_claims"}, {"run_estimators", "compute_truth"}),
        ("truth/enumeration.py", {"compute_truth", "run_estimators"}, {"build_games"}),
        ("datasets/gaussian.py", {"load_dataset", "run_estimators", "audit_claims"}, set()),
        ("plotting/curves.py", set(), {"load_dataset", "run_estimators", "audit_claims"}),
    ],
)
def test_editing_a_module_reruns_what_depends_on_it(finished, module, reruns, stays):
    path = finished / "src" / "shapaudit" / module
    before, times = path.read_bytes(), path.stat()
    path.write_bytes(before + b"\n# edited\n")
    os.utime(path)
    try:
        rules = planned(finished)
    finally:
        path.write_bytes(before)
        os.utime(path, (times.st_atime, times.st_mtime))
    assert reruns <= rules
    assert not stays & rules
