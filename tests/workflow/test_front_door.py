"""The workflow itself: lint, plans of all studies, and the whole small study end to end.

The project is a copy with all that CONTRIBUTING.md adds to it, a data set, a game and a claim with
a figure, and with the whole small paper of docs/new_paper.md installed beside it.
"""

import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from accessible import barriers, lost_by_keyboard
from browser import browser
from opened import TRACE, jobs_of, undeclared
from site_curves import lines_of, seconds_at_ends, with_times
from site_visit import Visit
from workspace import ROOT, copy_project, run

from recipes import follow

STUDY = "config/with_owen.yaml"  # the small study with a paper from elsewhere
HAS_LATEX = all(map(shutil.which, ["latexmk", "pdflatex"]))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project in which the recipes have been followed."""
    copy = copy_project(tmp_path_factory.mktemp("copy") / "project")
    for page in ("CONTRIBUTING.md", "docs/new_paper.md"):
        follow(copy, (ROOT / page).read_text(encoding="utf-8"))
    return copy


@pytest.fixture(scope="module")
def guest(project, tmp_path_factory):
    """Folder in which the distribution of docs/new_paper.md is installed."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--target", str(target)]
    command = [sys.executable, "-m", "pip", "install", "--quiet", *options, str(project / "owen")]
    subprocess.run(command, check=True)
    return target


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
def outcome(project, trace, guest):
    """A run of the small study, all of it."""
    outcome = run(
        project,
        *("--cores", "2", "--configfile", STUDY),
        SHAPAUDIT_TRACE=str(trace),
        SHAPAUDIT_TRACE_ROOT=str(project),
        PYTHONPATH=f"{TRACE}:{guest}",
    )
    assert outcome.returncode == 0, outcome.stdout[-5000:]
    return outcome


@pytest.fixture(scope="module")
def finished(project, outcome):
    """The project with the results of the small study."""
    return project


def test_the_run_ends_with_what_it_made(finished, outcome):
    begin, _, ending = outcome.stdout.partition("Complete log")
    assert len(begin.splitlines()) < 120  # one of progress now and then, the details in the log
    sentences = (finished / "results/smoke/findings.txt").read_text("utf-8").splitlines()
    assert 1 <= len(sentences) <= 3
    assert all(f"{number}. {line}" in ending for number, line in enumerate(sentences, 1))
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


def test_jobs_open_nothing_but_what_their_rules_declare(finished, trace):
    jobs = list(jobs_of(trace))
    assert {"gather_evidence", "render_audit", "write_numbers"} <= {job.rule for job in jobs}
    extra = {job.rule: undeclared(job) for job in jobs}
    assert {rule: paths for rule, paths in extra.items() if paths} == {}


def test_evidence_has_the_estimates_of_its_own_experiments(outcome, trace):
    inputs = [job.declared for job in jobs_of(trace) if job.rule == "gather_evidence"]
    own = [files for files in inputs if any("/estimates/bdb-medium/" in path for path in files)]
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
    claims, papers = (
        (results / "site" / name).read_text(encoding="utf-8")
        for name in ("claims.html", "papers.html")
    )
    assert 'id="ow72-01"' in claims
    assert "Owen 1972" in papers
    assert (results / "site" / "paper-ow72.html").exists()
    assert "A game and its dual" in claims


def test_every_stage_leaves_its_results(finished):
    results = finished / "results" / "smoke"
    stages = ("datasets", "models", "games", "truth", "estimates", "evidence", "claims", "figures")
    for stage in stages:
        assert any((results / stage).iterdir()), stage
    claims = json.loads((results / "claims" / "claims.json").read_text(encoding="utf-8"))
    assert len({claim["id"] for claim in claims["claims"]}) == len(claims["claims"]) > 10
    assert (results / "provenance.json").exists()
    assert (results / "paper" / "numbers.tex").exists()
    for document in ("report", "supplement"):
        assert (results / "paper" / f"{document}.pdf").exists() == HAS_LATEX


def test_all_values_and_tables_that_the_report_uses_are_made(finished):
    folders = (finished / "paper", finished / "owen")
    sources = [
        path.read_text(encoding="utf-8") for folder in folders for path in folder.rglob("*.tex")
    ]
    text = re.sub(r"(?m)^%.*", "", "\n".join(sources))
    paper = finished / "results" / "smoke" / "paper"
    made = re.findall(r"\\defvalue\{([^}]*)\}", (paper / "numbers.tex").read_text("utf-8"))
    used = set(re.findall(r"\\val\{([^}#]*)\}", text))
    assert len(used) > 100
    assert used - set(made) == set()
    tables = {path.stem for path in (paper / "tables").glob("*.tex")}
    assert set(re.findall(r"\\input\{tables/([^}]*)\}", text)) == tables


def test_nothing_is_left_to_do(finished, guest):
    again = run(finished, "--cores", "2", "--configfile", STUDY, PYTHONPATH=str(guest))
    assert "Nothing to be done" in again.stdout
    assert "Done:" not in again.stdout


def test_the_web_report_holds_the_figures_with_captions(finished, guest):
    report = ("--report", "results/smoke/report.html")
    outcome = run(finished, "--configfile", STUDY, *report, PYTHONPATH=str(guest))
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    text = (finished / "results/smoke/report.html").read_text(encoding="utf-8")
    assert text.count(".svg") >= 5


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_the_first_page_answers_what_is_asked(finished, device):
    page = finished / "results" / "smoke" / "site" / "index.html"
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        assert visit.overflow() <= 0
        before = visit.text(".advice")
        assert visit.all(".advice a[href^='estimators.html?task=']")
        visit.write("[data-helper]", players="20")
        (link,) = visit.all(".advice a[href^='estimators.html?task=']")
        link.click()  # the field is left by that, and says so before the click arrives
        assert "estimators.html?task=" in driver.current_url
        driver.back()
        visit.write("[data-helper]", players="9", budget="50", explanations="1000")
        visit.choose("[data-helper]", "kind", "tree")
        after = visit.text(".advice")
        assert "from the trees" in after != before
        assert visit.all(".advice a[href='claims.html#ccll23-15a']")
        visit.write("[data-helper]", players="5000")
        visit.choose("[data-helper]", "kind", "other")
        assert "No evidence for about 5,000 players" in visit.text(".advice")
        assert "shapaudit compare --data" in visit.text(".advice pre")
        told = visit.text(".advice")
        visit = Visit(driver, driver.current_url)  # the address keeps the situation
        assert visit.text(".advice") == told
        assert "1,000 explanations take 50,000 evaluations" in visit.text(".advice")
        visit.write("[data-helper]", players="3.5")
        assert "whole numbers" in visit.text(".advice")
        (link,) = visit.all("nav a[href='estimators.html']")
        link.click()
        assert "estimators.html?" in driver.current_url
        assert "explanations=1000" in driver.current_url
        visit.choose("[data-filters=ratio]", "unbiased", "yes")
        assert "evaluations=50&" in driver.current_url  # beside the budget of the table
        assert visit.complaints() == []


def test_claims_that_change_what_to_do_are_on_paper_too(finished):
    page = finished / "results" / "smoke" / "site" / "index.html"
    with browser("desktop") as driver:
        visit = Visit(driver, page.as_uri())
        on_screen = len(visit.all(".changing li"))
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        claims = driver.find_elements("css selector", ".changing li")
        assert len(visit.all(".changing li")) == len(claims) > on_screen


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_the_curves_are_those_that_are_chosen(finished, device):
    page = finished / "results" / "smoke" / "site" / "index.html"
    lines = lines_of(page)
    most = max(lines, key=lambda name: lines[name])
    (timed, *_), others = with_times(page)
    untimed = max(others, key=lines.get)
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        form = "[data-chart]"
        visit.choose(form, "task", most)
        boxes = visit.all(".legend input")
        assert len(visit.all(".chart polyline")) == len(boxes) == lines[most] > 2
        coloured = len(visit.all(".chart circle"))
        assert coloured == sum(box.is_selected() for box in boxes)
        (first, *_) = [box for box in boxes if not box.is_selected()]
        first.click()
        assert len(visit.all(".chart circle")) == coloured + 1
        assert "evaluations" in visit.text(".chart")
        assert visit.all(f"{form} [name=seconds]") == []
        visit.choose(form, "axis", "seconds")
        visit.write(form, seconds="0.000001")
        visit.choose(form, "task", timed)
        assert "seconds of an explanation" in visit.text(".chart")
        coloured = {box.get_attribute("value") for box in visit.all(".legend input:checked")}
        ends = np.log(seconds_at_ends(page, timed, 1e-6, coloured))
        drawn = [float(circle.get_attribute("cx")) for circle in visit.all(".chart circle")]
        line = np.polyfit(ends, drawn, 1)
        assert line[0] > 0
        assert np.polyval(line, ends) == pytest.approx(drawn, abs=0.1)
        assert visit.all("[data-chart-note]") == []
        visit.choose(form, "task", untimed)
        assert ("seconds of the model" in visit.text(".chart")) == (lines[untimed] > 0)
        assert "No times" in visit.text("[data-chart-note]")
        visit.choose(form, "axis", "evaluations")
        assert visit.all("[data-chart-note]") == []
        for name, drawn in lines.items():
            visit.choose(form, "task", name)
            assert len(visit.all(".chart polyline")) == drawn
            assert ("exact on this task" in visit.text(".chart")) == (drawn == 0)
        assert visit.overflow() <= 0
        assert visit.complaints() == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_reader_finds_an_estimator(finished, device):
    page = finished / "results" / "smoke" / "site" / "estimators.html"
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        form = "[data-filters=ratio]"
        (first,) = set(visit.data(".ratio", "task"))
        tasks = [option.get_attribute("value") for option in visit.options(form, "task")]
        assert len(tasks) > 1
        for task in [first[0], *filter(first[0].__ne__, tasks), first[0]]:
            visit.choose(form, "task", task)
            assert set(visit.data(".ratio", "task")) == {(task,)}
            (budget,) = visit.options(form, "budget", ":checked")
            assert budget.get_attribute("data-headline") is not None
        everybody = len(visit.all(".ratio"))
        visit.choose(form, "unbiased", "yes")
        assert set(visit.data(".ratio", "unbiased")) == {("yes",)}
        chosen = visit.data(".ratio", "task", "budget")
        assert 0 < len(chosen) < everybody
        assert visit.text("form output") == f"{len(chosen)} estimators shown"
        visit = Visit(driver, driver.current_url)  # the address keeps what was chosen
        assert visit.data(".ratio", "task", "budget") == chosen

        (head,) = visit.all("[data-sort=text]:not(th:nth-child(n+2) *)")
        head.click()
        (sorted_by,) = visit.all("[aria-sort=ascending]")
        assert head.text in sorted_by.text
        names = [heading.text for heading in visit.all(".ratio > th")]
        assert names == sorted(names, key=str.lower)
        head.click()
        assert [heading.text for heading in visit.all(".ratio > th")] == names[::-1]

        driver.execute_script("document.querySelector('.ratio:not([hidden]) a.term').focus()")
        assert len(visit.text("[role=tooltip]")) > 20
        visit.press("Escape")
        assert visit.all("[role=tooltip]") == []
        assert visit.overflow() <= 0
        assert visit.complaints() == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_reader_finds_a_claim(finished, device):
    page = finished / "results" / "smoke" / "site" / "claims.html"
    keys = ("paper", "consequence")
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        form = "[data-filters=claim]"
        assert visit.all(".claim[data-ours]") == []
        visit.all(f"{form} [name=ours]")[0].click()
        assert visit.all(".claim[data-ours]")
        every = visit.data(".claim", *keys)
        assert visit.overflow() <= 0

        visit.choose(form, "paper", "gt20")
        visit.choose(form, "consequence", "hypothesis")
        assert set(visit.data(".claim", *keys)) == {("gt20", "hypothesis")}
        visit.write(form, words="Markov")
        assert 0 < len(visit.data(".claim", *keys)) < every.count(("gt20", "hypothesis"))
        shown = visit.data(".claim", *keys)
        noun = "claim" if len(shown) == 1 else "claims"
        assert visit.text("form output") == f"{len(shown)} {noun} shown"
        visit = Visit(driver, driver.current_url)
        assert visit.data(".claim", *keys) == shown

        summary = visit.all(".claim > summary")[0]
        assert visit.all(".statement") == []
        summary.click()
        (statement,) = visit.all(".statement")
        assert all(formula.size["height"] > 5 for formula in visit.all(".statement math"))
        assert statement.text
        assert visit.overflow() <= 0

        visit.all("#counts > summary")[0].click()
        visit.all(".crossed button")[0].click()
        assert set(visit.data(".claim", "consequence", "status")) == {("stands", "proved")}
        driver.execute_script("dispatchEvent(new Event('beforeprint'))")
        closed = "return document.querySelectorAll('.claim[open] details:not([open])').length"
        assert driver.execute_script(closed) == 0
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert len(visit.all(".claim > summary")) == len(visit.data(".claim", "status")) > 1
        assert visit.all(".crossed")
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

        visit.write(form, words="gt 8D")  # as the report names it
        assert [claim.get_attribute("id") for claim in visit.all(".claim")] == ["gt20-08d"]

        for name in ("claims.html", "index.html"):  # the latter is where claims were
            visit = Visit(driver, f"{page.with_name(name).as_uri()}#gt20-02b")
            opened = [claim.get_attribute("id") for claim in visit.all("details.claim[open]")]
            assert opened == ["gt20-02b"]
            assert "claims.html#gt20-02b" in driver.current_url
            focused = driver.switch_to.active_element
            assert focused == visit.all("details.claim[open] > summary")[0]
        assert all(image.size["width"] > 100 for image in visit.all("[open] img"))
        assert visit.complaints() == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_reader_finds_a_paper(finished, device):
    page = finished / "results" / "smoke" / "site" / "papers.html"
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        assert len(visit.all(".paper")) > 4
        assert visit.overflow() <= 0
        visit = Visit(driver, page.with_name("paper-gt20.html").as_uri())
        assert "published claims" in visit.text(".lead")
        assert visit.overflow() <= 0
        images = visit.all("figure img")
        assert len(images) > 5
        for image in images:
            assert (page.parent / image.get_dom_attribute("src")).exists()
        visit.all(".counts a")[0].click()
        assert set(visit.data(".claim", "consequence")) == {("stands",)}
        assert visit.complaints() == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_a_reader_finds_what_became_of_a_cell(finished, device):
    page = finished / "results" / "smoke" / "site" / "methods.html"
    with browser(device) as driver:
        visit = Visit(driver, page.as_uri())
        assert visit.overflow() <= 0
        assert len(visit.all(".verdict-link")) == 96
        assert len(visit.all(".measured tbody tr")) == 24
        link = visit.all(".verdict-link")[4]
        assert link.get_dom_attribute("href") == "claims.html#ccll23-84c"
        link.click()
        assert visit.all("#ccll23-84c[open]")
        assert visit.complaints() == []


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_every_page_serves_the_keyboard_and_a_screen_reader(finished, device):
    pages = sorted((finished / "results" / "smoke" / "site").glob("*.html"))
    assert len(pages) > 4
    with browser(device) as driver:
        for page in pages:
            visit = Visit(driver, page.as_uri())
            assert lost_by_keyboard(driver) == [], page.name
            assert barriers(driver) == [], page.name
            assert visit.overflow() <= 0, page.name  # also with some parts open
            for link in visit.all("main a.help, [data-tip]")[:3]:
                driver.execute_script("arguments[0].focus()", link)
                assert len(visit.text("[role=tooltip]")) > 5, page.name
                assert link.get_dom_attribute("aria-describedby") == "tip"
            assert visit.complaints() == []
