"""Jobs that render notebooks, the report and the site."""

import numpy as np
import pytest

from shapaudit_audit.jobs import (
    DOCUMENTS,
    FIRST,
    BuildSite,
    CompileReport,
    RenderNotebook,
    WriteNumbers,
    WriteProvenance,
    WriteStudy,
    all_figures,
    figures,
    figures_of,
)
from shapaudit_audit.jobs import report as jobs_of_report
from shapaudit_audit.papers import PAPERS

OKHRATI = "okhrati_lipani_2021"
RESULTS = "results/smoke"


@pytest.fixture
def own(plan):
    """The plan of a study that names no paper."""
    whole = plan()
    unnamed = {
        block: {
            name: {key: value for key, value in entry.items() if key not in ("paper", "role")}
            for name, entry in whole.config.get(block, {}).items()
        }
        for block in ("experiments", "paths", "removal_studies", "explanation_studies")
    }
    return type(whole)(whole.config | unnamed, whole.root)


def test_the_study_is_written_as_it_was_given(plan):
    job = WriteStudy(plan(), {})
    assert job.asked() == {"study": plan().config}
    assert job.asked()["study"]["experiments"]["bdb-toy"] == plan().config["experiments"]["bdb-toy"]


def test_another_commit_is_another_provenance(plan, monkeypatch):
    first = WriteProvenance(plan(), {}).asked()
    assert set(first) == {"study", "git"}
    monkeypatch.setattr(jobs_of_report, "git_state", lambda root: {"commit": "x", "dirty": False})
    assert WriteProvenance(plan(), {}).asked() == first | {"git": {"commit": "x", "dirty": False}}


@pytest.mark.parametrize("notebook", [*figures()])
def test_a_notebook_is_given_its_folders_and_reads_its_paper(plan, notebook):
    job = RenderNotebook(plan(), {"notebook": notebook})
    asked, inputs = job.asked(), job.inputs()
    assert asked["notebook"]["results"] == RESULTS
    assert asked["notebook"]["output"] == f"{RESULTS}/figures/{notebook}"
    assert asked["captions"] == [figure.caption for figure in figures()[notebook].values()]
    assert inputs["notebook"].endswith(f"notebooks/{notebook}.ipynb")
    assert job.file() == inputs["notebook"]
    assert "shapaudit_audit.report.notebooks" in job.code()
    if notebook not in PAPERS:
        assert inputs["seen"] == [f"{RESULTS}/claims/claims.json"]
        assert job.priority() == FIRST
    else:
        assert job.priority() == len(figures()[notebook]) < FIRST


def test_a_notebook_of_a_paper_reads_all_that_is_made_for_its_experiments(plan):
    seen = RenderNotebook(plan(), {"notebook": OKHRATI}).inputs()["seen"]
    assert len(seen) == len(set(seen))
    for path in (
        "estimates/okhrati-suite/optimised-mc.parquet",
        "estimates/okhrati-suite/optimised-mc.json",
        "kept/okhrati-maps.parquet",
        "paths/okhrati-cancer.parquet",
        "games/okhrati-digits",
        "truth/okhrati-digits.parquet",
        "models/okhrati-digits.score.json",
        "datasets/digits.npz",
    ):
        assert f"{RESULTS}/{path}" in seen
    assert not [path for path in seen if "/many-cancer/" in path or "/removal_studies/" in path]


def test_labels_rerun_no_notebook_whose_configuration_is_a_file(plan):
    changed = plan({"estimators": {"owen": {"label": "Another label"}}})
    jobs = [RenderNotebook(each, {"notebook": OKHRATI}) for each in (plan(), changed)]
    assert jobs[0].asked() == jobs[1].asked()
    assert jobs[0].inputs()["study"] == f"{RESULTS}/study.yaml"


def test_numbers_are_those_of_all_runs_and_notebooks(plan):
    inputs = WriteNumbers(plan(), {}).inputs()
    assert inputs["claims"] == [
        f"{RESULTS}/claims/claims.json",
        f"{RESULTS}/repetitions/2/claims/claims.json",
    ]
    assert set(RenderNotebook(plan(), {"notebook": OKHRATI}).inputs()["seen"]) <= {*inputs["seen"]}
    assert len(inputs["scores"]) == len(plan().study.models)


def test_numbers_follow_the_packages_of_all_papers_and_the_all_cards(plan):
    code = WriteNumbers(plan(), {}).code()
    for paper in PAPERS:
        assert any(name.startswith(f"shapaudit_papers.{paper}") for name in code)
    assert f"shapaudit_papers.{OKHRATI}.tables" in code
    cards = {"shapaudit.estimators.sgd", "shapaudit.removals.separate"}
    assert cards <= set(code)
    assert cards <= set(BuildSite(plan(), {}).code())


def test_the_report_is_made_of_figures_and_generated_numbers(plan):
    inputs = CompileReport(plan(), {}).inputs()
    assert inputs["documents"] == [f"paper/{name}.tex" for name in DOCUMENTS]
    assert inputs["figures"] == all_figures(RESULTS, "pdf")
    assert set(figures_of(RESULTS, OKHRATI, "pdf")) <= set(inputs["figures"])
    assert f"{RESULTS}/paper/numbers.tex" in inputs["generated"]
    folders = CompileReport(plan(), {}).asked()["folders"]
    assert f"{RESULTS}/figures/{OKHRATI}" in folders


def test_the_site_of_a_report_shows_claims_and_figures(plan, monkeypatch):
    monkeypatch.setattr(jobs_of_report, "has_latex", lambda: True)
    job = BuildSite(plan(), {})
    inputs = job.inputs()
    assert f"{RESULTS}/estimates/many-cancer/paired-kernel-shap.parquet" in inputs["estimates"]
    assert f"{RESULTS}/truth/many-cancer.parquet" in inputs["truths"]
    assert inputs["claims"] == [f"{RESULTS}/claims/claims.json"]
    assert inputs["figures"] == all_figures(RESULTS, "svg")
    assert inputs["overhead"] == "benchmarks/results/overhead.csv"
    assert [*job.asked()["documents"]] == [*DOCUMENTS]
    assert f"shapaudit_papers.{OKHRATI}.claims" in job.code()
    monkeypatch.setattr(jobs_of_report, "has_latex", lambda: False)
    assert BuildSite(plan(), {}).asked()["documents"] == {}


def test_the_site_of_ones_own_study_compares_all_its_experiments(plan, own):
    job = BuildSite(own, {})
    inputs = job.inputs()
    assert not own.study.reported
    for empty in ("claims", "verified", "seen", "figures", "captions", "overhead"):
        assert not inputs[empty]
    assert f"{RESULTS}/estimates/bdb-toy/optimised-mc.parquet" in inputs["estimates"]
    assert len(inputs["estimates"]) > len(BuildSite(plan(), {}).inputs()["estimates"])
    assert job.asked()["documents"] == {}


def test_the_record_of_the_packages_is_read_and_brings_no_rule_of_theirs(plan, own):
    """An input would be an output of theirs, so that a study would ask all packages again."""
    job = BuildSite(plan(), {})
    flat = [part for paths in job.inputs().values() for part in np.atleast_1d(paths)]
    assert not any("conformance" in path for path in flat)
    record = "benchmarks/results/conformance.csv"
    assert record in job.code()
    assert record not in BuildSite(own, {}).code()
