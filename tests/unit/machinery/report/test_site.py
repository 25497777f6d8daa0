"""The pages of a study: what they say, and how they say it."""

import json
import re
from html.parser import HTMLParser
from importlib.util import find_spec

import pytest
from small_site import own_comparison, own_pages, own_study
from synthetic import ROOT, study, write_results

import recorded
from shapaudit_audit.audit.ids import prefix, short_id
from shapaudit_audit.audit.verdict import CONSEQUENCES, STATUSES
from shapaudit_audit.conformance.record import read_record
from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report.audit import evidence_labels
from shapaudit_audit.report.contributions import advice, situations, surveys
from shapaudit_audit.report.figures import Figure, declared_figures
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.headlines import claims_told
from shapaudit_audit.report.left_out import left_out
from shapaudit_audit.report.originals import Original
from shapaudit_audit.report.removals import removal_studies
from shapaudit_audit.report.site import content
from shapaudit_audit.report.site.models import WARNING, scored
from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.site.pages import PAGES, SHARED, file_of_paper, files_of
from shapaudit_audit.report.tasks import compare_tasks
from shapaudit_audit.study.reading import load_scores

VOID = {"meta", "input", "img", "link", "br"}
CLAIM = "gt20-02b"  # beside which there is a figure
GRAH = "grah_thouvenot_2020"
PRINTED = Original(
    "Figure 9",
    "Errors <by> budget.",
    "They fall.",
    (f"{GRAH}/diabetes",),
    lambda findings: [{"x": 2.5}],
)
ALIKE = Original("Figure 10", "The same.", "It falls too.", (f"{GRAH}/diabetes",))


class Balance(HTMLParser):
    """Follows the open elements; closing another one than the last is an error."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made_up(tmp_path_factory, audited):
    """A study with made-up results, its audit, and its site with two figures."""
    folder = tmp_path_factory.mktemp("site")
    config = study("smoke")
    results = write_results(folder, config, audited)
    findings = Findings(results, config, ROOT / "config" / "published")
    tasks, earlier = (
        compare_tasks(findings, part) for part in (config.compared(), config.on_games_of_papers())
    )
    documents = {name: f"../paper/{name}.pdf" for name in ("report", "supplement")}
    files = render(
        Contents(
            study=config,
            provenance=findings.provenance,
            compared=tasks,
            earlier=earlier,
            audit=findings.audit,
            papers=content.papers(findings.audit, PAPERS, registry(), findings.verified),
            figures=drawn(folder),
            originals=content.originals(
                findings, {GRAH: (PRINTED, ALIKE)}, drawn(folder / "again")
            ),
            models=scored(config, load_scores(results, config.models_of(config.compared()))),
            advice=advice(),
            situations=situations(),
            removals=removal_studies(results, config, [*config.removal_studies]),
            surveys=surveys(findings.audit),
            conformance=read_record(),
            documents=documents,
        )
    )
    both = [tasks, earlier]
    return {
        "study": config,
        "audit": findings.audit,
        "several": both,
        "tasks": tasks,
        "files": files,
    }


def drawn(folder):
    """What the site shows of two figures: that of a paper, and one about a claim."""
    declared = {
        "audit": {"curvature": Figure("Curvature", "", (CLAIM,))},
        "grah_thouvenot_2020": {"diabetes": Figure("Diabetes", "")},
    }
    paths = [folder / "audit" / "curvature.svg", folder / "grah_thouvenot_2020" / "diabetes.svg"]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_text('<?xml?>\n<svg width="72pt" height="40.5pt" viewBox="">', encoding="utf-8")
        path.with_suffix(".rst").write_text(f"Caption of {path.stem}.\n", encoding="utf-8")
    return content.figures(paths, declared)


def test_pages_are_those_on_record(made_up):
    files = {name: text for name, text in made_up["files"].items() if name not in SHARED}
    shown = {name: without_evidence(text).splitlines() for name, text in files.items()}
    assert sum("<td>*</td>" in line for lines in shown.values() for line in lines) > 100
    recorded.compare("report", {f"site/{name}": lines for name, lines in shown.items()})


def without_evidence(page):
    """A page without the numbers of its rows of evidence.

    Some are rounding errors, which are not the same on all processors.
    """
    rows = r'<details class="rows" id="rows-.*?</details>'
    numbers = r"<td>[^<]*\d[^<]*</td>"
    return re.sub(rows, lambda found: re.sub(numbers, "<td>*</td>", found[0]), page, flags=re.S)


def test_every_claim_is_there_with_its_verdict_and_what_decided_it(made_up):
    page = made_up["files"]["claims.html"]
    for claim in made_up["audit"]["claims"]:
        head = rf'<details class="claim {claim["consequence"]}" id="{claim["id"]}"'
        assert page.count(head) == 1
        assert page.count(f'class="permalink" href="#{claim["id"]}"') == 1
    assert page.count(" data-ours>") == sum(
        claim["source"] != "paper" for claim in made_up["audit"]["claims"]
    )
    assert 'id="gt20-08d" data-paper="gt20" data-code="GT 8d"' in " ".join(page.split())
    for path in re.findall(r"Decided by <code>(.*?)</code>", page):
        assert find_spec(path), path


def test_the_first_page_says_which_claims_change_what_to_do(made_up):
    page = made_up["files"]["index.html"]
    section = page.partition('<section id="theorems">')[2].partition("</section>")[0]
    changing = [
        claim["id"]
        for claim in made_up["audit"]["claims"]
        if claim["source"] == "paper" and claim["consequence"] in ("wrong", "hypothesis")
    ]
    assert len(changing) > 5
    assert sorted(re.findall(r'<li><a href="claims.html#([^"]*)">', section)) == sorted(changing)
    address = "../paper/report.pdf#nameddest=sec%3Alimitations"
    assert f'<a href="{address}">All limitations, in the report</a>' in page


def test_every_line_of_advice_has_its_evidence(made_up):
    page = made_up["files"]["index.html"]
    start = page.index('class="stacked advised"')
    table = page[start : page.index("</table>", start)]
    told = {claim["id"]: CONSEQUENCES[claim["consequence"]] for claim in made_up["audit"]["claims"]}
    assert table.count('<tr role="row">') == 1 + len(situations())
    letters = {paper.prefix: paper.letter for paper in PAPERS.values()}
    for line in situations():
        for key in line.claims:
            code = f"{letters[prefix(key)]} {short_id(key)}"
            assert re.search(rf'#{key}"[^>]*>{code}</a>\s*\({re.escape(told[key])}\)', table)
    assert "{" not in table


def test_claims_are_counted_by_consequence_and_verdict(made_up):
    claims = made_up["audit"]["claims"]
    for row in content.crossed(made_up["audit"]):
        for cell in row["cells"]:
            own = [
                claim["source"] != "paper"
                for claim in claims
                if (claim["consequence"], claim["status"]) == (row["key"], cell["status"])
            ]
            assert (cell["printed"], cell["ours"]) == (own.count(False), own.count(True))
    buttons = re.findall(r"data-choose='([^']*)'", made_up["files"]["claims.html"])
    assert {"consequence", "status", "ours"} == {*json.loads(buttons[0])}


def test_proofs_are_linked_where_the_supplement_has_them(made_up):
    page = made_up["files"]["claims.html"]
    supplement = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "paper" / "supplement").glob("*.tex")
    )
    proofs = evidence_labels(made_up["audit"]["claims"])
    assert len(proofs) > 20
    for label in proofs:
        assert rf"\label{{{label}}}" in supplement
        address = label.replace(":", "%3A")
        assert f'href="../paper/supplement.pdf#nameddest={address}"' in page


def test_scorecards_count_what_papers_print(made_up):
    index = made_up["files"]["papers.html"]
    for paper in PAPERS.values():
        section = made_up["files"][file_of_paper(paper.prefix)]
        assert f'<a href="{file_of_paper(paper.prefix)}">' in index
        own = [claim for claim in made_up["audit"]["claims"] if claim["paper"] == paper.key]
        printed = [claim for claim in own if claim["source"] == "paper"]
        assert f"Its {len(printed)} claims</a>" in section
        assert section.count(f'<p class="lead">{claims_told(printed)}</p>') == 1
        assert sum(map(int, re.findall(r"flex-grow:(\d+)", section))) == len(printed)
        assert (f'href="{paper.link}"' in section) == bool(paper.link)
        for entry in printed:
            if entry["consequence"] == "wrong":
                assert f'href="claims.html#{entry["id"]}"' in section


def test_the_tasks_are_those_of_a_role_or_all_of_ones_own(made_up):
    assert list(made_up["tasks"].tasks) == ["chen-diabetes", "many-cancer"]
    mine = own_study("a", "b")
    assert mine.compared() == mine.experiments


def test_the_models_of_the_tasks_are_there_with_their_scores(made_up):
    page = made_up["files"]["estimators.html"]
    section = page.partition('<section id="models">')[2].partition("</section>")[0]
    assert section.count("<tr><td>") == 2
    assert "<td>R² 0.500, RMSE 1.50</td>" in section
    assert WARNING not in section


@pytest.mark.parametrize(
    ("content", "shown", "warned"),
    [
        ({"score": {"r2": -0.61}, "remark": ""}, "R² -0.610", True),
        ({"score": {"r2": 0.0}, "remark": ""}, "R² 0", False),
        ({"score": {"accuracy": 0.4, "log_loss": 1.25}}, "accuracy 0.400, log loss 1.25", False),
        ({"score": {}, "remark": "all 9 values are equal"}, "none: all 9 values are equal", False),
    ],
)
def test_a_score_below_zero_is_warned_of_and_none_is_explained(content, shown, warned):
    (model,) = scored(own_study("a"), {"m": {"test_rows": 9, **content}})
    assert (model["name"], model["score"], model["rows"]) == ("m", shown, "9")
    assert bool(model["warning"]) == warned


def test_every_comparison_is_there(made_up):
    page = made_up["files"]["estimators.html"]
    for compared_ones in made_up["several"]:
        assert len(compared_ones.ratios) > 0
        for task in compared_ones.tasks.values():
            assert task.label in page
            for budget in task.budgets:
                head = f'data-task="{task.name}" data-budget="{budget}"'
                assert page.count(head) == sum(map(len, compared_ones.estimators.values()))


def test_a_task_is_shown_first_where_something_is_left_to_estimate(made_up):
    page = made_up["files"]["estimators.html"]
    marked = re.findall(r'<option value="(\d+)" data-task="([\w-]+)" data-headline>', page)
    tasks = [task for comparison in made_up["several"] for task in comparison.tasks.values()]
    assert marked == [(str(task.headline), task.name) for task in tasks]
    assert any(task.headline < max(task.budgets) for task in tasks)


def test_every_verdict_is_explained(made_up):
    page = made_up["files"]["claims.html"]
    for status, meaning in STATUSES.items():
        assert f"<dt>{status.capitalize()}</dt><dd>{meaning}</dd>" in page
        assert meaning.endswith(".")


def test_who_did_not_run_in_a_cell_is_named_there(made_up):
    page = made_up["files"]["estimators.html"]
    page = page.partition('<section id="choice">')[2].partition("</table>")[0]
    both = made_up["several"]
    cells = [len(task.budgets) for comparison in both for task in comparison.tasks.values()]
    assert page.count('<tr role="row"><th scope="row"') == sum(cells)
    told = left_out(made_up["tasks"])
    assert len(told)
    assert all(f"({row.reason})" in page for row in told.itertuples())


def test_the_files_are_those_that_the_rule_declares(made_up):
    prefixes = [paper.prefix for paper in PAPERS.values()]
    declared = files_of(reported=True, removals=True, packages=True, prefixes=prefixes)
    assert sorted(made_up["files"]) == sorted(declared)
    mine = own_pages(own_comparison({("paired-kernel-shap", 50): 1.0, ("a", 50): 0.5}))
    assert sorted(mine) == sorted(files_of(reported=False, removals=False, packages=False))
    assert not {"claims.html", "papers.html", "removals.html", "methods.html"} & {*mine}
    assert "claims.html" not in mine["index.html"] + mine["estimators.html"]


def test_every_cell_of_a_table_of_methods_leads_to_its_claim(made_up):
    page = made_up["files"]["methods.html"]
    claims = {claim["id"]: claim for claim in made_up["audit"]["claims"]}
    (survey,) = surveys(made_up["audit"])
    assert len(survey.lines) == 24
    printed, measured = page.split("<h3>Measured</h3>")
    links = re.findall(
        r'href="claims.html#([^"]*)" data-tip="[^"]*">([^<:]*): ([^<]*)</a>', printed
    )
    assert len(links) == 24 * len(survey.columns) == 96
    for key, short, told in links:
        assert key.endswith(short.split()[-1])
        assert told == CONSEQUENCES[claims[key]["consequence"]]
    for line in survey.lines:
        assert len(line.measures) == len(survey.measures)
        for table in (printed, measured):
            assert table.count(f'role="rowheader">{line.method}</th>') == 1
    assert measured.count("data-label=") == 24 * len(survey.measures)
    assert f'href="claims.html#{survey.claim}"' in measured


@pytest.mark.parametrize("page", [page.file for page in PAGES])
def test_pages_are_balanced_and_load_nothing_from_elsewhere(made_up, page):
    text = made_up["files"][page]
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    loaded = re.findall(r'(?:<script|<img|<link)[^>]* (?:src|href)="([^"]*)"', text)
    figures = {"figures/audit/curvature.svg", "figures/grah_thouvenot_2020/diabetes.svg"}
    shared = {*SHARED}
    assert shared <= {one for one in loaded if not one.startswith("data:")} <= shared | figures
    assert "$" not in re.sub(r"<script.*?</script>", "", text, flags=re.S)


@pytest.mark.parametrize("page", [page.file for page in PAGES])
def test_links_between_pages_lead_somewhere(made_up, page):
    files = made_up["files"]
    for address in re.findall(r'<a[^>]* href="([^"]*)"', files[page]):
        path, _, place = address.partition("#")
        path = path.partition("?")[0]
        if path.startswith(("https://", "../paper/", "figures/")):
            continue
        text = files[path or page]
        assert not place or f'id="{place}"' in text, address


def test_what_scripts_and_styles_need_is_beside_them(made_up):
    for name in ("site.js", "chart.js", "style.css"):
        text = made_up["files"][name].replace(
            "http://www.w3.org/2000/svg", ""
        )  # a name, no address
        assert not re.search(r"https?:|url\(|@import|fetch\(", text)


def test_figures_are_beside_their_claims_and_their_papers(made_up):
    claims, papers = (made_up["files"][name] for name in ("claims.html", "paper-gt20.html"))
    own = claims.partition(f'id="{CLAIM}"')[2].partition("<details class")[0]
    assert claims.count("<img") == own.count('src="figures/audit/curvature.svg"') == 1
    assert papers.count("<img") == 2
    assert papers.count('width="96" height="54"') == 2  # at four pixels for three points
    assert papers.count("Caption of curvature.") == papers.count("Caption of diabetes.") == 2


def test_what_a_paper_prints_is_described_beside_our_figure_of_it(made_up):
    section = made_up["files"]["paper-gt20.html"]
    article = section.partition('<article class="original">')[2].partition("</article>")[0]
    assert "<h3>Figure 9</h3>" in article
    assert "Errors &lt;by&gt; budget." in article
    assert article.count('src="figures/grah_thouvenot_2020/diabetes.svg"') == 1
    assert "<td>2.50</td>" in article
    assert PAPERS[GRAH].pdf in article
    assert PAPERS[GRAH].code in section
    # A picture that stands beside two figures of a paper appears once, and the second links to it.
    assert section.count('src="figures/grah_thouvenot_2020/diabetes.svg"') == 1
    assert section.count('id="figure-diabetes"') == 1
    _, _, second = section.partition("<h3>Figure 10</h3>")
    assert '<a href="#figure-diabetes">' in second


def test_figures_name_claims_that_there_are():
    named = {
        claim
        for own in declared_figures().values()
        for figure in own.values()
        for claim in figure.claims
    }
    assert CLAIM in named
    assert named <= {*registry()}
