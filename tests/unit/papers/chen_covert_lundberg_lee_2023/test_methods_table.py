"""Table 1, audited: every method runs, every cell has a claim."""

from itertools import chain

import pytest

from shapaudit.estimators import create as create_estimator
from shapaudit.estimators.methods import METHODS as COMBINED
from shapaudit.explainers import REGISTRY as EXPLAINERS
from shapaudit.removals import resolve as resolve_removal
from shapaudit_audit.papers import registry
from shapaudit_papers.chen_covert_lundberg_lee_2023 import PAPER
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import removal_cells
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import methods


def test_there_are_24_methods_and_no_cell_without_a_claim():
    known = registry()
    assert len({row.method for row in methods.ROWS}) == len(methods.ROWS) == 24
    assert set(methods.JUDGED) == {row.method for row in methods.ROWS}
    for row in methods.ROWS:
        assert len(row.printed) == len(row.claims) == len(methods.COLUMNS) == 4
        assert set(row.printed[1:]) <= {"yes", "no"}
        for column in range(4):
            claim = known[methods.claim_of(PAPER.prefix, row, column)]
            assert claim.source == "paper", (row.method, column)


def test_a_claim_on_removal_judges_the_rows_that_it_is_shown_with():
    by_claim = {
        "84a": {*removal_cells.THEORY, *chain(*removal_cells.AGREEING.values())},
        "84c": set(removal_cells.INTRODUCED),
        "49a": {removal_cells.TREE},
    }
    shown = {
        name: {row.method for row in methods.ROWS if row.claims[0] == name} for name in by_claim
    }
    assert shown == by_claim
    for name in by_claim:
        assert "columns Removal approach and Removal variant" in registry()[f"ccll23-{name}"].where


@pytest.mark.parametrize("row", methods.ROWS, ids=lambda row: row.method)
def test_every_method_runs(row):
    first, *removal = row.runs.split(", ")
    if first not in EXPLAINERS:
        assert create_estimator(first).card
    for name in removal:
        assert resolve_removal(name)
    assert bool(first in EXPLAINERS) == (row.printed[1] == "no" or row.method == "FastSHAP")


def test_what_runs_is_named_once():
    """A method is either a removal and an estimator, in their one list, or stands alone here."""
    combined = {method.name for method in COMBINED}
    assert not combined & set(methods.ALONE)
    of_table_1 = {name for name in combined if "ApproShapley" not in name}
    assert of_table_1 | set(methods.ALONE) == {row.method for row in methods.ROWS}


def test_a_line_has_what_is_printed_and_by_what_it_was_judged():
    lines = methods.methods_table("ccll23").splitlines()
    (line,) = [line for line in lines if line.startswith("LinearSHAP")]
    assert line == (
        r"LinearSHAP & Linear & marginal, empirical \cl{ccll23-84a} & no \cl{ccll23-87} & "
        r"yes \cl{ccll23-13a} & yes \cl{ccll23-74a} \\"
    )
    assert sum(line.count(r"\cl{") for line in lines) == 96


def test_cells_are_counted_by_the_consequences_of_their_claims():
    names = {methods.claim_of("ccll23", row, k) for row in methods.ROWS for k in range(4)}
    claims = {name: {"consequence": "stands"} for name in names}
    claims["ccll23-04d"] = {"consequence": "hypothesis"}
    claims["ccll23-52e"] = {"consequence": "undecided"}
    claims["ccll23-84c"] = {"consequence": "slip"}
    counted = methods.cells(claims, "ccll23")
    assert counted == {
        "methods.rows": "24",
        "methods.cells": "72",
        "methods.falling": "1",
        "methods.undecided": "1",
        "methods.removal.falling": "3",
        "methods.removal.undecided": "none",
    }
