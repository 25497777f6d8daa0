"""The memory of a run's jobs at their peak, beside what their rules ask for."""

import pytest

from shapaudit_audit.console.jobs import Job
from shapaudit_audit.console.memory import near, peak
from shapaudit_audit.study.logs import PEAK


@pytest.fixture
def job(tmp_path):
    """A function that makes a job with a benchmark, and with a log of its peak."""

    def of(rule, name, asked, seen=None, told=None):
        benchmark, log = tmp_path / f"{name}.tsv", tmp_path / f"{name}.log"
        if seen is not None:
            benchmark.write_text(f"s\tmax_rss\n1.0\t{seen}\n", encoding="utf-8")
        if told is not None:
            log.write_text(f"INFO begun\nINFO {PEAK}: {told} MB\n", encoding="utf-8")
        logs = (str(log), str(tmp_path / "as_it_ran.ipynb"))
        return Job(rule, name, ("made",), logs, str(benchmark), asked)

    return of


@pytest.fixture
def study(job):
    return [
        job("truth", "small", 4000, seen=100.5, told=120),
        job("truth", "large", 4000, seen=3300, told=3100),
        job("truth", "larger", 8000, seen=6500),
        job("truth", "not run", 4000),
        job("site", "the site", 1000, seen="NA", told=1100),
        job("short", "short", 500, seen="NA"),
        job("free", "free", None, seen=50),
        job("roomy", "roomy", 4000, seen=3199),
    ]


def test_a_peak_is_what_was_seen_or_told(job, study):
    assert [*map(peak, study[:6])] == [120, 3300, 6500, 0, 1100, 0]
    assert peak(job("truth", "missed", 4000, seen=100, told=3900)) == 3900


def test_only_what_is_near_or_above_is_told_with_a_flag_that_gives_room(study):
    _, site, truth = near(study).splitlines()
    assert (
        site == "  site: 1,100 of 1,000 MB (the site); next time --set-resources site:mem_mb=2000"
    )
    assert truth.startswith("  truth: 6,500 of 8,000 MB (larger)")
    assert truth.endswith("--set-resources truth:mem_mb=10000")
    assert near([*study[:1], *study[-3:]]) == near([]) == ""
