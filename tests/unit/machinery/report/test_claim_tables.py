"""Claims as a notebook shows them: all of them, typeset, and as text where they are no formulae."""

import numpy as np
import pandas as pd
import pytest

from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.report.claim_tables import claims_table, comparisons_told, conclusion

CLAIM = {
    "id": "gt20-01",
    "title": "Means",
    "statement": r"$\phi_1 \le 2$ if a < b.",
    "where": "Section 1",
    "source": "paper",
    "consequence": "slip",
    "status": "refuted",
    "reach": "",
    "setting": None,
    "summary": "Not on <b>these</b> games.",
    "matters": "Half of it & $x$.",
}


def test_every_claim_has_a_row_with_what_became_of_it():
    claims = [CLAIM, CLAIM | {"id": "gt20-02", "consequence": "stands", "status": "proved"}]
    shown = claims_table(claims, "A & B 2020")._repr_html_()
    assert shown.count("<tr><td>") == 2
    assert "A &amp; B 2020: 2 claims" in shown
    for text in (
        "gt20-01",
        "Section 1",
        "a slip that leaves the argument intact",
        "Refuted.",
        "gt20-02",
    ):
        assert text in shown


def test_formulae_are_typeset_and_all_else_is_text():
    shown = claims_table([CLAIM], "A")._repr_html_()
    assert "<math" in shown
    assert "a &lt; b" in shown
    assert "&lt;b&gt;these" in shown


def test_a_conclusion_counts_the_claims_of_a_paper_and_names_those_that_answer():
    other = CLAIM | {"id": "bdb24-01", "title": "Orders", "consequence": "stands", "matters": ""}
    audit = {"study": "s", "claims": [CLAIM, CLAIM | {"id": "gt20-02", "source": OURS}, other]}
    shown = conclusion(audit, "gt20", ["bdb24-01", "gt20-01"])._repr_html_()
    assert "<p>Of 1 published claims, 0 hold and 1 contains a slip.</p>" in shown
    assert shown.index("Orders") < shown.index("Means")
    assert "<i>Stands.</i>" in shown
    assert "<i>A slip that leaves the argument intact.</i> Half of it &amp; <math" in shown
    assert "Of 2 published claims" in conclusion(audit, "", [])._repr_html_()
    with pytest.raises(ValueError, match="gt20-77"):
        conclusion(audit, "gt20", ["gt20-77"])


def test_comparisons_count_what_their_limits_decide():
    columns = ["a", "b", "ratio", "low", "high"]
    rows = [("A", "B", 0.5, 0.4, 0.9), ("A", "B", 2, 1.1, 3), ("A", "B", 1.5, np.nan, np.nan)]
    rows += [("C", "B & D", 0.8, 0.7, 0.9), ("A", "B", 0.9, 0.8, 1.1)]
    shown = comparisons_told(pd.DataFrame(rows, columns=columns), "game")._repr_html_()
    assert (
        "<b>A</b> beside B, in 4 games: the error is smaller in 1, larger in 1, "
        "not significantly different in 2; the ratios are 0.5 to 2." in shown
    )
    assert "beside B &amp; D, in 1 game: the error is smaller in 1; the ratio is 0.8." in shown
