"""Advice by situation: every line has evidence that there is, and says what the study found."""

from dataclasses import fields
from string import Formatter

import pandas as pd
import pytest
from places import ROOT

from shapaudit_audit.papers import registry
from shapaudit_audit.report import situation_table as module
from shapaudit_audit.report.contributions import situations
from shapaudit_audit.report.situation_table import (
    HEADS,
    SituationLine,
    filled,
    situation_rows,
    steady,
)

WORDS = {"few_players": "A & B", "few_cells": "in 2 of 3 cells"}


class Compared:
    """Three tasks with their regrets; the best of a cell has 1."""

    def __init__(self):
        self.tasks = {name: Named(name, players) for name, players in PLAYERS.items()}
        self.regrets = pd.DataFrame(REGRETS, columns=["task", "budget", "a", "ratio", "high"])
        self.choices = self.regrets[["task", "budget"]].drop_duplicates()

    def completed(self, frame):
        return frame[frame["budget"] < 300]

    def label_of(self, name):
        return name.upper()


class Named:
    def __init__(self, name, players):
        self.name, self.players = name, players


PLAYERS = {"small": 20, "large": 21}
REGRETS = [
    ("small", 100, "a", 1.0, 1.0),
    ("small", 100, "b", 1.05, 1.2),
    ("small", 200, "a", 1.2, 1.4),
    ("small", 200, "b", 1.0, 1.1),
    ("small", 300, "a", 1.0, 1.0),
    ("small", 300, "b", 9.0, 9.9),
    ("large", 100, "a", 1.0, 1.3),
    ("large", 100, "b", 2.0, 2.9),
]


def test_lines_rest_on_claims_pages_and_names_that_there_are():
    known = set(WORDS) | {"many_players", "many_cells", "few_rows", "many_rows"}
    lines = situations()
    assert len(lines) > 10
    assert len({(*line.situation, line.take) for line in lines}) == len(lines)
    for line in lines:
        assert set(line.claims) <= set(registry()), line.take
        for text in (line.take, line.cells):
            assert {name for _, name, *_ in Formatter().parse(text) if name} <= known
        if line.benchmark:
            assert (ROOT / "benchmarks/results" / f"{line.benchmark}.md").exists(), line.benchmark


def test_every_head_is_of_a_situation():
    assert {*HEADS} < {field.name for field in fields(SituationLine)}
    assert len(SituationLine("x", benchmark="y").situation) == len(HEADS)


def test_a_line_without_evidence_is_refused():
    with pytest.raises(ValueError, match="'x' names no evidence"):
        SituationLine("x")


def test_who_is_steady_is_counted_over_complete_cells_of_the_players():
    assert steady(Compared(), few=True) == (["B"], 2, 1, 2, (20,))
    assert steady(Compared(), few=False) == (["A"], 1, 0, 1, (21,))


def test_words_say_who_is_best_and_that_nothing_was_compared(monkeypatch):
    words = filled(Compared(), (), 0.05)
    assert words["few_players"] == "B"
    assert (
        words["many_cells"]
        == "within 10% of the best at 1 of 1 budgets of 1 task, significantly at 0"
    )
    assert words["few_rows"] == words["many_rows"] == module.NONE
    chosen = pd.DataFrame(
        [("u", 30, "a"), ("u", 900, "b"), ("w", 50, "a"), ("w", 900, "c")],
        columns=["study", "rows", "best"],
    )
    monkeypatch.setattr(module, "choices", lambda studies, alpha: chosen)
    words = filled(Compared(), ("studies",), 0.05)
    assert words["few_rows"] == "least error with 30 to 50 rows: a under 2 of 2 distributions"
    assert (
        words["many_rows"] == "least error with 900 rows: b under 1, c under 1 of 2 distributions"
    )


def test_a_row_is_filled_and_escaped():
    line = SituationLine("{few_players}", ("xx-1", "xx-2"), "{few_cells}", "a_b", players="50 %")
    text = module.situation_table([line], WORDS)
    row = r"50 \% & any & any & any & any & A \& B & \cl{xx-1}, \cl{xx-2}; in 2 of 3 cells; "
    page = r"\texttt{benchmarks/\allowbreak results/\allowbreak a\_b.md}"
    assert rf"{row}{page} \\" in text


def test_the_site_says_what_became_of_a_claim_and_leaves_out_what_was_not_judged():
    line = SituationLine("{few_players}", ("xx-1", "xx-2"), "{few_cells}")
    claims = {"xx-2": {"title": "T", "consequence": "hypothesis"}}
    (row,) = situation_rows([line], WORDS, claims)
    assert row["claims"] == [
        {"id": "xx-2", "title": "T", "consequence": "hypothesis", "told": "needs a hypothesis"}
    ]
    assert (row["take"], row["cells"], row["benchmark"]) == ("A & B", "in 2 of 3 cells", "")
