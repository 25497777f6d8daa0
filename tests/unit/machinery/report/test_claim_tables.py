"""Claims as a notebook shows them: all of them, typeset, and as text where they are no formulae."""

from shapaudit_audit.report.claim_tables import claims_table

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
