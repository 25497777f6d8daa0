"""Sources of the report: no typed results, and nothing refers to what is not there."""

import re

import pytest
from places import ROOT

from shapaudit_audit.papers import PAPERS, registry
from shapaudit_audit.report.figures import declared_figures

PROOFS = {
    "proofs_exact_errors.tex",
    "proofs_explainers.tex",
    "proofs_inversion.tex",
    "proofs_least_squares.tex",
    "proofs_owen_sampling.tex",
    "proofs_regression.tex",
    "proofs_pairs.tex",
    "proofs_sampling.tex",
    "proofs_removals.tex",
}

# What may be said in digits: names of places, years, the nominal level, versions of algorithms.
ALLOWED = (
    r"(?:Sections?|Equations?|Algorithms?|Figures?|Tables?|claims?|Appendix)(?:~|\s)\(?[\d.]+[a-z]?\b\)?"
    r"(?:(?:,|\s+and|--)(?:~|\s)\(?[\d.]+[a-z]?\b\)?)*"
    r"|\b(?:19|20)\d\d\b|95\\,\\%"
)
SETTINGS = (
    r"\\(?:label|ref|val|claimcounts|cl|from|input|cite\w*|includegraphics|made|setlength|usepackage|documentclass"
    r"|renewcommand|textcolor|color|hypersetup|rule|begin|newcommand|newtheorem|pdf\w+)"
    r"(?:\[[^\]]*\])?(?:\{[^{}]*\})*"
)


def prose(text):
    """The sentences of a source, without comments, mathematics, settings and names of places."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    text = text.partition(r"\begin{document}")[2] or text
    text = re.sub(r"\$[^$]*\$|\\\[.*?\\\]", " ", text, flags=re.DOTALL)
    text = re.sub(r"\\byverdict\{[^{}]*\}", " ", text)
    text = re.sub(SETTINGS, " ", text)
    return re.sub(ALLOWED, " ", text)


def mathematics(text):
    text = re.sub(r"\\val\{[^}]*\}", "", re.sub(r"(?<!\\)%.*", "", text))
    return re.findall(r"\$([^$]*)\$", text)


def test_no_result_is_typed(sources):
    for path, text in sources.items():
        if path.name in {*PROOFS, "preamble.tex"}:
            continue
        assert re.findall(r".*\d.*", prose(text)) == [], path.name
        decimals = [formula for formula in mathematics(text) if re.search(r"\d\.\d|\d{3}", formula)]
        assert decimals == [], path.name


@pytest.mark.parametrize(
    "sentence",
    ["The error is 0.023.", "It is twice, 2.1 times, as fast.", "All 50 explicands agree."],
)
def test_a_typed_result_would_be_found(sentence):
    assert re.search(r"\d", prose(sentence))


def test_proofs_hold_no_decimals(sources):
    for text in (text for path, text in sources.items() if path.name in PROOFS):
        assert not re.search(r"\d\.\d", re.sub(r"Section~[\d.]+", "", text))


@pytest.mark.parametrize("document", ["report", "supplement"])
def test_every_section_is_part_of_its_document(sources, document):
    main = sources[ROOT / "paper" / f"{document}.tex"]
    sections = {path.stem for path in sources if path.parent.name == document}
    assert len(sections) > 5
    assert set(re.findall(rf"\\input\{{{document}/(\w+)\}}", main)) == sections


def test_references_have_targets(sources):
    text = "\n".join(sources.values())
    labels = re.findall(r"\\label\{([^}]*)\}", text)
    assert len(labels) == len(set(labels))
    assert set(re.findall(r"\\ref\{([^}]*)\}", text)) <= set(labels)


def test_citations_and_bibliography_agree(sources):
    text = "\n".join(sources.values())
    cited = {
        key.strip()
        for group in re.findall(r"\\cite\w*(?:\[[^\]]*\])*\{([^}]*)\}", text)
        for key in group.split(",")
    }
    bibliography = (ROOT / "paper" / "references.bib").read_text()
    assert cited == set(re.findall(r"@\w+\{([^,]+),", bibliography))


def test_every_claim_is_discussed_and_no_other(sources):
    named = set(re.findall(r"\\cl\{([a-z0-9-]+)\}", "\n".join(sources.values())))
    assert named == set(registry())


def test_captions_name_the_source_of_their_table(sources):
    for text in sources.values():
        for table in re.findall(
            r"\\begin\{(?:table|center)\}.*?\\end\{(?:table|center)\}", text, re.DOTALL
        ):
            made = re.findall(r"\\input\{tables/([^}]*)\}", table)
            assert re.findall(r"\\from\{([^}]*)\}", table) == made


def test_figures_are_those_the_workflow_makes_and_name_their_rule(sources):
    text = "\n".join(sources.values())
    declared = declared_figures()
    made = {name for figures in declared.values() for name in figures}
    figures = re.findall(r"\\begin\{figure\}.*?\\end\{figure\}", text, flags=re.DOTALL)
    named = {}
    for figure in figures:
        names = re.findall(r"\\includegraphics\[[^\]]*\]\{([^}]*)\}", figure)
        notebooks = re.findall(r"\\made\{([^}]*)\}", figure)
        named |= zip(names, (made.replace("\\_", "_") for made in notebooks), strict=True)
    # The report has a table in the place of this figure.
    assert set(named) | {"verdicts"} == made
    for name, notebook in named.items():
        assert name in declared[notebook]


def test_letters_of_the_papers_are_not_typed(sources):
    preamble = sources[ROOT / "paper" / "preamble.tex"]
    assert r"\newcommand{\defletters}[2]" in preamble
    assert not any(paper.prefix in preamble or paper.key in preamble for paper in PAPERS.values())
