"""What is said at the end of a run, and on the way through a long loop."""

import logging
import os
import subprocess
import sys

import pytest
from places import ROOT
from synthetic import small_audit

from shapaudit import progress as progress_module
from shapaudit.progress import duration, progress
from shapaudit_audit.papers import PAPERS
from shapaudit_audit.report.run_summary import of_success
from shapaudit_audit.study.sealed import write_document

STARTED = 1_000_000.0


def benchmark(folder, name, seconds, age):
    """A benchmark file written ``age`` seconds after the start of the run."""
    path = folder / f"{name}.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"s\th:m:s\tcpu_time\n{seconds}\t0:00:00\t1.0\n", encoding="utf-8")
    os.utime(path, (STARTED + age, STARTED + age))


@pytest.fixture
def study(tmp_path):
    """Results of a run that began at STARTED: a report from before, a site and claims from it."""
    results = tmp_path / "results"
    consequences = {"gt20-01": "stands", "gt20-02": "wrong", "ol21-01": "stands", "ol21-02": "slip"}
    papers = {"gt20": "grah_thouvenot_2020", "ol21": "okhrati_lipani_2021"}
    claims = [
        {"id": key, "paper": papers[key[:4]], "consequence": consequence, "source": "paper"}
        for key, consequence in consequences.items()
    ]
    claims[-1]["source"] = "this project"
    ages = {"paper/report.pdf": -10, "site/index.html": 10, "claims/claims.json": 20}
    for name, age in ages.items():
        path = results / name
        path.parent.mkdir(parents=True)
        write_document(path, small_audit(*claims))
        for place in (path, path.parent):
            os.utime(place, (STARTED + age, STARTED + age))
    benchmarks = tmp_path / "benchmarks"
    benchmark(benchmarks, "judge_claims", 95.2, 20)
    benchmark(benchmarks, "run_estimators/regression/me", 7.4, 5)
    benchmark(benchmarks, "compute_truth/regression", 500, -5)
    return results, benchmarks


def test_a_run_ends_with_what_it_made(study, monkeypatch):
    results, benchmarks = study
    monkeypatch.setattr("time.time", lambda: STARTED + 125)
    lines = of_success(results, benchmarks, STARTED, PAPERS).splitlines()
    assert lines[-1] == "Done: 2 jobs in 2 min 5 s."
    (report,) = [line for line in lines if "report.pdf" in line]
    (site,) = [line for line in lines if "index.html" in line]
    assert report.endswith("(unchanged)")
    assert site.split() == ["Site", str(results / "site/index.html")]
    assert "figures" not in "".join(lines)


def test_consequences_are_counted_by_paper_and_ours_apart(study):
    rows = [line.rsplit(maxsplit=3) for line in of_success(*study, STARTED, PAPERS).splitlines()]
    table = {row[0].strip(): row[1:] for row in rows if len(row) == 4}
    assert table["Claims"] == ["stands", "slip", "wrong"]
    assert table["Grah & Thouvenot 2020"] == ["1", "-", "1"]
    assert table["Okhrati & Lipani 2021"] == ["1", "-", "-"]
    assert table["this project"] == ["-", "1", "-"]


def test_findings_come_first_and_those_of_other_runs_not_at_all(study):
    path = study[0] / "findings.txt"
    path.write_text("One is best.\nTwo saves.\n", encoding="utf-8")
    os.utime(path, (STARTED + 30, STARTED + 30))
    lines = of_success(*study, STARTED, PAPERS).splitlines()
    assert lines[:3] == ["  1. One is best.", "  2. Two saves.", ""]
    os.utime(path, (STARTED - 30, STARTED - 30))
    assert "One is best" not in of_success(*study, STARTED, PAPERS)


def test_columns_are_below_each_other(study):
    lines = of_success(*study, STARTED, PAPERS).splitlines()
    start = next(k for k, line in enumerate(lines) if "Claims  " in line and "stands" in line)
    assert len({len(line) for line in lines[start : start + 4]}) == 1


def test_a_study_without_audit_has_no_verdicts(tmp_path):
    text = of_success(tmp_path, tmp_path, STARTED, PAPERS)
    assert text.startswith("Done: 0 jobs in ")
    assert "stands" not in text


def test_an_audit_that_was_edited_has_no_verdicts_and_is_named(study):
    path = study[0] / "claims" / "claims.json"
    path.write_text(path.read_text("utf-8").replace("wrong", "wronger"), encoding="utf-8")
    text = of_success(*study, STARTED, PAPERS)
    assert f"{path} is damaged or was edited" in text
    assert "stands" not in text


@pytest.fixture
def clock(monkeypatch, caplog):
    """A clock that a loop can move."""
    caplog.set_level(logging.INFO, "shapaudit.progress")

    class Clock:
        now = 50.0

        def monotonic(self):
            return self.now

    made = Clock()
    monkeypatch.setattr(progress_module, "time", made)
    return made


def test_a_long_loop_says_how_far_it_is(clock, caplog):
    done = []
    for item in progress(range(200), "large", "explicands"):
        done.append(item)
        clock.now += 0.25
    assert done == list(range(200))
    assert caplog.messages == [
        "large: 40 of 200 explicands, 4/s, 40 s left",
        "large: 80 of 200 explicands, 4/s, 30 s left",
        "large: 120 of 200 explicands, 4/s, 20 s left",
        "large: 160 of 200 explicands, 4/s, 10 s left",
        "large: all 200 explicands in 50 s",
    ]


def test_a_slow_loop_says_what_one_item_takes(clock, caplog):
    for _ in progress(["a", "b", "c"], "audit", "claims"):
        clock.now += 100
    assert caplog.messages[0] == "audit: 1 of 3 claims, 100 s each, 3 min 20 s left"


def test_a_short_loop_says_nothing(clock, caplog):
    assert list(progress({"a": 1, "b": 2}, "short", "items")) == ["a", "b"]
    assert list(progress([], "none", "items")) == []
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.6, "1 min 0 s"),
        (125, "2 min 5 s"),
        (3600, "1 h 0 min"),
        (90_061, "25 h 1 min"),
    ],
)
def test_durations_have_two_units(seconds, text):
    assert duration(seconds) == text


JOB = """
import sys
from shapaudit import progress
from shapaudit_audit.study.logs import log_to

progress.INTERVAL = 0
log_to(sys.argv[1]).info("begun")
for _ in progress.progress(range(3), "loop", "items"):
    pass
raise ValueError("at last")
"""


def told_by_a_job(log, **streams):
    path = {"PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-c", JOB, log]
    subprocess.run(command, env=os.environ | path, **streams)


def test_a_job_tells_its_progress_to_its_log_and_to_a_terminal(tmp_path):
    log = tmp_path / "logs" / "job.log"
    controller, terminal = os.openpty()
    told_by_a_job(log, stderr=terminal)
    shown = os.read(controller, 1 << 16).decode()
    assert f"\r\x1b[2K{log}: loop: 2 of 3 items"[:60] in shown
    assert "begun" not in shown
    assert f"(details: {log})" in shown
    written = log.read_text(encoding="utf-8")
    assert "INFO loop: 2 of 3 items" in written
    assert "begun" in written
    assert "Traceback" in written
    os.close(controller)
    os.close(terminal)


def test_a_job_tells_a_file_of_its_end_alone(tmp_path):
    log, told = tmp_path / "logs" / "job.log", tmp_path / "told"
    with told.open("w") as stream:
        told_by_a_job(log, stderr=stream)
    assert told.read_text() == f"ValueError: at last (details: {log})\n"
