"""Minutes of the appendix, from a folder of what Snakemake measured."""

import pytest

from shapaudit_audit.jobs import RenderNotebook, figures
from shapaudit_audit.jobs.minutes import _jobs, keep, minutes
from shapaudit_audit.jobs.report import repetitions
from shapaudit_audit.report.artifact import AUDIT, NUMBERS, read_minutes

OKHRATI = "okhrati_lipani_2021"
NOTEBOOK = f"results/notebooks/{OKHRATI}.ipynb"


@pytest.fixture
def measured(plan, tmp_path):
    """A plan, and the folder where each job took a minute."""
    made = plan()
    jobs = {f"render_{notebook}" for notebook in figures()} | {"write_numbers", "compile_report"}
    jobs |= {f"{run}judge_claims" for run in ["", *repetitions(made.study)]}
    for notebook in figures():
        job = RenderNotebook(made, {"notebook": notebook})
        jobs |= _jobs(job.made_for(notebook), made.study.results)
    for job in jobs:
        path = tmp_path / "benchmarks" / f"{job}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("s\th:m:s\tcpu_time\n90.0\t0:01:30\t60.0\n", encoding="utf-8")
    return made, tmp_path / "benchmarks", jobs


def test_a_notebook_needs_the_jobs_of_its_paper_and_numbers_need_all(measured):
    plan, benchmarks, jobs = measured
    found = minutes(plan, benchmarks)
    judged = len([job for job in jobs if not job.startswith(("render", "write", "compile"))])
    assert found[AUDIT] == pytest.approx(judged)
    assert found[NUMBERS] == pytest.approx(judged + 1)
    assert found["results/notebooks/audit.ipynb"] == pytest.approx(judged + 1)
    own = RenderNotebook(plan, {"notebook": OKHRATI}).made_for(OKHRATI)
    assert found[NOTEBOOK] == pytest.approx(len(_jobs(own, plan.study.results)) + 1)
    assert found[NOTEBOOK] < found[AUDIT]


def test_short_jobs_are_timed_by_the_clock_and_earlier_repetitions_do_not_count(measured):
    plan, benchmarks, _ = measured
    before = minutes(plan, benchmarks)
    old = benchmarks / "repetitions" / "1" / "judge_claims.tsv"
    old.parent.mkdir(parents=True)
    old.write_text("s\tcpu_time\n600.0\t600.0\n", encoding="utf-8")
    assert minutes(plan, benchmarks) == before
    (benchmarks / f"render_{OKHRATI}.tsv").write_text("s\tcpu_time\n30.0\tNA\n", encoding="utf-8")
    assert minutes(plan, benchmarks)[NOTEBOOK] == pytest.approx(before[NOTEBOOK] - 0.5)


def test_a_job_that_was_not_measured_is_named(measured):
    plan, benchmarks, _ = measured
    (benchmarks / "run_paths" / "okhrati-cancer.tsv").unlink()
    with pytest.raises(ValueError, match="nothing was measured of run_paths/okhrati-cancer"):
        minutes(plan, benchmarks)


def test_what_is_kept_is_read_again(measured, tmp_path):
    plan, benchmarks, _ = measured
    keep(plan, benchmarks, tmp_path / "minutes.csv")
    found = read_minutes(tmp_path / "minutes.csv")
    assert found == pytest.approx(minutes(plan, benchmarks), abs=0.051)
