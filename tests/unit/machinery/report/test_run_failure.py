"""What is said at the end of a run that failed."""

import pytest

from shapaudit_audit.report.run_failure import CAUSES, of_failure
from shapaudit_audit.study.logs import PEAK

RUN_LOG = """\
[Sat Nov 21 11:00:00 2026]
Finished jobid: 3 (Rule: build_games)
4 of 9 steps (44%) done
[Sat Nov 21 11:00:01 2026]
Error in rule run_estimators:
    message: None
    jobid: 5
    input: results/games/classification, results/truth/classification.parquet
    output: results/estimates/classification/own.parquet
    log: {log} (check log file(s) for error details)
Logfile {log}:
================================================================================
KeyError: 'lost'
================================================================================

RuleException:
CalledProcessError in file "workflow/rules/estimates.smk", line 42:
[Sat Nov 21 11:00:05 2026]
Error in rule compile_report:
    jobid: 7
    log: {folder}/report.log, {folder}/report.latex.log (check log file(s) for error details)

"""
EXCEPTION = "CRITICAL uncaught exception\nTraceback\n\nKeyError: 'lost'\n"
DEATH = """\
Job {job}: Running own on {job}
RuleException:
CalledProcessError in file "workflow/rules/estimates.smk", line 44:
Command 'set -euo pipefail;  python .snakemake/scripts/tmp1.run_estimators.py' {ended}.
[Sun Nov 22 12:10:39 2026]
Error in rule run_estimators:
    message: None
    jobid: {job}
    log: {log} (check log file(s) for error details)
"""
NO_OUTPUT = """\
Job 8: Running own on classification
Waiting at most 5 seconds for missing files:
results/own.parquet (missing locally)
results/own.json (missing locally)
MissingOutputException in rule run_estimators in file "workflow/rules/estimates.smk", line 11:
Job 8  completed successfully, but some output files are missing. Missing files after 5 seconds:
results/own.parquet (missing locally, parent dir contents: )
results/own.json (missing locally, parent dir contents: other.json)
"""


def test_a_failed_run_ends_with_the_files_to_read(tmp_path):
    log = tmp_path / "own.log"
    log.write_text("INFO begun\n" * 20 + EXCEPTION, encoding="utf-8")
    (tmp_path / "report.latex.log").write_text("! Undefined control sequence.\n", "utf-8")
    run_log = tmp_path / "run.log"
    run_log.write_text(RUN_LOG.format(log=log, folder=tmp_path), encoding="utf-8")
    text = of_failure([run_log])
    assert text.startswith("2 jobs failed after 4 of 9 steps.")
    first, second = text.split("\n\n")[1:3]
    assert first.splitlines()[:2] == [
        "run_estimators",
        f"  see {log}",
    ]
    assert first.endswith("KeyError: 'lost'")
    assert len(first.splitlines()) == 2 + 6
    assert second.startswith("compile_report\n")
    assert str(tmp_path / "report.latex.log") in second
    assert second.endswith("! Undefined control sequence.")


def test_a_run_that_stops_without_a_failed_job_names_its_log(tmp_path):
    run_log = tmp_path / "run.log"
    run_log.write_text("Building DAG of jobs...\n", encoding="utf-8")
    assert str(run_log) in of_failure([run_log])


@pytest.fixture
def told(tmp_path):
    """A function that says what is told of jobs that ended so, each with a log of this text."""

    def of(*jobs, asked=None):
        parts = []
        for number, (ended, text) in enumerate(jobs):
            log = tmp_path / f"{number}.log"
            log.write_text(text, encoding="utf-8")
            parts.append(DEATH.format(job=number, ended=ended, log=log))
        run_log = tmp_path / "run.log"
        run_log.write_text("".join(parts), encoding="utf-8")
        return of_failure([run_log], asked)

    return of


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ("died with <Signals.SIGKILL: 9>", "was killed, most likely because memory ran out"),
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
def test_a_job_that_dies_is_named_with_the_likely_cause(told, tmp_path, ended, words, text):
    _, first, _ = told((ended, text)).split("\n\n")
    rule, see, cause, *memory, last = first.splitlines()
    assert (rule, see) == ("run_estimators", f"  see {tmp_path / '0.log'}")
    assert cause.startswith("  its process ")
    assert words in cause
    assert last == f"    {text.strip() or '(nothing was logged)'}"
    assert bool(memory) == ("SIGKILL" in cause)


def test_every_job_has_its_own_cause(told):
    jobs = told(
        ("died with <Signals.SIGKILL: 9>", ""),
        ("returned non-zero exit status 1", EXCEPTION),
        ("died with <Signals.SIGSEGV: 11>", "INFO begun\n"),
    ).split("\n\n")[1:4]
    assert ["SIGKILL" in jobs[0], "its process" in jobs[1], "SIGSEGV" in jobs[2]] == [1, 0, 1]
    assert jobs[1].endswith("KeyError: 'lost'")


def test_of_a_crash_the_top_of_the_calls_is_shown(told):
    calls = "".join(f'  File "own.py", line {k} in f{k}\n' for k in range(20))
    crash = f"INFO begun\nFatal Python error: Segmentation fault\n\nCurrent thread:\n{calls}"
    text = told(("died with <Signals.SIGSEGV: 11>", crash))
    assert "    Fatal Python error: Segmentation fault\n    Current thread:\n" in text
    assert "line 3 in f3" in text
    assert "in f19" not in text


def test_a_job_that_leaves_as_if_all_were_well_is_named(tmp_path):
    run_log = tmp_path / "run.log"
    died = DEATH.format(job=1, ended="died with <Signals.SIGKILL: 9>", log=tmp_path / "1.log")
    run_log.write_text(NO_OUTPUT + died, encoding="utf-8")
    first, second, third, _ = of_failure([run_log]).split("\n\n")
    assert first == "2 jobs failed."
    assert second.splitlines() == [
        "run_estimators",
        "  Running own on classification",
        "  its process ended without an error: code that it ran may have called sys.exit() or "
        "os._exit(). It did not write",
        "    results/own.parquet",
        "    results/own.json",
    ]
    assert "SIGKILL" in third


def test_causes_are_short_enough_to_read():
    assert max(map(len, CAUSES.values())) < 90


def test_a_job_killed_for_memory_is_told_the_flags_that_help(told, monkeypatch):
    monkeypatch.setattr("shapaudit_audit.report.run_memory.installed", lambda: 16_000)
    text = told(("died with <Signals.SIGKILL: 9>", ""), asked={"run_estimators": 4000})
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
def test_a_job_whose_memory_ran_out_is_told_them_too(told, last):
    text = told(("returned non-zero exit status 1", f"{EXCEPTION}{last}\nINFO {PEAK}: 9 MB\n"))
    assert "--set-resources run_estimators:mem_mb=" in text
    assert f"    {last}\n" in text
    assert PEAK not in text
    other = told(("returned non-zero exit status 1", f"{EXCEPTION}ValueError: MemoryErrors\n"))
    assert "--set-resources" not in other


SCHEDULED = """\
Error in rule compute_truth:
    message: SLURM-job '12' failed, SLURM status is: '{state}'. For further error details see the \
cluster/cloud log and the log files of the involved rule(s).
    jobid: 4
    output: results/truth/classification.parquet
    log: {log} (check log file(s) for error details)
    external_jobid: 12
"""


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
def test_what_a_scheduler_says_of_a_job_is_told_in_words(tmp_path, state, words, flag):
    run_log = tmp_path / "run.log"
    run_log.write_text(SCHEDULED.format(state=state, log=tmp_path / "job.log"), encoding="utf-8")
    text = of_failure([run_log], {"compute_truth": 4000})
    assert words in text
    assert flag in text
    assert ("mem_mb" in text) == (state == "OUT_OF_MEMORY")
    assert "--cores" not in text


GROUPED = """\
[Mon Nov 23 06:50:08 2026]
    message: Error in group prepare
    log: {log} (check log file(s) for error details)
    jobs:
        rule train_model:
            jobid: 4
            output: results/models/classification
            log: logs/train_model/classification.log (check log file(s) for error details)
        rule load_dataset:
            jobid: 3
            log: logs/load_dataset/gaussian.log (check log file(s) for error details)
    [Mon Nov 23 06:50:08 2026]
    Error in rule train_model:
        message: None
        jobid: 4
        log: logs/train_model/classification.log (check log file(s) for error details)
    [Mon Nov 23 06:50:08 2026]
    Error in rule load_dataset:
        message: None
        jobid: 3
        log: logs/load_dataset/gaussian.log (check log file(s) for error details)
1 of 9 steps (11%) done
"""
INSIDE = DEATH.replace("run_estimators", "train_model")


@pytest.fixture
def of_group(tmp_path):
    """A function that says what is told of a group whose job on the cluster has left this log."""

    def of(text):
        (tmp_path / "12.log").write_text(text, encoding="utf-8")
        run_log = tmp_path / "run.log"
        run_log.write_text(GROUPED.format(log=tmp_path / "12.log"), encoding="utf-8")
        return of_failure([run_log], {"train_model": 2000})

    return of


def test_of_a_group_the_job_that_failed_is_told(of_group, tmp_path):
    own = tmp_path / "own.log"
    own.write_text("INFO begun\n", encoding="utf-8")
    told = INSIDE.format(job=0, ended="died with <Signals.SIGKILL: 9>", log=own)
    again = told[told.index("Error in rule") :]  # by the Snakemake that has started the other one
    text = of_group(f"{told}srun: error: task 0: Exited with exit code 1\n{again}")
    first, job, _ = text.split("\n\n")
    assert first == "1 job failed after 1 of 9 steps."
    assert job.splitlines()[:2] == ["train_model", f"  see {own}"]
    assert "most likely because memory ran out (SIGKILL)" in job
    assert "its rule requests 2,000 MB" in job
    assert job.endswith(f"\n  in {tmp_path / '12.log'}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "logged no exception; it may have crashed, or been killed"),
        ("slurmstepd: error: *** JOB 12 ON a CANCELLED AT 2026-11-23T06:57:27 ***", "(CANCELLED)"),
        ("slurmstepd: error: *** JOB 12 ON a CANCELLED AT 7:00 DUE TO TIME LIMIT ***", "(TIMEOUT)"),
    ],
)
def test_a_group_that_was_ended_as_a_whole_is_told_with_its_rules(of_group, tmp_path, line, words):
    _, group, _ = of_group(f"Building DAG of jobs...\n{line}\n").split("\n\n")
    title, see, cause = group.splitlines()
    assert title == "prepare: train_model, load_dataset"
    assert see == f"  see {tmp_path / '12.log'}"
    assert words in cause


def test_a_group_without_a_log_is_told_with_its_rules(tmp_path):
    run_log = tmp_path / "run.log"
    lines = GROUPED.splitlines(keepends=True)
    run_log.write_text("".join(lines[:2] + lines[3:]), encoding="utf-8")
    assert "\nprepare: train_model, load_dataset\n  one of them" in of_failure([run_log])
