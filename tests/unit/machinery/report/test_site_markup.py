"""What a claim, a caption or a label says is text of the page, never its markup."""

import html
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from msgspec.structs import replace
from small_site import config_of
from synthetic import small_audit

from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.report.advice import TREE, Advice
from shapaudit_audit.report.site.page import Contents, render
from shapaudit_audit.report.site.text import mathematics
from shapaudit_audit.report.situation_table import SituationLine
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock

EVIL = '<script>alert(1)</script><img src=x onerror="alert(2)">'
FORMULAS = [
    r"\text{<script>alert(1)</script>}",
    r"\mbox{<img src=x onerror=alert(2)>}",
    r"\text{&lt;script&gt;alert(1)&lt;/script&gt;}",
    r"\text{&#60;script&#62;alert(1)&#60;/script&#62;}",
    r"\operatorname{<script>alert(1)</script>}",
    r"\mathrm{</math><script>alert(1)</script>}",
    r"\href{javascript:alert(1)}{x}",
    r"\style{background:url(javascript:alert(1))}{x}",
    r'\class{x" onclick="alert(1)}{x}',
    r'\color{red" onclick="alert(1)}{x}',
    r"\begin{<script>}x\end{<script>}",
    r"\unknown<script>alert(1)</script>",
    r"\newcommand{\x}{<script>alert(1)</script>}\x",
]


class Markup(HTMLParser):
    """Elements and attributes of a page, and the text outside its scripts and styles."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text, self.raw = [], [], [], False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.raw = tag in ("script", "style")

    def handle_endtag(self, tag):
        self.raw = False

    def handle_data(self, data):
        if not self.raw:
            self.text.append(data)


def assert_harmless(markup, scripts=0):
    assert markup.tags.count("script") == scripts
    names = {name for name, _ in markup.attributes}
    assert not [name for name in names if name.startswith("on")]
    assert "javascript:" not in "".join(value or "" for _, value in markup.attributes)


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_formula_becomes_markup(formula):
    markup = Markup(str(mathematics(f"before ${formula}$ after")))
    assert_harmless(markup)
    assert not {"img", "a"} & set(markup.tags)
    assert "style" not in dict(markup.attributes)
    text = "".join(markup.text)
    assert text.startswith("before ")
    assert text.endswith(" after")


def test_a_formula_shows_the_words_that_it_was_given():
    markup = Markup(str(mathematics(rf"$\text{{{EVIL}}} < 1$")))
    assert markup.text[0].replace("\N{NO-BREAK SPACE}", " ") == EVIL
    assert "<" in markup.text[1:]


def test_what_is_no_formula_is_shown_as_it_is_typed():
    assert mathematics(r"a $\frac$ b") == r"a $\frac$ b"
    assert mathematics(r"a $<b>\frac$ b") == r"a $&lt;b&gt;\frac$ b"


def rogue_pages() -> dict[str, str]:
    """The site of a study in which every text that comes from outside has a script in it."""
    specs = {
        "paired-kernel-shap": EstimatorBlock(
            label=f"Reference {EVIL}", estimator="paired-kernel-shap"
        ),
        "a": EstimatorBlock(label=f"A {EVIL}", estimator="optimised-monte-carlo"),
    }
    index = pd.MultiIndex.from_tuples([(name, 50) for name in specs], names=["estimator", "budget"])
    means = pd.DataFrame([np.linspace(1, 2, 12), np.linspace(2, 3, 12)], index=index)
    compared = TaskComparison(
        {"t": Task("t", f"Task {EVIL}", 3, 2, "paired-kernel-shap", 3.0, means)}, specs, 0.05
    )
    audit = small_audit({"title": EVIL, "statement": rf"{EVIL} $\text{{{EVIL}}}$"})
    text = rf"{EVIL} $\text{{{EVIL}}}$"
    (claim,) = audit["claims"]
    claim |= {
        **dict.fromkeys(
            ("title", "statement", "where", "words", "hedges", "verdicts", "verified"), text
        ),
        **dict.fromkeys(("summary", "matters", "words_of_consequence"), text),
        "setting": dict.fromkeys(("of", "status", "summary"), text),
        **dict.fromkeys(("id", "short"), EVIL),
        "modules": [EVIL],
        "proofs": [{"place": text, "label": EVIL}],
        "ours": False,
        "limits": [dict.fromkeys(("name", "estimate", "low", "high", "level"), EVIL)],
        "numbers": {EVIL: EVIL},
        "sample": {EVIL: EVIL},
        "table": {"head": [EVIL], "cells": [[EVIL]]},
    }
    fallen = {"id": EVIL, "title": EVIL, "consequence": "wrong", "matters": text, "lacks": text}
    paper = {
        **dict.fromkeys(
            ("key", "prefix", "name", "title", "section", "pdf", "code", "package", "verdict"), EVIL
        ),
        "file": "paper-x.html",
        **{"link": "", "counts": dict.fromkeys(CONSEQUENCES, 1), "printed": 1, "ours": 1},
        **{"fallen": [fallen], "claims": [claim | {"code": EVIL}]},
    }
    figure = {
        **dict.fromkeys(("notebook", "name", "title", "source", "file", "caption"), EVIL),
        "claims": (EVIL,),
    }
    model = dict.fromkeys(("name", "dataset", "trainer", "rows", "score", "warning"), EVIL)
    study = replace(config_of(compared), study=EVIL, results=EVIL)
    tips = [Advice(TREE, EVIL, EVIL, (EVIL,))]
    documents = {"supplement": "../paper/supplement.pdf"}
    return render(
        Contents(
            **{"study": study, "provenance": {"git": {"commit": EVIL}}, "compared": compared},
            **{"audit": audit, "papers": [paper], "figures": [figure], "models": [model]},
            **{"advice": tips, "documents": documents},
            situations=[
                SituationLine("{few_players}", (EVIL,), "{few_cells}", EVIL, rows=EVIL, data=EVIL)
            ],
        )
    )


@pytest.mark.parametrize(
    ("page", "scripts", "images"),
    [
        *(("index.html", 3, 0), ("estimators.html", 2, 0), ("claims.html", 2, 1)),
        *(("papers.html", 2, 0), ("paper-x.html", 2, 1)),
    ],
)
def test_pages_have_no_script_but_their_own(page, scripts, images):
    text = rogue_pages()[page]
    markup = Markup(text)
    assert_harmless(markup, scripts)
    assert markup.tags.count("img") == images  # the figures
    told = "".join(markup.text)
    wanted = {
        "index.html": (f"Reference {EVIL}", f"Task {EVIL}"),
        "estimators.html": (f"A {EVIL}", f"Task {EVIL}", f"Reference {EVIL}"),
    }
    for words in wanted.get(page, (EVIL,)):
        assert words in told
    assert html.escape(EVIL, quote=True).replace("&quot;", "&#34;") in text
