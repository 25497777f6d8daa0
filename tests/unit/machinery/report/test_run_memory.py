"""The memory of a run's jobs at their peak, beside what their rules ask for."""

import csv

import pytest

from shapaudit_audit.report.run_memory import Job, near, peaks, record
from shapaudit_audit.report.run_summary import of_success
from shapaudit_audit.study.logs import PEAK


@pytest.fixture
def job(tmp_path):
    """A function that makes a job with a benchmark, and with a log of its peak."""

    def of(rule, name, asked, seen=None, told=None):
        benchmark, log = tmp_path / rule / f"{name}.tsv", tmp_path / f"{name}.log"
        benchmark.parent.mkdir(exist_ok=True)
        if seen is not None:
            benchmark.write_text(f"s\tmax_rss\n1.0\t{seen}\n", encoding="utf-8")
        if told is not None:
            log.write_text(f"INFO begun\nINFO {PEAK}: {told} MB\n", encoding="utf-8")
        return Job(rule, asked, str(benchmark), [str(log), str(tmp_path / "as_it_ran.ipynb")])

    return of


@pytest.fixture
def study(job):
    return [
        job("truth", "small", 4000, seen=100.5, told=120),
        job("truth", "large", 4000, seen=3300, told=3100),
        job("truth", "not_run", 4000),
        job("site", "site", 1000, seen="NA", told=1100),
        job("short", "short", 500, seen="NA"),
        job("free", "free", None, seen=50),
    ]


def test_the_peak_of_a_rule_is_that_of_its_largest_job(study):
    site, truth, free = peaks(study)
    assert (site.rule, site.megabytes, site.share) == ("site", 1100, 1.1)
    assert (truth.megabytes, truth.jobs, truth.measured) == (3300, 3, 2)
    assert truth.job.endswith("truth/large")
    assert (free.rule, free.share) == ("free", 0)


def test_what_the_process_said_counts_where_it_is_more(job):
    (peak,) = peaks([job("truth", "missed", 4000, seen=100, told=3900)])
    assert peak.megabytes == 3900


def test_only_what_is_near_or_above_is_printed_with_a_flag_that_gives_room(study):
    lines = near(peaks(study)).splitlines()
    assert len(lines) == 3
    assert "site: 1,100 of 1,000 MB" in lines[1]
    assert lines[1].endswith("--set-resources site:mem_mb=2000")
    assert lines[2].endswith("--set-resources truth:mem_mb=5000")


def test_nothing_is_printed_where_there_is_room(job):
    measured = peaks([job("truth", "one", 4000, seen=3199)])
    assert near(measured) == ""
    assert near([]) == ""


def test_all_peaks_are_recorded(study, tmp_path):
    record(peaks(study), tmp_path / "logs" / "memory.csv")
    with (tmp_path / "logs" / "memory.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["rule"]: row for row in csv.DictReader(file)}
    assert list(rows) == ["free", "site", "truth"]
    assert (rows["truth"]["asked_mb"], rows["truth"]["peak_mb"]) == ("4000", "3300")
    assert (rows["truth"]["share"], rows["free"]["share"]) == ("0.82", "")


def test_a_run_of_a_part_leaves_what_is_recorded_of_the_others(study, job, tmp_path):
    path = tmp_path / "memory.csv"
    record(peaks(study), path)
    record(peaks([job("site", "again", 1000, seen=200)]), path)
    rows = {row[0]: row[2] for row in csv.reader(path.open(encoding="utf-8", newline=""))}
    assert rows == {"rule": "peak_mb", "free": "50", "site": "200", "truth": "3300"}


def test_the_end_of_a_run_tells_it(study, tmp_path):
    told = of_success(tmp_path, tmp_path / "none", 0.0, {}, peaks(study))
    assert "3,300 of 4,000 MB" in told
    assert "Memory" not in of_success(tmp_path, tmp_path / "none", 0.0, {})
