"""Figures, tables and values of the report on how removals err."""

import pandas as pd
import pytest
import removal_tables
from matplotlib import pyplot as plt

from shapaudit.removals import REGISTRY
from shapaudit_audit.report.latex import NOT_RUN
from shapaudit_audit.report.removals import RemovalStudy
from shapaudit_audit.study.blocks.studies import RemovalStudyBlock
from shapaudit_papers.chen_covert_lundberg_lee_2023.figures import removals as figures
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import removals as tables

BLOCK = RemovalStudyBlock(
    label="Made up, d = 3",
    model="m",
    estimator="e",
    removals=["marginal", "gaussian", "exact-match", "surrogate"],
    rows=[25, 100],
    fits=5,
    explicands=2,
    budgets=[8, 16],
    runs=2,
    row_limits=[100],
)
SCALES = {"marginal": 4.0, "gaussian": 1.0, "exact-match": 2.0, "surrogate": 3.0}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


@pytest.fixture
def studies():
    made = removal_tables.tables(BLOCK, SCALES)
    frames = {kind: pd.DataFrame(table) for kind, table in made.items()}
    cards = {name: REGISTRY[name].card for name in BLOCK.removals}
    first = RemovalStudy("one", BLOCK.label, BLOCK, cards, frames)
    return [first, RemovalStudy("two", "Another", BLOCK, cards, frames)]


def test_values_are_counted_from_the_tables(studies):
    texts = tables.values(studies, 0.05)
    assert texts["removals.laws"] == "2"
    assert texts["removals.rows"] == "25 and 100"
    assert texts["removals.cells"] == texts["removals.conditional"] == "4"
    assert texts["removals.chosen"] == "4"
    assert texts["removals.surrogate-few"] == "2"
    assert texts["removals.missingness-many"] == "0"
    assert "Made up" in texts["removals.misfit"]


def test_a_study_without_removals_says_so():
    texts = tables.values([], 0.05)
    assert set(texts) == {f"removals.{key}" for key in tables.KEYS}
    assert set(texts.values()) == {NOT_RUN}


def test_tables_have_a_line_per_law_and_removal(studies):
    made = tables.tables(studies, 0.05)
    assert made["removal_splits"].count("\\\\\n") == 2 + 2 * 4
    assert made["removal_choice"].count("gaussian") == 4
    assert "marginal" in made["removal_errors"]
    assert made["removal_measures"].count("\\\\\n") == 2 + 2 * 2


def test_panels_are_laws_and_lines_removals(studies):
    for draw in (figures.rows_figure, figures.learning_figure):
        figure = draw(studies)
        drawn = [ax for ax in figure.axes if ax.lines]
        assert [ax.get_title() for ax in drawn] == ["Made up, d = 3", "Another"]
        assert all(len(ax.lines) == 4 for ax in drawn)


def test_rows_of_the_model_have_the_fit_among_them(studies):
    line = figures.rows_figure(studies).axes[0].lines[0]
    assert list(line.get_xdata()) == [18, 26]


def test_removals_of_a_kind_share_a_colour_and_differ_in_their_markers(studies):
    looks = figures.styles(studies)
    colours = {name: look["color"] for name, look in looks.items()}
    assert colours["marginal"] == figures.KINDS["another game"]
    assert colours["exact-match"] == figures.KINDS["matching rows"]
    assert colours["gaussian"] == figures.KINDS["fitted distribution"]
    assert colours["surrogate"] == figures.KINDS["trained expectation"]


def test_on_the_line_data_differ_from_the_truth_by_what_the_law_leaves(studies):
    ax = figures.data_figure(studies).axes[0]
    points = ax.lines[0]
    assert list(points.get_ydata()) == pytest.approx([1 + x for x in points.get_xdata()])
