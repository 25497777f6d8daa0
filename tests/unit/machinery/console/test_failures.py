"""What is said at the end of a run that failed."""

import time

import pytest
from made_events import (
    error,
    event,
    group_error,
    job_death,
    job_error,
    job_finished,
    job_info,
)

from shapaudit_audit.console import memory
from shapaudit_audit.console.failures import CAUSES, of_failure
from shapaudit_audit.console.jobs import Run
from shapaudit_audit.study.logs import PEAK, UNCAUGHT

EXCEPTION = f"CRITICAL {UNCAUGHT}\nTraceback\n\nKeyError: 'lost'\n"
KILLED = "died with <Signals.SIGKILL: 9>"


def told(*events):
    run = Run()
    for record in events:
        run.note(record)
    return of_failure(run)


@pytest.fixture
def log(tmp_path):
    """A function that writes a log."""

    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_failed_run_ends_with_the_files_to_read(log, tmp_path):
    own = log("own.log", "INFO begun\n" * 20 + EXCEPTION)
    latex = [str(tmp_path / "report.log"), log("latex.log", "! Undefined control sequence.\n")]
    text = told(
        job_info(5, "run_estimators", "Running own on diabetes"),
        job_info(7, "compile_report"),
        event("PROGRESS", done=4, total=9),
        *job_death(5, "returned non-zero exit status 1", [own]),
        *job_death(7, "returned non-zero exit status 1", latex),
        error("At least one job did not complete successfully.", "WorkflowError"),
    )
    head, first, second, last = text.split("\n\n")
    assert head == "2 jobs failed after 4 of 9 steps."
    assert first.splitlines()[:2] == ["run_estimators: Running own on diabetes", f"  see {own}"]
    assert first.endswith("KeyError: 'lost'")
    assert len(first.splitlines()) == 2 + 6
    assert second.startswith("compile_report\n")
    assert latex[1] in second
    assert second.endswith("! Undefined control sequence.")
    assert "the same command continues" in last


def test_a_run_may_stop_without_a_failed_job():
    assert told(job_info(1, "train_model")) == "The run stopped early."


def test_a_job_that_succeeds_in_the_end_has_not_failed():
    again = job_info(1, "train_model"), job_finished(1)
    assert told(job_info(1, "train_model"), *job_death(1, KILLED), *again) == told()


def test_a_failure_that_is_repeated_at_the_end_keeps_its_cause():
    once = job_info(1, "train_model"), *job_death(1, KILLED)
    assert told(*once, job_error(1)) == told(*once)


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        (KILLED, "was killed, most likely because memory ran out"),
        ("returned non-zero exit status 137", "was killed, most likely because memory ran out"),
        ("died with <Signals.SIGSEGV: 11>", "crashed in compiled code, of a library or of your"),
        ("returned non-zero exit status 139", "of your own (SIGSEGV)"),
        ("died with <Signals.SIGABRT: 6>", "was aborted by compiled code"),
        ("died with <Signals.SIGTERM: 15>", "was stopped from outside, by a person, a scheduler"),
        ("died with <Signals.SIGUSR1: 10>", "was ended by a signal (SIGUSR1)"),
        ("returned non-zero exit status 3", "ended with exit status 3 and no exception: code that"),
        ("was lost", "logged no exception; it may have crashed, or been killed for memory or time"),
    ],
)
@pytest.mark.parametrize("text", ["", "INFO begun\n"])
def test_a_job_that_dies_is_named_with_the_likely_cause(log, ended, words, text):
    path = log("0.log", text)
    said = told(job_info(1, "run_estimators", "Running own"), *job_death(1, ended, [path]))
    title, see, cause, *remedy, last = said.split("\n\n")[1].splitlines()
    assert (title, see) == ("run_estimators: Running own", f"  see {path}")
    assert cause.startswith("  its process ")
    assert words in cause
    assert last == f"    {text.strip() or '(nothing was logged)'}"
    assert bool(remedy) == ("SIGKILL" in cause)


def test_every_job_has_its_own_cause_whatever_the_order_of_events(log):
    killed, raised = job_death(1, KILLED), job_death(2, "returned non-zero exit status 1")
    raised[1].log = [log("2.log", EXCEPTION)]
    starts = job_info(1, "train_model"), job_info(2, "train_model")
    first, second = told(*starts, killed[0], raised[0], raised[1], killed[1]).split("\n\n")[1:3]
    assert "its process" not in first
    assert first.endswith("KeyError: 'lost'")
    assert "SIGKILL" in second


def test_of_a_crash_the_top_of_the_calls_is_shown(log):
    calls = "".join(f'  File "own.py", line {k} in f{k}\n' for k in range(20))
    crash = f"INFO begun\nFatal Python error: Segmentation fault\n\nCurrent thread:\n{calls}"
    death = job_death(1, "died with <Signals.SIGSEGV: 11>", [log("1.log", crash)])
    text = told(job_info(1, "train_model"), *death)
    assert "    Fatal Python error: Segmentation fault\n    Current thread:\n" in text
    assert "line 3 in f3" in text
    assert "in f19" not in text


def test_a_job_that_leaves_as_if_all_were_well_is_named():
    lacking = "\n".join(f"results/{name} (missing locally)" for name in ("own.json", "own.pq"))
    head, first, _ = told(
        job_info(7, "run_estimators", output=["results/own"]),
        job_info(8, "run_estimators", "Running own", output=["results/own.pq", "results/own.json"]),
        error(
            f"MissingOutputException in rule run_estimators:\n{lacking}", "MissingOutputException"
        ),
    ).split("\n\n")
    assert head == "1 job failed."
    assert first.splitlines() == [
        "run_estimators: Running own",
        "  its process ended without an error: code that it ran may have called sys.exit() or "
        "os._exit(). It did not write",
        "    results/own.pq",
        "    results/own.json",
    ]


def test_causes_are_short_enough_to_read():
    assert max(map(len, CAUSES.values())) < 90


def test_a_job_killed_for_memory_is_told_the_flags_that_help(monkeypatch):
    monkeypatch.setattr(memory, "installed", lambda: 16_000)
    text = told(job_info(1, "run_estimators", memory=4000), *job_death(1, KILLED))
    (line,) = [line for line in text.splitlines() if "memory:" in line]
    assert line == (
        "  memory: its rule requests 4,000 MB, and all jobs share the 16,000 MB of this machine; "
        "run fewer at a time: --cores 1, or --set-resources run_estimators:mem_mb=8000 "
        "--resources mem_mb=14400"
    )


@pytest.mark.parametrize(
    "last",
    [
        "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.45 GiB",
        "MemoryError",
        "terminate called after throwing an instance of 'std::bad_alloc'",
    ],
)
def test_a_job_whose_memory_ran_out_is_told_them_too(log, last):
    path = log("1.log", f"{EXCEPTION}{last}\nINFO {PEAK}: 9 MB\n")
    events = job_info(1, "run_paths"), *job_death(1, "returned non-zero exit status 1", [path])
    text = told(*events)
    assert "--set-resources run_paths:mem_mb=" in text
    assert f"    {last}\n" in text
    assert PEAK not in text
    log("1.log", f"{EXCEPTION}ValueError: MemoryErrors\n")
    assert "--set-resources" not in told(*events)


@pytest.mark.parametrize(
    ("state", "words", "flag"),
    [
        (
            "OUT_OF_MEMORY",
            "used more memory than it had requested",
            "4,000 MB; request more: --set-resources compute_truth:mem_mb=8000",
        ),
        ("TIMEOUT", "stopped at its time limit", "--set-resources compute_truth:runtime=MINUTES"),
        ("CANCELLED", "was cancelled", "(CANCELLED)"),
        ("FAILED", "logged no exception", "been killed for memory"),
    ],
)
def test_what_a_scheduler_says_of_a_job_is_told_in_words(state, words, flag):
    said = f"SLURM-job '12' failed, SLURM status is: '{state}'. For further details see the log."
    failed = job_error(4, said=said, external_jobid="12")
    text = told(job_info(4, "compute_truth", memory=4000), failed)
    assert words in text
    assert flag in text
    assert ("mem_mb" in text) == (state == "OUT_OF_MEMORY")
    assert "--cores" not in text


def of_group(log, cluster, *own, begun=0.0):
    """What is told of a group with such a log on the cluster; its jobs have logs of such texts."""
    starts = [
        job_info(number, rule, log=[log(f"job{number}.log", text)], memory=2000, created=begun)
        for number, (rule, text) in enumerate(
            zip(("load_dataset", "train_model"), own, strict=True)
        )
    ]
    indented = [job_error(number, indent=True) for number in range(2)]
    failed = group_error("prepare", [log("12.log", cluster)], 0, 1)
    return told(*starts, failed, *indented).split("\n\n")[1:-1]


def test_of_a_group_the_job_that_failed_is_told(log, tmp_path):
    ended = f"INFO {PEAK}: 9 MB\n"
    (job,) = of_group(log, f"Command 'a' {KILLED}.\n", ended, "INFO begun\n")
    own, cluster = (tmp_path / name for name in ("job1.log", "12.log"))
    assert job.splitlines()[:3] == ["train_model", f"  see {own}", f"  see {cluster}"]
    assert "most likely because memory ran out (SIGKILL)" in job
    assert "its rule requests 2,000 MB; request more" in job
    (job,) = of_group(log, "", EXCEPTION + ended, ended)
    assert job.startswith("load_dataset\n")
    assert "KeyError" in job
    (group,) = of_group(log, "", EXCEPTION + ended, ended, begun=time.time() + 60)
    assert group.startswith("prepare: ")  # the logs are of an earlier run


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "logged no exception; it may have crashed, or been killed"),
        ("slurmstepd: error: *** JOB 12 ON a CANCELLED AT 2026-11-23T06:57:27 ***", "(CANCELLED)"),
        ("slurmstepd: error: *** JOB 12 ON a CANCELLED AT 7:00 DUE TO TIME LIMIT ***", "(TIMEOUT)"),
    ],
)
def test_a_group_that_was_ended_as_a_whole_is_told_with_its_rules(log, tmp_path, line, words):
    ended = f"INFO {PEAK}: 9 MB\n"
    (group,) = of_group(log, f"Building DAG of jobs...\n{line}\n", ended, ended)
    title, see, cause, *_ = group.splitlines()
    assert title == "prepare: load_dataset, train_model"
    assert see == f"  see {tmp_path / '12.log'}"
    assert words in cause
