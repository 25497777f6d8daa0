"""Values, tables and pages that belong to no paper, made from made-up results, are on record."""

import json

import pytest

import recorded
from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report import audit, latex, record
from shapaudit_audit.report.contributions import originals, summaries
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.full_record import FullPages
from shapaudit_audit.report.readme import Pages
from shapaudit_audit.report.sources import SOURCES, sources_table, table_sources, tables, values

PAGES = Pages(PAPERS, registry(), summaries())
FULL = FullPages(PAGES, {key: some for key, some in originals().items() if "2020" in key})


@pytest.fixture(scope="module")
def findings(made_up, tmp_path_factory):
    """The made-up results as nobody has read them yet, with the figures that docs/ shows."""
    folder = tmp_path_factory.mktemp("texts")
    for path in made_up["results"].iterdir():
        (folder / path.name).symlink_to(path)
    for picture in (name for summary in summaries() for name in summary.pictures):
        path = folder / "figures" / picture
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(path.name, encoding="utf-8")
    return Findings(folder, made_up["findings"].study, made_up["findings"].published)


def test_values_and_tables_are_those_on_record(findings):
    texts, made = values(findings, SOURCES), tables(findings, SOURCES)
    shown = {f"values/{name}": list(own.items()) for name, own in texts.items() if own}
    for some in made.values():
        shown |= {f"tables/{name}": text.splitlines() for name, text in some.items()}
    shown["macros"] = latex.definitions(texts).splitlines()
    shown["consequences"] = audit.consequence_macros().splitlines()
    shown["letters"] = audit.letters(PAPERS.values()).splitlines()
    shown["sources"] = sources_table(texts, made, SOURCES).splitlines()
    shown["sources of tables"] = table_sources(made, SOURCES).splitlines()
    recorded.compare("report", shown)


def test_pages_on_the_studies_are_those_on_record(findings):
    made = json.loads(json.dumps(FULL.record(findings)))
    other = record.record(findings, summaries())
    name = next(iter(other["claims"]))
    other["claims"] = other["claims"] | {name: other["claims"][name] | {"consequence": "wrong"}}
    shown = {
        "README.md": PAGES.block(other, [FULL.sentence(made, other)]).splitlines(),
        "findings.md": PAGES.page(other).splitlines(),
        "findings-full.md": FULL.page(made, other, ["a setting", "a claim"]).splitlines(),
    }
    for key in FULL.originals:
        shown[f"replications/{key}.md"] = FULL.replication(key, made).splitlines()
    recorded.compare("report", shown)
