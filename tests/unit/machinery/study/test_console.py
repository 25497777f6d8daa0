"""What a run shows while it goes on: one line, and what goes wrong."""

import io
import logging
from collections import Counter
from types import SimpleNamespace

import pytest

from shapaudit_audit.study import console
from shapaudit_audit.study.console import TERMINAL, Progress, quiet


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    made = SimpleNamespace(now=100.0)
    made.monotonic = lambda: made.now
    monkeypatch.setattr(console, "time", made)
    return made


def told_to(stream):
    """A logger such as Snakemake's, and its filter."""
    logger = logging.Logger("snakemake-like")
    handler = logging.StreamHandler(stream)
    handler.name = TERMINAL
    logger.addHandler(handler)
    return logger, quiet(logger)


def job(logger, event, **facts):
    logger.info("details", extra={"event": SimpleNamespace(value=event), **facts})


def run(logger, clock):
    """Two jobs, ten seconds each."""
    for number in (1, 2):
        job(logger, "job_info", jobid=number, rule_name="small", rule_msg=f"Doing {number}")
        clock.now += 10
        job(logger, "job_finished", job_id=number)
    logger.info("Select jobs to execute...")


def test_the_time_left_is_by_the_weights_of_rules(clock):
    progress = Progress({"small": 3, "gather_evidence": 1})
    progress.begin(7, "small", "Loading")
    assert progress.line() == "0 of 4 jobs, begun: Loading"
    clock.now += 2
    progress.end(7)
    left = 2 + console.HEAVY["gather_evidence"]
    assert progress.line() == f"1 of 4 jobs, about {console.duration(2 * left)} left: Loading"


def test_on_a_terminal_there_is_one_line_and_what_goes_wrong(clock):
    stream = Terminal()
    logger, shown = told_to(stream)
    shown.progress = Progress(Counter(small=2))
    run(logger, clock)
    assert "\n" not in stream.getvalue()
    assert "details" not in stream.getvalue()
    lines = stream.getvalue().split("\r\x1b[2K")
    assert lines[-1] == "2 of 2 jobs, about 0 s left: Doing 2"
    logger.error("Error in rule small")
    assert stream.getvalue().endswith("Doing 2\nError in rule small\n")


def test_in_a_file_there_is_a_line_now_and_then(clock):
    stream = io.StringIO()
    logger, shown = told_to(stream)
    shown.progress = Progress(Counter(small=200))
    for _ in range(10):
        run(logger, clock)
    assert len(stream.getvalue().splitlines()) == 200 // console.LATER + 1
    logger.info("Complete log(s): there")
    assert stream.getvalue().endswith("Complete log(s): there\n")


def test_before_the_jobs_all_but_counts_is_shown():
    stream = io.StringIO()
    logger, _ = told_to(stream)
    job(logger, "run_info")
    logger.info("Conda environments: ignored")
    logger.info("Building DAG of jobs...")
    logger.info(None)
    assert stream.getvalue() == "Building DAG of jobs...\nNone\n"


def test_a_logger_without_a_terminal_is_left_alone():
    assert quiet(logging.Logger("to a file")) is None
