"""The small study through Slurm ends in the bytes of a local run, killed jobs or not.

Not collected with the other tests, because it needs root and Slurm's daemons on this machine:
`make test-slurm` starts them, runs this file by its name and stops them.
"""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from workspace import ROOT, command, copy_project, digests, environment

SMALL = ["--configfile", "config/smoke.yaml"]
THROUGH_SLURM = [*SMALL, "--workflow-profile", "profiles/slurm"]
LONGEST = 3 * 3600  # seconds that anything here may take; nothing is timed


def finish(project, *arguments):
    """A run that has to end well."""
    outcome = subprocess.run(
        command(*arguments),
        cwd=project,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stdout[-3000:]


@pytest.fixture(scope="module")
def slurm():
    """A cluster of this machine, while the tests of this file run."""
    script = ROOT / "tests" / "workflow" / "slurm_here.sh"
    subprocess.run([script, "start"], check=True, timeout=LONGEST)
    yield
    subprocess.run([script, "stop"], check=True, timeout=LONGEST)


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    project = copy_project(tmp_path_factory.mktemp("local") / "project")
    finish(project, *SMALL, "--cores", "2")
    return digests(project / "results")


def running(rule: str) -> list[str]:
    """Identifiers of Slurm's running jobs of a rule or group, which is in their comments."""
    listed = subprocess.run(
        ["squeue", "--noheader", "--states=running", "--format=%i %k"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return re.findall(rf"^(\d+) rule_{rule}", listed, flags=re.MULTILINE)


def wait_for(rule: str, study: subprocess.Popen) -> str:
    deadline = time.monotonic() + LONGEST
    while not (found := running(rule)):
        assert study.poll() is None, f"the run ended before {rule} began"
        assert time.monotonic() < deadline, f"{rule} did not begin"
        time.sleep(0.2)
    return found[0]


def kill_processes(job: str) -> None:
    """What the kernel does on a node that is out of memory."""
    listed = subprocess.run(
        ["scontrol", "listpids", job], capture_output=True, text=True, check=True
    )
    for line in listed.stdout.splitlines()[1:]:
        process = int(line.split()[0])
        if process > 0:
            with suppress(ProcessLookupError):  # it ended with one that was killed before it
                os.kill(process, signal.SIGKILL)


def same_results(project, local):
    ours = digests(project / "results")
    machine = {"provenance.json"}  # it names the command and the executor
    assert {name: ours.get(name) for name in local if name not in machine} == {
        name: digest for name, digest in local.items() if name not in machine
    }


def test_killed_and_cancelled_jobs_are_done_again_and_end_in_the_same_bytes(slurm, local, tmp_path):
    project = copy_project(tmp_path / "project")
    log = tmp_path / "first.log"
    with log.open("w") as stream:
        first = subprocess.Popen(
            command(*THROUGH_SLURM), cwd=project, env=environment(), stdout=stream, stderr=stream
        )
    kill_processes(wait_for("prepare", first))
    cancelled = wait_for("run_estimators", first)
    subprocess.run(["scancel", cancelled], check=True)
    assert first.wait(timeout=LONGEST) != 0
    told = log.read_text(encoding="utf-8")
    assert "\nprepare: " in told
    assert "one of them logged no exception: it may have been killed" in told
    assert f"SLURM-job '{cancelled}' failed" in told
    assert "CANCELLED" in told

    finish(project, *THROUGH_SLURM)
    same_results(project, local)
