"""What a run shows while it goes on: one line, and what goes wrong; and what a dry run shows."""

import io
import logging
from types import SimpleNamespace

import pytest
from made_events import event, job_death, job_error, job_finished, job_info

from shapaudit_audit.console import handler, progress, say


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    made = SimpleNamespace(now=100.0)
    made.monotonic = lambda: made.now
    monkeypatch.setattr(handler, "time", made)
    monkeypatch.setattr(progress, "time", made)
    return made


@pytest.fixture
def shown(monkeypatch, clock):
    """A function that makes a plug-in for some settings, writing to a stream; both of them."""
    monkeypatch.setattr(handler.atexit, "register", lambda function: None)

    def of(stream, **settings):
        monkeypatch.setattr(handler.sys, "stderr", stream)
        common = dict.fromkeys(("stdout", "verbose", "dryrun", "printshellcmds"), False)
        return handler.LogHandler(SimpleNamespace(**common | settings), None)

    return of


def message(text, level=logging.INFO, **facts):
    return logging.makeLogRecord({"msg": text, "levelno": level} | facts)


def run(plugin, clock, jobs=2):
    """Jobs of ten seconds each."""
    stats = {"train_model": jobs, "total": jobs}
    plugin.handle(event("RUN_INFO", msg="Job stats:", stats=stats))
    for number in range(1, jobs + 1):
        plugin.handle(job_info(number, "train_model", f"Training {number}", reason="forced"))
        plugin.handle(event("SHELLCMD", msg="Shell command: None", shellcmd=None))
        clock.now += 10
        plugin.handle(job_finished(number))
        plugin.handle(event("PROGRESS", done=number, total=jobs))
    plugin.handle(message("Select jobs to execute...", event=None))


def test_the_time_left_is_by_the_weights_of_rules(clock):
    made = progress.Progress({"small": 3, "gather_evidence": 1})
    made.doing = "Loading"
    assert made.line() == "0 of 4 jobs, begun: Loading"
    clock.now += 2
    made.end("small")
    left = 2 + progress.HEAVY["gather_evidence"]
    assert made.line() == f"1 of 4 jobs, about {progress.duration(2 * left)} left: Loading"


def test_on_a_terminal_there_is_one_line_and_what_goes_wrong(shown, clock):
    stream = Terminal()
    plugin = shown(stream)
    run(plugin, clock)
    assert "\n" not in stream.getvalue()
    lines = stream.getvalue().split("\r\x1b[2K")
    assert lines[-1] == "2 of 2 jobs, about 0 s left: Training 2"
    plugin.handle(message("Error in rule small", logging.ERROR))
    assert stream.getvalue().endswith("Training 2\nError in rule small\n")


def test_in_a_file_there_is_a_line_now_and_then(shown, clock):
    stream = io.StringIO()
    run(shown(stream), clock, jobs=20)
    assert len(stream.getvalue().splitlines()) == 200 // handler.LATER + 1


def test_before_the_jobs_all_but_resources_is_shown(shown):
    stream = io.StringIO()
    plugin = shown(stream)
    plugin.handle(message("Building DAG of jobs..."))
    plugin.handle(message("None"))
    plugin.handle(event("RESOURCES_INFO", msg="Provided cores: 2"))
    assert stream.getvalue() == "Building DAG of jobs...\n"


def test_what_the_workflow_says_and_shell_commands_that_pass_the_filter_are_shown(shown, clock):
    stream = io.StringIO()
    plugin = shown(stream)
    run(plugin, clock)
    before = stream.getvalue()
    logger = logging.getLogger("snakemake.logging")
    level = logger.level
    logger.addHandler(plugin)
    logger.setLevel(logging.INFO)
    try:
        say("Done.")
    finally:
        logger.removeHandler(plugin)
        logger.setLevel(level)
    plugin.handle(event("SHELLCMD", shellcmd="touch a"))
    plugin.setFormatter(logging.Formatter("%(shellcmd)s"))
    plugin.handle(event("SHELLCMD", shellcmd="touch a"))
    assert stream.getvalue().removeprefix(before) == "Done.\ntouch a\n"


def test_a_verbose_run_shows_everything_and_a_quiet_one_nothing(shown, clock):
    stream = io.StringIO()
    run(shown(stream, verbose=True), clock)
    assert "Select jobs" in stream.getvalue()
    assert "of 2 jobs" not in stream.getvalue()
    stream = io.StringIO()
    plugin = shown(stream)
    plugin.addFilter(lambda record: False)
    run(plugin, clock)
    for record in job_death(2, "died with <Signals.SIGKILL: 9>"):
        plugin.handle(record)
    plugin.end()
    assert stream.getvalue() == ""


def test_the_end_of_a_failed_run_tells_of_memory_and_failures(shown, clock, tmp_path):
    stream = io.StringIO()
    plugin = shown(stream)
    run(plugin, clock)
    plugin.end()
    assert "failed" not in stream.getvalue()
    log = tmp_path / "3.log"
    log.write_text("INFO memory at its peak: 990 MB\n", encoding="utf-8")
    plugin.handle(job_info(3, "train_model", "Training 3", memory=1000, log=[str(log)]))
    plugin.addFilter(lambda record: record.levelno < logging.ERROR)  # as --quiet rules does
    for record in job_death(3, "died with <Signals.SIGSEGV: 11>"):
        plugin.handle(record)
    plugin.end()
    memory, head, failure = stream.getvalue().split("\n\n")[-4:-1]
    assert "train_model: 990 of 1,000 MB (Training 3)" in memory
    assert head == "1 job failed after 2 of 2 steps."
    assert failure.startswith("train_model: Training 3\n")


def test_a_dry_run_tells_each_job_with_its_reason_and_the_counts(shown, clock):
    stream = io.StringIO()
    plugin = shown(stream, dryrun=True)
    run(plugin, clock)
    assert stream.getvalue() == ""
    plugin.end()
    jobs = ["Training 1: forced", "Training 2: forced"]
    assert stream.getvalue().splitlines() == ["", *jobs, "", "Job stats:"]
    stream = io.StringIO()
    plugin = shown(stream, dryrun=True)
    plugin.addFilter(lambda record: record.event != "job_info")  # as --quiet rules does
    run(plugin, clock)
    plugin.end()
    assert stream.getvalue() == "\nJob stats:\n"


def test_a_fault_of_the_plug_in_is_told_and_ends_nothing(shown, monkeypatch):
    plugin = shown(io.StringIO())
    monkeypatch.setattr(handler.sys, "stderr", stream := io.StringIO())
    plugin.handle(job_error(17))
    assert "KeyError: 17" in stream.getvalue()
