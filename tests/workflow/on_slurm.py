"""Studies through Slurm end in the bytes of a local run, killed jobs or not.

Not collected with the other tests, because it needs root and Slurm's daemons on this machine:
`make test-slurm` starts them, runs this file by its name and stops them. The first study is one of
some ten jobs, which soon tells what is wrong; the second is the small study with its report.
"""

import os
import re
import signal
import subprocess
import time
from contextlib import suppress

import pytest
from workspace import ROOT, command, copy_project, digests, environment, write_tiny_study

THROUGH_SLURM = ["--workflow-profile", "profiles/slurm"]
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


@pytest.fixture(params=["tiny", "smoke"])
def study(request):
    """Name of a configuration."""
    return request.param


def a_copy(folder, study):
    """A copy of the project, and the arguments that choose the study."""
    project = copy_project(folder / "project")
    write_tiny_study(project)
    return project, ["--configfile", f"config/{study}.yaml"]


@pytest.fixture
def local(tmp_path, study):
    """Digests of the results of a local run."""
    project, chosen = a_copy(tmp_path / "local", study)
    finish(project, *chosen, "--cores", "2")
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


def wait_for(rule: str, run: subprocess.Popen) -> str:
    deadline = time.monotonic() + LONGEST
    while not (at_work := running(rule)):
        assert run.poll() is None, f"the run ended before {rule} began"
        assert time.monotonic() < deadline, f"{rule} did not begin"
        time.sleep(0.2)
    return at_work[0]


def processes(job: str) -> dict[int, str]:
    """Steps of the processes of a Slurm job, by their identifiers; none before it has any."""
    listed = subprocess.run(
        ["scontrol", "listpids", job], capture_output=True, text=True, check=False
    )
    rows = [line.split() for line in listed.stdout.splitlines()[1:]]
    return {int(process): step for process, _, step, *_ in rows if int(process) > 0}


def kill_at_work(job: str) -> None:
    """What the kernel does on a node that is out of memory, once a job has begun its first step."""
    deadline = time.monotonic() + LONGEST
    while not set((at_work := processes(job)).values()) - {"batch"}:
        assert time.monotonic() < deadline, "the job did not begin its work"
        time.sleep(0.2)
    for process in at_work:
        with suppress(ProcessLookupError):  # it ended with one that was killed before it
            os.kill(process, signal.SIGKILL)


def interrupted(project, arguments, interrupt) -> str:
    """What a run says that ``interrupt`` makes fail."""
    log = project.parent / "run.log"
    with log.open("w") as stream:
        run = subprocess.Popen(
            command(*arguments), cwd=project, env=environment(), stdout=stream, stderr=stream
        )
    try:
        interrupt(run)
        assert run.wait(timeout=LONGEST) != 0
    finally:
        run.terminate()  # where something else is wrong
    return log.read_text(encoding="utf-8")


def same_results(project, local):
    ours = digests(project / "results")
    differing = {name for name in ours.keys() | local.keys() if ours.get(name) != local.get(name)}
    # LaTeX's logs name the folder that it ran in; its documents, of every run, do not.
    logs = (".log", ".fls", ".fdb_latexmk")
    assert {n for n in differing if "/paper/build/" not in n or not n.endswith(logs)} == set()


def test_killed_and_cancelled_jobs_are_done_again_and_end_in_the_same_bytes(
    slurm, study, local, tmp_path
):
    project, chosen = a_copy(tmp_path / "slurm", study)
    arguments = [*chosen, *THROUGH_SLURM]
    # The first chain is killed and all goes on that does not need it, then the same again with
    # estimates that are cancelled.
    told = interrupted(project, arguments, lambda run: kill_at_work(wait_for("prepare", run)))
    assert "its process logged no exception; it may have crashed, or been killed" in told

    cancelled = []

    def cancel(run):
        cancelled.append(wait_for("run_estimators", run))
        subprocess.run(["scancel", cancelled[0]], check=True)

    told = interrupted(project, arguments, cancel)
    assert f"SLURM-job '{cancelled[0]}' failed" in told
    assert "CANCELLED" in told

    finish(project, *arguments)
    same_results(project, local)
