"""What papers print beside ours: figures that there are, and numbers of both."""

from types import SimpleNamespace

import pandas as pd
import pytest

from shapaudit_audit.papers import PAPERS
from shapaudit_audit.report.contributions import originals
from shapaudit_audit.report.figures import declared_figures
from shapaudit_audit.report.originals import Original
from shapaudit_audit.report.site import content
from shapaudit_papers.bell_devanathan_boyd_2024.originals import toy_values
from shapaudit_papers.chen_covert_lundberg_lee_2023.originals import cells, further_cells
from shapaudit_papers.grah_thouvenot_2020.originals import readings

DRAWN = {"notebook": "n", "name": "one", "file": "figures/n/one.svg"}


def test_every_replicated_paper_describes_its_figures_and_ours_are_declared():
    described = originals()
    assert {*described} == {paper.key for paper in PAPERS.values() if paper.section}
    declared = declared_figures()
    for own in described.values():
        for original in own:
            assert original.figures
            for name in original.figures:
                notebook, _, figure = name.partition("/")
                assert figure in declared[notebook], name
        assert any(entry.compare for entry in own)


def test_figures_that_were_not_drawn_are_left_out_and_numbers_become_a_table():
    numbers = lambda findings: [{"a_b": 1.5, "c": "x"}]  # noqa: E731
    original = Original("Figure 1", "Curves.", "They fall.", ("n/one", "n/two"), numbers)
    other = Original("Figure 2", "Maps.", "They differ.")
    first, second = content.originals(None, {"p": (original, other)}, [DRAWN])["p"]
    assert first["figures"] == [DRAWN]
    assert first["table"] == {"head": ["a b", "c"], "cells": [["1.50", "x"]]}
    assert second["figures"] == []
    assert second["table"] is None


def test_readings_stand_beside_our_errors_of_the_same_budget():
    reading = {"method": "optimised-mc", "evaluations": 50, "error": 0.2}
    reading |= {"mean": 0.3, "low": 0.25, "high": 0.35}
    own = SimpleNamespace(label="Task", label_of=str.upper, published=pd.DataFrame([reading]))
    findings = SimpleNamespace(
        once=lambda load: SimpleNamespace(experiments={"classification": own})
    )
    (row,) = readings(findings, ("classification", "classification-large"))
    assert (row["published (read off)"], row["here"]) == (0.2, 0.3)
    assert (row["estimator"], row["95 % limits"]) == ("OPTIMISED-MC", "0.250 to 0.350")


def test_published_cells_say_whether_ours_agree():
    frame = pd.DataFrame(
        [
            {"method": "ME", "samples": 500, "published": 2.0, "ours": 1.0, "ratio": 0.5}
            | {"low": 0.25, "high": 0.75, "agrees": False}
        ]
    )
    protocol = SimpleNamespace(comparison=frame)
    findings = SimpleNamespace(once=lambda load: SimpleNamespace(protocol=protocol))
    (row,) = cells(findings)
    assert row["here over published"] == pytest.approx(row["here"] / row["published"])
    assert row["agree"] == "no"


def test_the_other_data_stand_beside_their_printed_errors_where_they_were_run():
    def protocol(label, players, *ratios):
        cells = [
            {"method": "ME", "samples": 500, "published": 2.0, "ours": 2 * ratio, "ratio": ratio}
            | {"low": ratio / 2, "high": 2 * ratio, "agrees": True}
            for ratio in ratios
        ]
        columns = ["method", "samples", "published", "ours", "ratio", "low", "high", "agrees"]
        frame = pd.DataFrame(cells, columns=columns)
        return SimpleNamespace(label=label, players=players, comparison=frame)

    main = protocol("Diabetes", 10, 1.0)
    others = [protocol("More trees", 10, 1.1), protocol("NHANES", 18), protocol("Blog", 280, 1.2)]
    own = SimpleNamespace(protocol=main, protocols={part.label: part for part in [main, *others]})
    (row,) = further_cells(SimpleNamespace(once=lambda load: own))
    assert (row["data"], row["here"], row["agree"]) == ("Blog", 2.4, "yes")


def test_printed_values_of_the_toy_say_whether_ours_round_to_them():
    rows = pd.DataFrame([{"what": "value 1", "printed": 0.59, "found": 0.5951, "agrees": False}])
    findings = SimpleNamespace(once=lambda load: SimpleNamespace(toy_rows=rows))
    (row,) = toy_values(findings)
    assert (row["published"], row["rounds to it"]) == ("0.59", "no")
    assert row["here, from the authors' rows"] == "0.5951"
