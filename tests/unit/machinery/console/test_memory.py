"""The memory of a run's jobs at their peak, beside what their rules ask for."""

import pytest
from made_events import job_info

from shapaudit_audit.console.memory import near
from shapaudit_audit.study.logs import PEAK


@pytest.fixture
def job(tmp_path):
    """A function that makes a job with a log of its peak."""

    def of(rule, name, memory, told=None):
        log = tmp_path / f"{name}.log"
        if told is not None:
            log.write_text(f"INFO begun\nINFO {PEAK}: {told} MB\n", encoding="utf-8")
        return job_info(0, rule, name, memory, log=[str(log), str(tmp_path / "as_it_ran.ipynb")])

    return of


@pytest.fixture
def study(job):
    return [
        job("truth", "small", 4000, 120),
        job("truth", "large", 4000, 3300),
        job("truth", "larger", 8000, 6500),
        job("truth", "not run", 4000),
        job("site", "the site", 1000, 1100),
        job("free", "free", None, 50),
        job("roomy", "roomy", 4000, 3199),
    ]


def test_only_what_is_near_or_above_is_told_with_a_flag_that_gives_room(study):
    _, site, truth = near(study).splitlines()
    assert (
        site == "  site: 1,100 of 1,000 MB (the site); next time --set-resources site:mem_mb=2000"
    )
    assert truth.startswith("  truth: 6,500 of 8,000 MB (larger)")
    assert truth.endswith("--set-resources truth:mem_mb=10000")
    assert near([study[0], *study[-2:]]) == near([]) == ""
