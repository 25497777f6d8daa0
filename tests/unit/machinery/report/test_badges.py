"""How lists of claims and their verdicts are told."""

from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.report import audit


def test_badges_list_the_claims_of_each_consequence():
    rows = (("gt20-02b", "stands", "paper"), ("gt20-10", "slip", "this project"))
    rows += (("gt20-11", "stands", "paper"),)
    claims = [dict(zip(("id", "consequence", "source"), row, strict=True)) for row in rows]
    first, second = audit.badges(claims).split(r" \quad ")
    assert (first[-6:], second[-5:]) == ("2b, 11", " [10]")
    assert r"\briefbadge{slip}" in second


def test_verdicts_are_told_with_their_setting_and_reach():
    claim = {"status": "exact", "reach": "d up to 8", "setting": None}
    assert audit.verdicts_of(claim) == "exact for d up to 8"
    claim["setting"] = {
        "of": "two games",
        "status": "supported",
        "summary": "So it is.",
        "stand_in": False,
    }
    assert audit.verdicts_of(claim) == "supported in its setting, exact for d up to 8 in general"
    claim |= {"status": "supported", "reach": ""}
    assert audit.verdicts_of(claim) == "supported, in its setting and in general"
    claim["setting"]["stand_in"] = True
    assert audit.verdicts_of(claim) == "supported, on a stand-in for its setting and in general"
    claim["status"] = "refuted"
    told = "supported on a stand-in for its setting, refuted in general"
    assert audit.verdicts_of(claim) == told


def test_every_consequence_has_a_letter_of_its_own():
    assert set(audit.MARKS) == set(CONSEQUENCES)
    assert len(set(audit.MARKS.values())) == len(CONSEQUENCES)
    assert r"\defconsequence{wrong}{" + CONSEQUENCES["wrong"] + "}{w}" in audit.consequence_macros()
