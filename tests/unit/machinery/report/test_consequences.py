"""Tables of the published claims that do not simply stand."""

from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.report.consequences import consequence_tables


def claim(name, consequence, source="printed", **more):
    return {
        "id": f"gt20-{name}",
        "title": f"Title {name}",
        "consequence": consequence,
        "source": source,
        "matters": f"Change {name}.",
        "lacks": "",
    } | more


CLAIMS = [
    claim("01", "stands"),
    claim("02", "hypothesis", lacks="a light tail & more"),
    claim("03", "wrong"),
    claim("04", "slip"),
    claim("05", "setting"),
    claim("06", "slip", OURS),
    claim("07", "slip"),
]


def rows(table):
    return [line for line in table.splitlines() if r"\cl{" in line]


def test_each_claim_is_in_the_table_of_its_consequence():
    tables = consequence_tables(CLAIMS)
    named = {name: [row[4:11] for row in rows(table)] for name, table in tables.items()}
    assert named == {
        "claims_fallen": ["gt20-03", "gt20-02"],
        "claims_setting": ["gt20-05"],
        "claims_slips": ["gt20-04", "gt20-07"],
    }


def test_a_row_says_what_is_lacking_and_what_that_changes():
    wrong, lacking = rows(consequence_tables(CLAIMS)["claims_fallen"])
    assert wrong == r"\cl{gt20-03} & Title 03 & \emph{Wrong.} Change 03. \\"
    assert lacking == (
        r"\cl{gt20-02} & Title 02 & \emph{Missing: a light tail \& more.} Change 02. \\"
    )


def test_formulas_are_left_as_they_are():
    fallen = claim("03", "hypothesis", lacks="$D>0$ & more", matters="Up to 25,000 at $d_1=3$.")
    (row,) = rows(consequence_tables([fallen])["claims_fallen"])
    assert row.endswith(r"\emph{Missing: $D>0$ \& more.} Up to 25\,000 at $d_1=3$. \\")


def test_a_table_without_claims_says_none():
    tables = consequence_tables(CLAIMS[:1])
    assert all(" & none & " in table for table in tables.values())
