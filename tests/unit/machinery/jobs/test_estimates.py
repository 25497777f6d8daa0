"""Jobs that run estimators: what they read, what runs them again, and what they cost."""

import pytest

from shapaudit_audit.jobs import FIRST, SECOND, KeepEstimates, RunEstimators, RunPaths
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from shapaudit_audit.study.costs import run_evaluations
from shapaudit_audit.study.samples import path_evaluations

AGAIN = "repetitions/2/"
TUNED = ["plain-mc", "paired-kernel-shap", "psgd-sqrt-tuned"]
# An experiment whose estimators have jobs of their own, and one of which is costly.
OWN = {
    "experiments": {
        "diabetes": {
            **{"estimators": TUNED, "per_job": 1},
            "costly": {"psgd-sqrt-tuned": {"explicands": 2}},
        }
    }
}


def experiment(**changes):
    return {"experiments": {"diabetes": changes}}


def asked(plan, *above, batch="plain-mc"):
    config = OWN
    for part in above:
        config = {key: laid(config.get(key, {}), value) for key, value in (config | part).items()}
    return RunEstimators(plan(config), {"experiment": "diabetes", "batch": batch}).asked()


def laid(below, above):
    """One block over another, key by key."""
    if not isinstance(below, dict) or not isinstance(above, dict):
        return above
    return below | {key: laid(below.get(key, {}), value) for key, value in above.items()}


def test_a_job_of_estimators_reads_the_games_their_truth_and_their_model(plan):
    job = RunEstimators(plan(OWN), {"run": "", "experiment": "diabetes", "batch": "plain-mc"})
    places = "results/smoke"
    inputs = job.inputs()
    assert {name: path for name, path in inputs.items() if name != "schemas"} == {
        "games": f"{places}/games/diabetes",
        "model": f"{places}/models/diabetes-boosting",
        "truth": f"{places}/truth/diabetes.parquet",
        "own": [],
    }
    assert [path.rpartition("/")[2] for path in inputs["schemas"]] == [
        "estimates.schema.yaml",
        "truth.schema.yaml",
    ]


def test_a_job_of_estimators_is_asked_for_its_own_part_of_the_experiment(plan):
    assert asked(plan) == {
        "seed": 1,
        "study": "smoke",
        "estimators": {"plain-mc": {"estimator": "plain-monte-carlo"}},
        "experiment": {
            "game": "diabetes",
            "budgets": [40, 100, 300, 1000],
            "repetitions": 2,
            "estimators": ["plain-mc"],
        },
    }
    costly = asked(plan, batch="psgd-sqrt-tuned")
    assert costly["experiment"]["costly"] == {"psgd-sqrt-tuned": {"explicands": 2}}
    assert costly["estimators"]["psgd-sqrt-tuned"]["tune"]["grid"] == [0.001, 0.01]


@pytest.mark.parametrize(
    "above",
    [
        {"estimators": {"plain-mc": {"label": "Another label"}}},
        {"games": {"diabetes": {"label": "Another label"}}},
        {"games": {"diabetes": {"truth": {"check": "diagonal"}}}},
        {"most_evaluations": 5},
        {"claims": {"alpha": 0.01}},
        experiment(role="task"),
        experiment(paper="okhrati_lipani_2021"),
        experiment(data="other"),
        experiment(reference="paired-kernel-shap"),
        experiment(audit=True),
        experiment(keep=2),
        experiment(estimators=[*TUNED, "owen"]),
        experiment(costly={"psgd-sqrt-tuned": {"explicands": 1}}),
        experiment(costly={"owen": {"evaluations": 0}}),
    ],
    ids=str,
)
def test_what_another_job_or_the_report_is_about_reruns_no_estimator(plan, above):
    assert asked(plan, above) == asked(plan)


@pytest.mark.parametrize(
    "above",
    [
        {"seed": 3},
        {"study": "other"},
        {"estimators": {"plain-mc": {"estimator": "optimised-monte-carlo"}}},
        {"estimators": {"plain-mc": {"files": ["weights.txt"]}}},
        {"estimators": {"plain-mc": {"tune": {"parameter": "x", "grid": [1, 2]}}}},
        experiment(budgets=[40, 100, 300]),
        experiment(repetitions=3),
        experiment(explicands=3),
        experiment(costly={"plain-mc": {"evaluations": 100}}),
    ],
    ids=str,
)
def test_what_the_numbers_depend_on_reruns_it(plan, above):
    assert asked(plan, above) != asked(plan)


def test_what_is_asked_are_records_again(plan):
    """As the script of the rule reads them."""
    told = asked(plan, batch="psgd-sqrt-tuned")
    job = RunEstimators(plan(OWN), {"experiment": "diabetes", "batch": "psgd-sqrt-tuned"})
    own = record(ExperimentBlock, told["experiment"])
    assert own.part("psgd-sqrt-tuned").explicands == 2
    assert own.budgets == job.block.budgets
    (spec,) = records(EstimatorBlock, told["estimators"]).values()
    assert spec.tune == job.specs["psgd-sqrt-tuned"].tune


def test_estimators_of_the_same_job_are_asked_together(plan):
    names = {"experiment": "diabetes", "batch": "plain-mc"}
    shared = RunEstimators(plan(), names)
    assert [*shared.specs] == ["plain-mc", "paired-kernel-shap"]
    assert [*shared.asked()["estimators"]] == ["plain-mc", "paired-kernel-shap"]


def test_a_job_runs_the_code_of_its_own_estimators(plan):
    code = {
        batch: RunEstimators(plan(OWN), {"experiment": "diabetes", "batch": batch}).code()
        for batch in TUNED
    }
    modules = ("monte_carlo", "kernel", "sgd")
    for batch, own in zip(TUNED, modules, strict=True):
        named = {module for module in modules if f"shapaudit.estimators.{module}" in code[batch]}
        assert named == {own}
    assert {len(digest) for digest in code["plain-mc"].values()} == {12}


def test_a_repetition_runs_its_part_from_another_seed(plan):
    names = {"run": AGAIN, "experiment": "classification", "batch": "plain-mc"}
    job = RunEstimators(plan(), names)
    assert job.asked()["seed"] == 2
    assert job.asked()["experiment"]["repetitions"] == 1
    listed = ["plain-mc", "optimised-mc", "psgd-constant", "psgd-sqrt-tuned"]
    assert job.asked()["experiment"]["estimators"] == listed
    assert job.inputs()["games"] == f"results/smoke/{AGAIN}games/classification"
    assert job.asked()["study"] == "smoke"


def test_evidence_waits_for_audited_experiments_first(plan):
    def priority(name, batch):
        return RunEstimators(plan(), {"experiment": name, "batch": batch}).priority()

    assert priority("classification", "plain-mc") == FIRST
    assert priority("diabetes", "plain-mc") == SECOND


def test_the_evaluations_of_a_job_are_those_of_its_estimators(plan):
    study = plan(OWN).study
    for batch in TUNED:
        job = RunEstimators(plan(OWN), {"experiment": "diabetes", "batch": batch})
        own = study.experiments["diabetes"].part(batch)
        counted = run_evaluations(study.estimators[batch], own, study.games["diabetes"])
        assert job.evaluations() == counted > 0
        assert job.spends_on() == "games.diabetes"


def test_estimates_are_kept_of_few_explicands_with_one_seed(plan):
    job = KeepEstimates(plan(), {"experiment": "okhrati-maps"})
    assert job.asked()["experiment"]["keep"] == 10
    assert [*job.asked()["estimators"]] == job.block.estimators
    assert job.inputs()["schemas"][0].endswith("kept.schema.yaml")
    assert "truth" not in job.inputs()
    few = KeepEstimates(
        plan({"experiments": {"okhrati-maps": {"keep": 5, "repetitions": 3}}}),
        {"experiment": "okhrati-maps"},
    )
    assert 2 * few.evaluations() == job.evaluations() > 0


def test_paths_are_asked_by_their_block(plan):
    job = RunPaths(plan(), {"path": "okhrati-cancer"})
    assert "paper" not in job.asked()["path"]
    path = record(PathBlock, job.asked()["path"])
    assert (path.samples, path.step) == (20, 10)
    assert job.spends_on() == "games.okhrati-cancer"
    assert job.inputs()["schemas"][0].endswith("deviations.schema.yaml")
    assert job.evaluations() == path_evaluations(job.specs, job.block, job.games.players) > 0
