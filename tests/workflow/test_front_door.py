"""The workflow itself: lint, plans of all studies, and the whole small study end to end.

The project is a copy with all that CONTRIBUTING.md and docs/new_paper.md add to it: a data set, a
game, a claim with a figure, and a whole small paper.
"""

import json
import re
import shutil

import pytest
from browser import browser
from opened import TRACE, jobs_of, undeclared
from site_visit import Visit
from workspace import ROOT, copy_project, run

from recipes import follow
from shapaudit.study import dependencies

STUDY = "config/smoke.yaml"
HAS_LATEX = all(map(shutil.which, ["latexmk", "pdflatex"]))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project in which the recipes have been followed."""
    copy = copy_project(tmp_path_factory.mktemp("copy") / "project")
    for page in ("CONTRIBUTING.md", "docs/new_paper.md"):
        follow(copy, (ROOT / page).read_text(encoding="utf-8"))
    return copy


def test_lint_is_clean(project):
    outcome = run(project, "--lint")
    assert outcome.returncode == 0, outcome.stdout
    assert "Congratulations" in outcome.stdout


@pytest.mark.parametrize("study", ["config", "full"])
def test_the_larger_studies_can_be_planned(project, study):
    outcome = run(project, "--dry-run", "--quiet", "--configfile", f"config/{study}.yaml")
    assert outcome.returncode == 0, outcome.stdout[-3000:]


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """Folder of the notes on what the jobs of the small study open."""
    return tmp_path_factory.mktemp("trace")


@pytest.fixture(scope="module")
def outcome(project, trace):
    """A run of the small study, all of it."""
    outcome = run(
        project,
        *("--cores", "2", "--configfile", STUDY),
        SHAPAUDIT_TRACE=str(trace),
        PYTHONPATH=str(TRACE),
    )
    assert outcome.returncode == 0, outcome.stdout[-5000:]
    return outcome


@pytest.fixture(scope="module")
def finished(project, outcome):
    """The project with the results of the small study."""
    return project


def test_the_run_ends_with_what_it_made(finished, outcome):
    ending = outcome.stdout.partition("Elapsed time")[2]
    benchmarks = list((finished / "logs/smoke/benchmarks").rglob("*.tsv"))
    assert f"Done: {len(benchmarks)} jobs in " in ending
    for product in ("site/index.html", "claims/claims.json"):
        assert f"results/smoke/{product}" in ending
    claims = json.loads((finished / "results/smoke/claims/claims.json").read_text("utf-8"))
    (heads,) = re.findall(r"^  Claims +(stands.*)", ending, flags=re.MULTILINE)
    (ours,) = re.findall(r"^  this project +(.*)", ending, flags=re.MULTILINE)
    counted = {
        key: int(n.replace("-", "0")) for key, n in zip(heads.split(), ours.split(), strict=True)
    }
    own = [claim["consequence"] for claim in claims["claims"] if claim["source"] != "paper"]
    assert counted == {key: own.count(key) for key in counted}
    assert sum(counted.values()) == len(own) > 0


@pytest.fixture
def digested(finished, monkeypatch):
    """A function of what stands in a job's ``code``: the files that are digested for it."""
    monkeypatch.setattr(dependencies, "PACKAGE", finished / "src" / "shapaudit")
    cached = (dependencies._imports, dependencies._files_of)
    for function in cached:
        function.cache_clear()

    def files(code):
        _, script, *sources = code.split()
        found = dependencies.package_files(finished / script, *sources)
        # The checker is found where this process finds it, the package where it was told.
        roots = [finished if path.is_relative_to(finished) else ROOT for path in found]
        names = {str(path.relative_to(root)) for path, root in zip(found, roots, strict=True)}
        return names | {script}

    yield files
    for function in cached:
        function.cache_clear()


def test_jobs_open_nothing_but_what_their_rules_declare(finished, trace, digested):
    jobs = list(jobs_of(trace))
    assert {"gather_evidence", "render_audit", "write_numbers"} <= {job.rule for job in jobs}
    found = {job.rule: undeclared(job, digested(job.code)) for job in jobs}
    assert {rule: paths for rule, paths in found.items() if paths} == {}


def test_evidence_has_the_estimates_of_its_own_experiments(outcome, trace):
    inputs = [job.declared for job in jobs_of(trace) if job.rule == "gather_evidence"]
    own = [one for one in inputs if any("/estimates/bdb-medium/" in path for path in one)]
    assert len(own) == 1  # once: the repetition does not run them
    assert any(path.endswith("evidence/bell_devanathan_boyd_2024.json") for path in own[0])


def test_what_the_recipes_add_is_in_the_results(finished):
    results = finished / "results" / "smoke"
    claims = json.loads((results / "claims" / "claims.json").read_text(encoding="utf-8"))
    verdicts = {claim["id"]: claim["status"] for claim in claims["claims"]}
    assert (verdicts["field26-30"], verdicts["ow72-01"]) == ("proved", "exact")
    for figure in ("audit/duality", "owen_1972/diagonal"):
        assert (results / "figures" / f"{figure}.pdf").exists()
    assert (results / "estimates" / "owen-levels" / "levels-at-random.parquet").exists()
    page = (results / "site" / "index.html").read_text(encoding="utf-8")
    assert "Owen 1972" in page
    assert "A game and its dual" in page


def test_every_stage_leaves_its_results(finished):
    results = finished / "results" / "smoke"
    stages = ("datasets", "models", "games", "truth", "estimates", "evidence", "claims", "figures")
    for stage in stages:
        assert any((results / stage).iterdir()), stage
    claims = json.loads((results / "claims" / "claims.json").read_text(encoding="utf-8"))
    assert len({claim["id"] for claim in claims["claims"]}) == len(claims["claims"]) > 10
    assert (results / "provenance.json").exists()
    assert (results / "paper" / "numbers.tex").exists()
    assert (results / "paper" / "report.pdf").exists() == HAS_LATEX


def test_all_values_and_tables_that_the_report_uses_are_made(finished):
    sources = [path.read_text(encoding="utf-8") for path in (finished / "paper").rglob("*.tex")]
    text = re.sub(r"(?m)^%.*", "", "\n".join(sources))
    paper = finished / "results" / "smoke" / "paper"
    made = re.findall(r"\\defvalue\{([^}]*)\}", (paper / "numbers.tex").read_text("utf-8"))
    used = set(re.findall(r"\\val\{([^}#]*)\}", text))
    assert len(used) > 100
    assert used - set(made) == set()
    tables = {path.stem for path in (paper / "tables").glob("*.tex")}
    assert set(re.findall(r"\\input\{tables/([^}]*)\}", text)) == tables


def test_nothing_is_left_to_do(finished):
    again = run(finished, "--cores", "2", "--configfile", STUDY)
    assert "Nothing to be done" in again.stdout
    assert "Done:" not in again.stdout


def test_the_web_report_holds_the_figures_with_captions(finished):
    outcome = run(finished, "--configfile", STUDY, "--report", "results/smoke/report.html")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    text = (finished / "results/smoke/report.html").read_text(encoding="utf-8")
    assert text.count(".svg") >= 5


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_reader_finds_the_way_through_the_site(finished, device):
    page = finished / "results" / "smoke" / "site" / "index.html"
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        every = visit.data(".claim", "paper", "consequence")
        assert visit.overflow() <= 0

        visit.choose("claim", "paper", "gt20")
        visit.choose("claim", "consequence", "hypothesis")
        assert set(visit.data(".claim", "paper", "consequence")) == {("gt20", "hypothesis")}
        (words,) = visit.all("[name=words]")
        words.send_keys("Markov")
        assert (
            0
            < len(visit.data(".claim", "paper", "consequence"))
            < every.count(("gt20", "hypothesis"))
        )

        summary = visit.all(".claim > summary")[0]
        assert visit.all(".statement") == []
        summary.click()
        (statement,) = visit.all(".statement")
        assert all(formula.size["height"] > 5 for formula in visit.all(".statement math"))
        assert statement.text
        assert visit.overflow() <= 0

        (first,) = set(visit.data(".ratio", "task"))
        options = "[data-filters=ratio] [name=task] option"
        tasks = {one.get_attribute("value") for one in visit.all(options)}
        for task in tasks - {first[0]}:
            visit.choose("ratio", "task", task)
            assert set(visit.data(".ratio", "task")) == {(task,)}
        assert all(image.size["width"] > 100 for image in visit.all("figure img"))
        assert visit.overflow() <= 0

        visit = Visit(driver, f"{page.as_uri()}#ccll23-08a")
        opened = [one.get_attribute("id") for one in visit.all("details.claim[open]")]
        assert "ccll23-08a" in opened
        assert visit.complaints() == []
