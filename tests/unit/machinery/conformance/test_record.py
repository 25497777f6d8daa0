"""The page of a record, on a small table and on the one that is kept."""

import json

import pytest
from places import ROOT

from shapaudit_audit.conformance.case import files, recipes
from shapaudit_audit.conformance.gather import digests, publish
from shapaudit_audit.conformance.page import page
from shapaudit_audit.conformance.record import (
    Record,
    adapters_of,
    declared,
    read_faults,
    read_record,
    shown,
)
from shapaudit_audit.conformance.run import read
from shapaudit_audit.report.site.conformance import tables
from shapaudit_audit.report.site.page import templates
from shapaudit_audit.report.site.pages import pages_of

FAULTS = read_faults()
ON_RECORD = read_record()


def row(adapter, family, case, verdict, **more):
    about = {"label": f"Label of {adapter}", "package": adapter, "version": "1.2"}
    return {"adapter": adapter, **about, "question": "interventional", "family": family,
            "case": case, "verdict": verdict, "error": "", "message": "", "convention": "",
            **more}  # fmt: skip


ROWS = [
    row("a", "trees", "one", "right", error="1e-16"),
    row("a", "trees", "two", "wrong", error="0.25"),
    row("a", "games", "three", "not offered"),
    row("b", "trees", "one", "crashed", message="the process died (signal 11)"),
    row("b", "trees", "two", "right", convention="the prediction"),
    row("b", "games", "three", "refused", message="ValueError: <no> games"),
]


@pytest.fixture
def record(tmp_path):
    table = tmp_path / "table.csv"
    publish(ROWS, {"Python": "3.12"}, {"c": "does not install"}, table, tmp_path / "page.md")
    found = read_record(table)
    fault = FAULTS[0]._replace(title="A fault", code="print(1)", cells=(("a", "trees/t*"),))
    return Record(found.rows, found.made_with, (fault,))


def test_a_cell_says_how_many_are_right_of_those_offered(record):
    lines = {about["adapter"]: [shown(cell) for cell in cells]
             for about, cells in record.matrix("interventional")}  # fmt: skip
    assert record.families("interventional") == ["games", "trees"]
    assert lines["a"] == ["1 of 2 (1 wrong)", "–", "1 of 2 (1 wrong)"]
    assert lines["b"] == [
        "1 of 3 (1 crashed, 1 refused)",
        "0 of 1 (1 refused)",
        "1 of 2 (1 crashed)",
    ]


def test_the_page_lists_faults_with_scripts_and_every_other_cell(record):
    text = page(record)
    assert "known, 3 in all" in " ".join(text.split())
    assert "### A fault" in text
    assert "print(1)" in text
    assert "- **Label of a 1.2**: trees: two" in text
    assert "trees: one (`the process died (signal 11)`)" in text
    assert "- trees: two: the prediction (Label of b)" in text
    assert "- **c**: does not install" in text
    assert "Without a script of its own" not in text
    assert "Without a script of its own" in page(Record(record.rows, record.made_with, ()))


def test_the_page_of_the_site_has_the_same(record):
    shared = {"study": {"study": "s", "seed": 1}, "provenance": {"git": {"commit": None}}}
    shared |= {"documents": {}, "pages": pages_of(True, False, True)}
    own = next(page for page in shared["pages"] if page.of_packages)
    html = templates().get_template(own.file).render(shared | tables(record), page=own)
    assert '<td class="wrong-values">1 of 2 (1 wrong)</td>' in html
    assert "A fault" in html
    assert "does not install" in html
    assert not any(page.of_packages for page in pages_of(True, True, False))
    assert not any(page.of_packages for page in pages_of(False, True, True))


def test_without_a_table_there_is_no_record(tmp_path):
    assert read_record(tmp_path / "none.csv") is None


def test_adapters_are_read_without_what_they_import():
    about = {path.stem: declared(path) for path in files("adapters")}
    assert about["captum_shapley"]["ENVIRONMENT"] == "torch"
    assert about["shap_exact"]["ENVIRONMENT"] == "packages"
    assert {"LABEL", "PACKAGE", "QUESTION", "OFFERS"} <= set.intersection(*map(set, about.values()))
    assert {path.stem for path in adapters_of("shapkit==0.0.4")} == {"shapkit_exact"}
    with pytest.raises(ValueError, match="no adapter asks 'shep'"):
        adapters_of("shep")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.title)
def test_scripts_of_faults_name_adapters_and_cases_that_there_are(fault):
    compile(fault.code, fault.title, "exec")
    keys = {recipe.key for recipe in recipes()}
    known = {path.stem for path in files("adapters")}
    for adapter, case in fault.cells:
        assert adapter in known
        assert case in keys or any(key.startswith(case[:-1]) for key in keys if case.endswith("*"))


def test_every_wrong_cell_on_record_has_a_script():
    for cell in ON_RECORD.of("wrong"):
        assert any(fault.explains(cell) for fault in FAULTS), cell


def test_this_package_is_right_on_record():
    own = [cell for cell in ON_RECORD.rows if cell["package"] == "shapaudit"]
    assert not [cell for cell in own if cell["verdict"] in ("wrong", "crashed")]
    explained = [cell for cell in own if cell["adapter"] == "shapaudit_explainer"]
    assert {cell["verdict"] for cell in explained} == {"right"}
    assert len(explained) == len(recipes())


def test_the_page_is_that_of_the_table_on_record():
    assert (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8") == page(ON_RECORD)


def test_the_table_on_record_is_of_the_adapters_and_cases_that_there_are():
    table = read(ROOT / "benchmarks" / "results" / "conformance.csv")
    keys = {recipe.key for recipe in recipes()}
    assert {f"{cell['family']}/{cell['case']}" for cell in table} == keys
    assert {cell["adapter"] for cell in table} == {path.stem for path in files("adapters")}
    made_with = json.loads((ROOT / "benchmarks/results/conformance.json").read_text("utf-8"))
    assert made_with["versions"]["Python"].startswith("3.")


def test_no_adapter_or_case_has_changed_since_the_packages_were_asked():
    changed = dict(digests().items() ^ ON_RECORD.made_with["files"].items())
    assert not changed, "Ask the packages again, as docs/conformance.md says."
