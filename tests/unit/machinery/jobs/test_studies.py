"""Jobs of the studies of explainers and of removals."""

import pytest

from shapaudit_audit.jobs import StudyExplainers, StudyRemovals
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.studies import ExplanationStudyBlock, RemovalStudyBlock
from shapaudit_audit.study.costs import explanation_rows, removal_rows
from shapaudit_audit.study.explanations import Blocks

EXPLAINED = {"explanation": "depth-10", "first": "relu-1"}
ALONE = {"explanation_studies": {"depth-10": {"per_job": 1}}}
REMOVED = {"removal_study": "gaussian", "removal": "gaussian"}
EACH = {"removal_studies": {"gaussian": {"per_job": 1}}}


def explained(**changes):
    return {"explanation_studies": {"depth-10": {"per_job": 1, **changes}}}


def removed(**changes):
    return {"removal_studies": {"gaussian": {"per_job": 1, **changes}}}


def test_a_study_of_explainers_is_asked_with_the_blocks_that_it_names(plan):
    job = StudyExplainers(plan(ALONE), EXPLAINED)
    study = record(ExplanationStudyBlock, job.asked()["study"])
    blocks = record(Blocks, job.asked()["blocks"])
    assert [*study.models] == ["relu-1"]
    assert [*blocks.explainers] == study.explainers
    assert [*blocks.estimators] == study.estimators
    assert (blocks.dataset, blocks.removal) == (job.study.datasets[study.dataset], None)


@pytest.mark.parametrize(
    ("above", "same"),
    [
        (explained(label="Another label"), True),
        (explained(models={"tanh-1": {"params": {"epochs": 9}}}), True),
        (explained(models={"relu-1": {"label": "Another label"}}), True),
        ({"explainers": {"rescale": {"label": "Another label"}}}, True),
        ({"explainers": {"linear": {"params": {"x": 1}}}}, True),
        (explained(units=5), False),
        (explained(models={"relu-1": {"params": {"epochs": 9}}}), False),
        ({"explainers": {"rescale": {"params": {"x": 1}}}}, False),
        ({"estimators": {"paired-kernel-shap": {"files": ["weights.txt"]}}}, False),
        ({"seed": 3}, False),
    ],
    ids=str,
)
def test_only_what_a_models_numbers_depend_on_is_asked(plan, above, same):
    other = StudyExplainers(plan(ALONE | above), EXPLAINED)
    assert (other.asked() == StudyExplainers(plan(ALONE), EXPLAINED).asked()) == same


def test_rows_of_a_study_of_explainers_are_those_of_its_models(plan):
    whole, parts = StudyExplainers(plan(), EXPLAINED), plan(ALONE)
    study = parts.study.explanation_studies["depth-10"]
    jobs = [StudyExplainers(parts, {"explanation": "depth-10", "first": k}) for k in study.models]
    assert len(jobs) > 1
    assert whole.evaluations() == explanation_rows(parts.study, study) > 0
    assert sum(job.evaluations() for job in jobs) == whole.evaluations()
    assert whole.spends_on() == "explanation_studies.depth-10"


def test_explainers_bring_their_code(plan):
    code = StudyExplainers(plan(), EXPLAINED).code()
    assert {"shapaudit.explainers.deeplift", "shapaudit.estimators.kernel"} <= set(code)


def test_a_study_of_removals_is_asked_for_those_of_its_job(plan):
    limits = {"gaussian": {"fits": 3}, "marginal": {"rows": [50]}}
    job = StudyRemovals(plan(removed(fewer=limits)), REMOVED)
    asked = job.asked()
    study = record(RemovalStudyBlock, asked["study"])
    assert (study.removals, [*study.fewer]) == (["gaussian"], ["gaussian"])
    assert [*asked["removals"]] == ["gaussian"]
    assert [*asked["estimators"]] == ["paired-kernel-shap"]
    assert job.inputs()["model"] == "results/smoke/models/gaussian-network"
    assert job.inputs()["dataset"] == "results/smoke/datasets/gaussian-law-6.npz"
    assert len(job.inputs()["schemas"]) == 4


@pytest.mark.parametrize(
    ("above", "same"),
    [
        (removed(label="Another label"), True),
        (removed(fewer={"marginal": {"rows": [50]}}), True),
        (removed(removals=["marginal", "gaussian", "separate", "kernel"]), True),
        ({"removals": {"marginal": {"params": {"rows": 7}}}}, True),
        (removed(fewer={"gaussian": {"rows": [50]}}), False),
        (removed(budgets=[16, 32]), False),
        ({"removals": {"gaussian": {"params": {"draws": 7}}}}, False),
        ({"estimators": {"paired-kernel-shap": {"files": ["weights.txt"]}}}, False),
    ],
    ids=str,
)
def test_only_what_a_removals_numbers_depend_on_is_asked(plan, above, same):
    other = StudyRemovals(plan(EACH | above), REMOVED)
    assert (other.asked() == StudyRemovals(plan(EACH), REMOVED).asked()) == same


def test_rows_of_a_study_of_removals_are_those_of_its_jobs(plan):
    whole = StudyRemovals(plan(), REMOVED | {"removal": "marginal"})
    parts = plan(EACH)
    study = parts.study.removal_studies["gaussian"]
    jobs = [StudyRemovals(parts, REMOVED | {"removal": name}) for name in study.batches()]
    assert [job.evaluations() > 0 for job in jobs] == [True] * 3
    assert sum(job.evaluations() for job in jobs) == whole.evaluations()
    assert whole.evaluations() == removal_rows(parts.study, study)
    assert whole.spends_on() == "removal_studies.gaussian"


def test_a_removal_brings_its_code_and_not_that_of_others(plan):
    code = StudyRemovals(plan(EACH), REMOVED).code()
    assert "shapaudit.removals.gaussian" in code
    assert "shapaudit.removals.separate" not in code
