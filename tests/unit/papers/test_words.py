"""The words of the papers that the claims quote."""

import json

import pytest
from places import ROOT

from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report.latex import escape
from shapaudit_audit.report.site.text import mathematics

# The sources of the field are cited as they are usually told.
QUOTED = tuple(paper for paper in PAPERS if paper != "field")
LONGEST = 25  # words of a quotation
LATEX = frozenset("\\${}")

RECORD = json.loads((ROOT / "docs" / "findings.json").read_text(encoding="utf-8"))["claims"]
NEW = {"consequence": "wrong"}  # a claim that the record does not know yet may have any fault

CLAIMS = [claim for claim in registry().values() if claim.paper in QUOTED]
PRINTED = [claim for claim in CLAIMS if claim.source == "paper"]
OURS = [claim for claim in CLAIMS if claim.source != "paper"]


def name(claim):
    return claim.id


@pytest.mark.parametrize("claim", PRINTED, ids=name)
def test_claim_of_a_paper_quotes_a_few_words_of_it_for_each_part(claim):
    assert 1 <= len(claim.words.split()) <= LONGEST * len(claim.parts)
    assert claim.words == " ".join(claim.words.split())


@pytest.mark.parametrize("claim", PRINTED, ids=name)
def test_words_are_plain_text_that_the_report_can_print(claim):
    assert not LATEX & set(claim.words)
    assert '"' not in claim.words
    assert escape(claim.words)


@pytest.mark.parametrize("claim", OURS, ids=name)
def test_claim_of_this_project_quotes_nothing(claim):
    assert claim.words == ""


def test_every_paper_has_claims_that_quote_it():
    assert {claim.paper for claim in PRINTED} == set(QUOTED)


@pytest.mark.parametrize("claim", registry().values(), ids=name)
def test_claim_that_does_not_simply_stand_says_what_that_changes_for_a_reader(claim):
    if RECORD.get(claim.id, NEW)["consequence"] != "stands":
        assert claim.matters.endswith(".")


@pytest.mark.parametrize("claim", registry().values(), ids=name)
def test_formulas_stand_between_dollar_signs_and_words_are_plain(claim):
    for text in (claim.statement, claim.hedges, claim.setting, claim.lacks, claim.matters):
        assert text.count("$") % 2 == 0
        assert not any(LATEX & set(words) for words in text.split("$")[::2])
        assert "$$" not in text
        assert "$" not in mathematics(text)
