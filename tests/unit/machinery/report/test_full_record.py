"""The record of the full study, what is said of it, and whether its pages follow from it."""

import json
from copy import deepcopy

import pytest
from places import ROOT

from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report.contributions import originals, summaries
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.full_record import MARK, PICTURES, FullPages
from shapaudit_audit.report.originals import Original
from shapaudit_audit.report.readme import Pages
from shapaudit_audit.study.reading import read_study
from shapaudit_papers.grah_thouvenot_2020.originals import ORIGINALS as GRAH_ORIGINALS

GRAH = "grah_thouvenot_2020"
PRINTED = Original(
    "Figure 9",
    "Curves.",
    "They fall.",
    (f"{GRAH}/one", f"{GRAH}/two"),
    lambda findings: [{"x": 2.5}],
)
PAGES = FullPages(Pages(PAPERS, registry(), summaries()), {GRAH: (PRINTED,)})
RENEW = "run `make readme`"


@pytest.fixture
def kept(made_up, tmp_path):
    """A results folder with some figures, the record of it, and the folder that keeps it."""
    results, root = tmp_path / "results", tmp_path / "project"
    (root / "docs").mkdir(parents=True)
    results.mkdir()
    for path in made_up["results"].iterdir():
        (results / path.name).symlink_to(path)
    shown = [picture for summary in summaries() for picture in summary.pictures]
    for name in (*shown, f"{GRAH}/one.svg", f"{GRAH}/dimension300.svg"):
        figure = results / "figures" / name
        figure.parent.mkdir(parents=True, exist_ok=True)
        figure.write_text(name, encoding="utf-8")
    findings = Findings(results, made_up["study"], made_up["findings"].published)
    return PAGES.keep(root, findings), root


def other(full, name, **changes):
    """The record of another study, with another verdict of one claim."""
    made = deepcopy(full)
    made["claims"][name] |= changes
    return made


def test_the_record_survives_json_and_has_the_figures_that_were_drawn(kept):
    made, root = kept
    text = (root / "docs" / "findings-full.json").read_text(encoding="utf-8")
    assert json.loads(text) == made
    (original,) = made["originals"][GRAH]
    assert original["figures"] == ["one.svg"]
    assert original["table"] == {"head": ["x"], "cells": [["2.50"]]}
    copied = {path.name for path in (root / PICTURES).iterdir()}
    assert copied == {"one.svg", *made["figures_sha256"]}


def test_claims_with_another_verdict_are_listed_and_counted(kept):
    made, _ = kept
    first, second, *_ = made["claims"]
    default = other(made, first, consequence="wrong", general="refuted")
    default["claims"][second]["general"] = "vacuous"
    assert [change["claim"].id for change in PAGES.changed(made, default)] == [first, second]
    assert "1 have another consequence there, and 1 another verdict" in PAGES.sentence(
        made, default
    )
    page = PAGES.page(made, default, [])
    assert f"| {first} | {registry()[first].title} | refuted: wrong |" in page
    assert f"| {second} |" in page
    assert "All verdicts are the same." in PAGES.page(made, made, [])


def test_a_claim_that_one_study_has_not_judged_is_no_difference(kept):
    made, _ = kept
    default = deepcopy(made)
    gone = next(iter(made["claims"]))
    del default["claims"][gone]
    lost = other(made, gone)
    lost["claims"]["gone-01"] = {"consequence": "wrong", "setting": None, "general": "refuted"}
    assert PAGES.changed(made, default) == []
    assert PAGES.changed(lost, made) == []


def test_the_page_says_of_which_run_it_is_and_what_has_changed_since(kept):
    made, _ = kept
    text = PAGES.page(
        made, made, ["the configuration has changed", "claims have been added: new-01"]
    )
    assert "(commit 0123456, p & q)" in text
    assert "Since this run, the configuration has changed; claims have been added: new-01." in text
    assert "Since this run" not in PAGES.page(made, made, [])
    assert "](figures/full/many_explicands.svg)" in text
    assert "](figures/many_explicands.svg)" not in text


def test_published_figures_stand_beside_ours_with_their_numbers(kept):
    made, _ = kept
    text = PAGES.replication(GRAH, made)
    assert "## Figure 9\n\nPublished: Curves.\n\nThey fall.\n\n" in text
    assert "![Figure 9, repeated](../figures/full/one.svg)" in text
    assert "two.svg" not in text
    assert text.endswith("| x |\n| --- |\n| 2.50 |\n")
    assert PAPERS[GRAH].title in text


def test_what_is_printed_but_not_repeated_is_described(kept):
    made, _ = kept
    pages = FullPages(PAGES.pages, {GRAH: GRAH_ORIGINALS})
    text = pages.replication(GRAH, made)
    assert all(f"## {original.item}" in text for original in GRAH_ORIGINALS)
    assert "![" not in text


def test_pages_are_written_beside_the_record(kept, made_up):
    made, root = kept
    PAGES.write(root, made, made, made_up["study"])
    text = (root / "docs" / "findings-full.md").read_text(encoding="utf-8")
    assert text == PAGES.page(made, made, [])
    page = (root / "docs" / "replications" / f"{GRAH}.md").read_text(encoding="utf-8")
    assert page == PAGES.replication(GRAH, made)


def test_the_committed_pages_follow_from_the_records(tmp_path):
    made = [path for path in (ROOT / "docs").rglob("*") if MARK in _text(path)]
    record = ROOT / "docs" / "findings-full.json"
    full = json.loads(record.read_text(encoding="utf-8"))
    default = json.loads((ROOT / "docs" / "findings.json").read_text(encoding="utf-8"))
    pages = FullPages(PAGES.pages, originals())
    (tmp_path / "docs" / "figures").mkdir(parents=True)
    (tmp_path / PICTURES).symlink_to(ROOT / PICTURES)
    pages.write(tmp_path, full, default, read_study(ROOT / "config" / "full.yaml"))
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.md")}
    assert written == {path.relative_to(ROOT) for path in made}, RENEW
    for path in written:
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert (ROOT / path).read_text(encoding="utf-8") == text, RENEW
    shown = {
        name
        for own in full["originals"].values()
        for original in own
        for name in original["figures"]
    }
    kept = {path.name for path in (ROOT / PICTURES).iterdir()}
    assert shown | {*full["figures_sha256"]} == kept


def test_the_documentation_lists_the_page_of_every_paper():
    listed = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in listed if line.startswith("replications/")] == [
        f"replications/{key}" for key in originals()
    ]


def _text(path):
    return path.read_text(encoding="utf-8") if path.suffix == ".md" else ""
