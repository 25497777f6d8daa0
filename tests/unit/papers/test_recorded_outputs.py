"""All values, tables and figures that papers bring, made from made-up results, are on record."""

import ast
import json

import pandas as pd
import pytest
from drawn import READABLE, shown, smallest_letters
from matplotlib import pyplot as plt
from places import ROOT

import recorded
from shapaudit.statistics import comparisons
from shapaudit.statistics import summaries as curves
from shapaudit_audit.report import notebooks, style
from shapaudit_audit.report.contributions import (
    advice,
    originals,
    situations,
    sources,
    summaries,
    surveys,
)
from shapaudit_audit.report.figures import declared_figures
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.originals import table_of
from shapaudit_audit.report.sources import SOURCES
from shapaudit_audit.report.tasks import MARGIN

# The made-up results hold nothing of the experiments of the other papers.
BOOKS = ("audit", "chen_covert_lundberg_lee_2023", "grah_thouvenot_2020")
OTHERS = ("okhrati", "regression")


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch):
    for module in (comparisons, curves):
        monkeypatch.setattr(module, "RESAMPLES", 99)


@pytest.fixture(scope="module")
def made(made_up):
    """The made-up results as nobody has read them yet: other tests change what they read."""
    findings = made_up["findings"]
    return Findings(findings.results, findings.study, findings.published)


def cells(name):
    """Syntax trees of the cells of code in a notebook."""
    path = ROOT / "notebooks" / f"{name}.ipynb"
    book = json.loads(path.read_text(encoding="utf-8"))
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            yield ast.parse("".join(cell["source"]))


def last_value(tree, names):
    """Run a cell; the value of the expression that it ends with, which a notebook shows."""
    *before, last = tree.body
    if not isinstance(last, ast.Expr):
        before, last = tree.body, None
    exec(compile(ast.Module(before, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


def plain(value):
    """What a notebook shows, as a record can hold it."""
    if isinstance(value, pd.DataFrame | pd.Series):
        value = value.reset_index()
        return {str(name): value[name].tolist() for name in value.columns}
    if isinstance(value, dict):
        return value
    return getattr(value, "markup", getattr(value, "data", None)).splitlines()


@pytest.mark.parametrize("book", BOOKS)
def test_a_notebook_shows_what_is_on_record(made, monkeypatch, book):
    outputs = {}

    def keep(figure, output, name):
        assert smallest_letters(figure, name) > READABLE, name
        outputs.update({f"{book}/{name}/{key}": part for key, part in shown(figure).items()})
        plt.close(figure)

    def display(value):
        outputs[f"{book}/displayed {len(outputs)}"] = plain(value)

    monkeypatch.setattr(style, "save", keep)
    monkeypatch.setattr(notebooks, "finished", lambda results, published: made)
    names = {"display": display}
    with pd.option_context("display.float_format", None):  # the notebooks set it
        for number, tree in enumerate(cells(book)):
            value = last_value(tree, names)
            if value is not None:
                outputs[f"{book}/cell {number}"] = plain(value)
    recorded.compare("notebooks", outputs)


def test_values_and_tables_of_papers_are_those_on_record(made):
    outputs = {}
    for source in sources():
        if source not in SOURCES and source.name not in OTHERS:
            outputs[f"values/{source.name}"] = list(source.values(made).items())
            tables = source.tables(made).items()
            outputs |= {f"tables/{name}": text.splitlines() for name, text in tables}
    recorded.compare("papers", outputs)


def test_summaries_of_papers_are_those_on_record(made):
    outputs = {}
    for summary in summaries():
        part = json.loads(json.dumps(summary.of(made)))
        told = [*summary.section(part), summary.headline(part), *summary.overview(part)]
        outputs |= {f"{summary.key}/part": part, f"{summary.key}/told": told}
    recorded.compare("papers", outputs)


def test_what_papers_advise_and_print_is_that_on_record(made):
    outputs = {"advice": [vars(line) for line in advice()]}
    outputs["situations"] = [vars(situation) for situation in situations()]
    outputs["surveys"] = [survey._asdict() for survey in surveys(made.audit)]
    for key in BOOKS[1:]:
        for original in originals()[key]:
            rows = original.compare(made) if original.compare else ()
            told = [original.shows, original.read, table_of(rows)]
            outputs[f"original/{key}/{original.item}"] = told
    recorded.compare("papers", outputs)


def test_the_caption_of_the_situations_names_the_margin_that_is_drawn():
    caption = declared_figures()["chen_covert_lundberg_lee_2023"]["situations"].caption
    assert ("within a tenth of it are bold" in caption) == (MARGIN == 1.1)
