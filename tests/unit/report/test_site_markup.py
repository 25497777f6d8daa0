"""What a claim, a caption or a label says is text of the page, never its markup."""

import html
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from shapaudit.audit.verdict import CONSEQUENCES
from shapaudit.report.site import render
from shapaudit.report.site.text import mathematics
from shapaudit.report.tasks import Comparison, Task

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


def rogue_page(folder: Path) -> str:
    """The page of a study in which every text that comes from outside has a script in it."""
    specs = {
        "paired-kernel-shap": {"label": f"Reference {EVIL}", "estimator": "paired-kernel-shap"},
        "a": {"label": f"A {EVIL}", "estimator": "optimised-monte-carlo"},
    }
    index = pd.MultiIndex.from_tuples([(name, 50) for name in specs], names=["estimator", "budget"])
    means = pd.DataFrame([np.linspace(1, 2, 12), np.linspace(2, 3, 12)], index=index)
    compared = Comparison(
        {"t": Task("t", f"Task {EVIL}", 3, 2, "paired-kernel-shap", 3.0, means)}, specs, 0.05
    )
    text = rf"{EVIL} $\text{{{EVIL}}}$"
    claim = {
        **dict.fromkeys(
            ("title", "statement", "where", "words", "hedges", "verdicts", "verified"), text
        ),
        **dict.fromkeys(("summary", "matters", "words_of_consequence"), text),
        "setting": dict.fromkeys(("of", "status", "summary"), text),
        **dict.fromkeys(("id", "short", "module"), EVIL),
        "consequence": "stands",
        "source": "paper",
        "limits": [dict.fromkeys(("name", "estimate", "low", "high", "level"), EVIL)],
        "numbers": {EVIL: EVIL},
        "sample": {EVIL: EVIL},
        "table": {"head": [EVIL], "cells": [[EVIL]]},
    }
    papers = [{"prefix": EVIL, "name": EVIL, "claims": [claim]}]
    counts = [{"name": EVIL, "counts": dict.fromkeys(CONSEQUENCES, 1)}]
    figure = folder / "figure.svg"
    figure.write_text(f"<svg xmlns='http://www.w3.org/2000/svg'>{EVIL}</svg>", encoding="utf-8")
    figure.with_suffix(".rst").write_text(text, encoding="utf-8")
    study = {"study": EVIL, "seed": 1, "results": EVIL, "claims": {"alpha": 0.05}}
    return render(study, {"git": {"commit": EVIL}}, compared, papers, counts, [figure])


def test_the_page_has_no_script_but_its_own(tmp_path):
    page = rogue_page(tmp_path)
    markup = Markup(page)
    assert_harmless(markup, scripts=1)
    assert markup.tags.count("img") == 1  # the figure
    shown = "".join(markup.text)
    for text in (f"A {EVIL}", f"Task {EVIL}", f"Reference {EVIL}"):
        assert text in shown
    assert html.escape(EVIL, quote=True).replace("&quot;", "&#34;") in page
