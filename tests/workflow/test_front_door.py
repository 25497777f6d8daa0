"""The workflow itself: lint, plans of all studies, and the whole small study end to end."""

import json
import shutil

import pytest
from workspace import run

HAS_LATEX = all(map(shutil.which, ["latexmk", "pdflatex"]))


def test_lint_is_clean(project):
    outcome = run(project, "--lint")
    assert outcome.returncode == 0, outcome.stdout
    assert "Congratulations" in outcome.stdout


@pytest.mark.parametrize("study", ["config", "full"])
def test_the_larger_studies_can_be_planned(project, study):
    outcome = run(project, "--dry-run", "--quiet", "--configfile", f"config/{study}.yaml")
    assert outcome.returncode == 0, outcome.stdout[-3000:]


@pytest.fixture(scope="module")
def finished(project):
    """The small study, all of it."""
    outcome = run(project, "--cores", "2", "--configfile", "config/smoke.yaml")
    assert outcome.returncode == 0, outcome.stdout[-5000:]
    return project


def test_every_stage_leaves_its_results(finished):
    results = finished / "results" / "smoke"
    for stage in ("datasets", "models", "games", "truth", "estimates", "claims", "figures"):
        assert any((results / stage).iterdir()), stage
    claims = json.loads((results / "claims" / "claims.json").read_text(encoding="utf-8"))
    assert len({claim["id"] for claim in claims["claims"]}) == len(claims["claims"]) > 10
    assert (results / "provenance.json").exists()
    assert (results / "paper" / "numbers.tex").exists()
    assert (results / "paper" / "report.pdf").exists() == HAS_LATEX


def test_nothing_is_left_to_do(finished):
    outcome = run(finished, "--cores", "2", "--configfile", "config/smoke.yaml")
    assert "Nothing to be done" in outcome.stdout


def test_the_web_report_holds_the_figures_with_captions(finished):
    outcome = run(
        finished, "--configfile", "config/smoke.yaml", "--report", "results/smoke/report.html"
    )
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    text = (finished / "results/smoke/report.html").read_text(encoding="utf-8")
    assert text.count(".svg") >= 5
