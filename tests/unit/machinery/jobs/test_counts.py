"""Evaluations of the jobs of a run, by parts of the study; and the functions of a rule."""

import re

import pytest
from places import ROOT

from shapaudit_audit import jobs
from shapaudit_audit.jobs import BuildGames, ComputeTruth, Job, RunEstimators, ask, evaluations

NAMES = {"run": "", "experiment": "diabetes", "batch": "plain-mc"}
JOBS = [each for each in vars(jobs).values() if "script" in getattr(each, "__dict__", {})]


def test_evaluations_are_summed_by_part_in_the_order_of_the_jobs(plan):
    whole = plan()
    game = {"run": "", "game": "diabetes"}
    counts = evaluations(
        whole,
        [
            ("write_study", {}),
            ("build_games", {"run": "", "game": "classification"}),
            ("run_estimators", NAMES),
            ("compute_truth", {"run": "repetitions/2/", "game": "diabetes"}),
            ("build_games", {"run": "", "game": "classification-large"}),
            ("load_dataset", {"dataset": "diabetes"}),
        ],
    )
    both = RunEstimators(whole, NAMES).evaluations() + ComputeTruth(whole, game).evaluations()
    tables = BuildGames(whole, {"game": "classification"}).evaluations()
    assert counts == {"games.classification": tables, "games.diabetes": both}
    assert list(counts) == ["games.classification", "games.diabetes"]


def test_a_run_of_nothing_takes_nothing(plan):
    assert evaluations(plan(), []) == {}


def test_every_rule_that_evaluates_is_counted():
    text = "".join(
        (ROOT / "workflow" / "rules" / f"{name}.smk").read_text(encoding="utf-8")
        for name in ("games", "truth", "estimates", "explanations", "removals")
    )
    rules = set(re.findall(r"^rule (\w+):", text, flags=re.MULTILINE))
    # Those that gather what others made, and the fit of a game's removal, whose rows its table has.
    others = {"estimates", "explanations", "removal_studies", "fit_removal"}
    counted = {job.script for job in JOBS if job.evaluations is not Job.evaluations}
    assert rules - others == counted


@pytest.mark.parametrize("job", JOBS)
def test_every_job_runs_a_script_that_there_is(job):
    assert (ROOT / "workflow" / "scripts" / f"{job.script}.py").is_file()


def test_a_rule_asks_a_job_by_its_wildcards(plan):
    whole = plan()
    job, of = RunEstimators(whole, NAMES), ask(whole, RunEstimators)
    for part in ("inputs", "threads", "priority"):
        assert getattr(of, part)(NAMES) == getattr(job, part)()
    assert {name: of_names(NAMES) for name, of_names in of.params.items()} == {
        "code": job.code(),
        "asked": job.asked(),
    }


def test_a_rule_may_lack_a_wildcard_that_it_gives_by_name(plan):
    of = ask(plan(), RunEstimators, batch="plain-mc")
    wildcards = {"run": "", "experiment": "diabetes"}
    assert of.params["asked"](wildcards) == RunEstimators(plan(), NAMES).asked()


def test_code_is_that_of_the_script_below_the_folder_of_the_workflow(plan):
    whole = plan()
    code = whole.code("workflow/scripts/build_games.py")
    assert "shapaudit_audit.study.collection" in code
    more = whole.code("workflow/scripts/build_games.py", "shapaudit/removals/copula.py")
    assert "shapaudit.removals.copula" in set(more) - set(code)
    assert code.items() <= more.items()
