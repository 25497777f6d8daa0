"""Verdicts, claims and how they are found, the context, the audit and its file."""

import json
import re
from fractions import Fraction

import numpy as np
import pytest

from shapaudit_audit.audit.audit import audit, document, to_json, write_json
from shapaudit_audit.audit.base import Claim
from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_audit.audit.discovery import claims_in
from shapaudit_audit.audit.evidence import EvidenceError, sampled
from shapaudit_audit.audit.paper import Paper
from shapaudit_audit.audit.verdict import ClaimError, Ruling, Verdict
from shapaudit_audit.papers import PAPERS, select
from shapaudit_audit.schemas import schema_file
from shapaudit_audit.study.sealed import read_document, to_sealed

SCHEMA = schema_file("claims")


@sampled
def gather(context):
    """What the claims below are judged by."""
    return {"seed": context.seed}


def gather_exact(context):
    """Evidence that rests on no sample."""
    return {"seed": context.seed}


def a_claim(number=1, statistical=False, check=None, **changes):
    parts = {
        "id": f"xx99-{number:02d}",
        "paper": "a_paper",
        "title": "A claim",
        "heading": "A heading",
        "topic": "identities",
        "where": "Section 1",
        "statement": "$1=1$",
        "gather": gather,
        "check": check or (lambda evidence, alpha: verdict(alpha=alpha, seed=evidence["seed"])),
        "statistical": statistical,
    }
    return Claim(**parts | changes)


def evidence_of(gather):
    """Evidence of the context of seed 7."""
    return gather(Context("study", 7))


def verdict(status="proved", **numbers):
    return Verdict(status, "It holds.", None, numbers, shown_by="lem:x")


def test_numbers_become_plain():
    held = verdict(a=np.float64(0.5), b=np.int64(3), c=Fraction(1, 3), d=Fraction(4), e=True, f="x")
    assert held.numbers == {"a": 0.5, "b": 3, "c": "1/3", "d": 4, "e": 1, "f": "x"}
    assert type(held.numbers["a"]) is float


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, [1]])
def test_verdict_refuses_what_is_no_number(value):
    with pytest.raises(ClaimError, match="no finite number"):
        verdict(a=value)


def test_verdict_refuses_unknown_words_and_missing_evidence():
    with pytest.raises(ClaimError, match="'true' is not one of"):
        verdict("true")
    with pytest.raises(ClaimError, match="consequence 'odd'"):
        Verdict("proved", "It holds.", "odd", shown_by="lem:x")
    with pytest.raises(ClaimError, match="has none"):
        Verdict("supported", "It holds.")
    with pytest.raises(ClaimError, match="same keys"):
        Verdict("supported", "It holds.", rows=({"a": 1}, {"b": 2}))


@pytest.mark.parametrize(
    ("status", "evidence"), [("proved", "rows"), ("proved", "sec:x"), ("exact", "prop:x")]
)
def test_what_is_not_proved_for_all_says_how_far_it_was_looked_at(status, evidence):
    rows = ({"a": 1},)
    with pytest.raises(ClaimError, match="give its reach"):
        Verdict(status, "It holds.", rows=rows, shown_by=evidence)
    assert Verdict(status, "It holds.", rows=rows, shown_by=evidence, reach="d up to 3").reach


def test_a_ruling_has_a_known_status():
    with pytest.raises(ClaimError, match="'true' is not one of"):
        Ruling("true", "It holds.")


def test_a_claim_with_a_setting_is_judged_in_it_and_no_other_is():
    def ruled(evidence, alpha):
        there = Ruling("supported", "There it holds.")
        return Verdict("refuted", "Elsewhere it does not.", shown_by="lem:x", setting=there)

    claim = a_claim(check=ruled, setting="five games", falls="slip", matters="It matters.")
    (record,) = audit([claim], evidence_of, 0.1)
    assert record["setting"] == {
        "of": "five games",
        "status": "supported",
        "summary": "There it holds.",
        "stand_in": False,
    }
    assert (record["status"], record["consequence"]) == ("refuted", "setting")
    assert record["matters"] == "It matters."
    for wrong in (a_claim(check=ruled), a_claim(setting="five games")):
        with pytest.raises(ClaimError, match="needs a ruling"):
            wrong.judge(evidence_of(wrong.gather), 0.1)


def test_claim_refuses_a_malformed_id():
    with pytest.raises(ClaimError, match="'gt20-02'"):
        a_claim(number=100)


def test_claim_refuses_a_source_or_topic_of_its_own():
    with pytest.raises(ClaimError, match="xx99-01: source must be 'paper' or 'this project'"):
        a_claim(source="rumour")
    with pytest.raises(ClaimError, match="xx99-01: topic 'weather' is none of identities, "):
        a_claim(topic="weather")


@pytest.mark.parametrize("side", ["stands", "falls"])
def test_claim_refuses_an_unknown_consequence(side):
    with pytest.raises(ClaimError, match="'odd' is not one of stands, loosely, "):
        a_claim(**{side: "odd"})


@pytest.mark.parametrize(
    ("status", "own", "consequence"),
    [
        ("proved", None, "loosely"),
        ("supported", None, "loosely"),
        ("refuted", None, "slip"),
        ("inconsistent", None, "slip"),
        ("vacuous", None, "slip"),
        ("inconclusive", None, "undecided"),
        ("proved", "slip", "slip"),
        ("inconclusive", "wrong", "undecided"),
    ],
)
def test_a_verdict_has_the_consequence_of_its_claim_unless_it_has_its_own(status, own, consequence):
    def check(evidence, alpha):
        return Verdict(status, "So it is.", own, {"alpha": alpha}, shown_by="lem:x")

    claim = a_claim(check=check, stands="loosely", falls="slip")
    judged = claim.judge({}, 0.1)
    assert (judged.status, judged.consequence, judged.numbers) == (
        status,
        consequence,
        {"alpha": 0.1},
    )
    (record,) = audit([claim], evidence_of, 0.1)
    assert record["consequence"] == consequence


@pytest.mark.parametrize(
    ("there", "general", "consequence"),
    [
        ("supported", "supported", "loosely"),
        ("supported", "refuted", "setting"),
        ("exact", "vacuous", "setting"),
        ("supported", "inconclusive", "loosely"),
        ("inconclusive", "supported", "undecided"),
        ("inconclusive", "refuted", "undecided"),
        ("refuted", "refuted", "slip"),
        ("refuted", "inconclusive", "undecided"),
        ("vacuous", "proved", "loosely"),
    ],
)
def test_the_setting_of_the_source_comes_first(there, general, consequence):
    def check(evidence, alpha):
        ruling = Ruling(there, "There it is so.")
        reach = "all of it" if general == "exact" else ""
        return Verdict(general, "So it is.", shown_by="lem:x", reach=reach, setting=ruling)

    claim = a_claim(check=check, stands="loosely", falls="slip", setting="five games")
    assert claim.judge({}, 0.1).consequence == consequence


def test_a_printed_claim_that_may_need_a_hypothesis_names_it():
    with pytest.raises(ClaimError, match="xx99-01 may lack a hypothesis; name it in lacks="):
        a_claim(falls="hypothesis")
    claim = a_claim(falls="hypothesis", lacks="a light tail")
    assert a_claim(falls="hypothesis", source="this project").lacks == ""
    (record,) = audit([claim], evidence_of, 0.1)
    assert record["lacks"] == "a light tail"


def test_a_statistical_claim_needs_sampled_evidence():
    with pytest.raises(ClaimError, match="xx99-01 rests on a sample; mark gather_exact by @sampl"):
        a_claim(statistical=True, gather=gather_exact)
    assert a_claim(statistical=True).statistical
    assert not a_claim(gather=gather_exact).statistical


def test_statistical_claims_share_alpha():
    claims = [a_claim(1, True), a_claim(2), a_claim(3, True)]
    records = audit(claims, evidence_of, 0.1)
    assert [record["alpha"] for record in records] == [0.05, 0.1, 0.05]
    assert [record["numbers"]["alpha"] for record in records] == [0.05, 0.1, 0.05]
    assert [record["number"] for record in records] == [1, 2, 3]


def test_a_failing_check_names_its_claim():
    def fail(evidence, alpha):
        raise ZeroDivisionError("division by zero")

    with pytest.raises(ClaimError, match=r"xx99-04 \(A claim\): division by zero"):
        audit([a_claim(4, check=fail)], evidence_of, 0.1)


def test_missing_evidence_names_the_claim():
    def nothing(gather):
        raise EvidenceError("there is no evidence")

    with pytest.raises(ClaimError, match=r"xx99-01 \(A claim\): there is no evidence"):
        audit([a_claim()], nothing, 0.1)


def test_json_is_validated_and_stable(tmp_path):
    audited = document("study", 0.1, audit([a_claim(words="one is one")], evidence_of, 0.1))
    write_json(tmp_path / "claims.json", audited, SCHEMA)
    text = (tmp_path / "claims.json").read_text(encoding="utf-8")
    assert text == to_sealed(to_json(audited))
    assert json.loads(text).keys() - audited.keys() == {"sha256"}
    assert read_document(tmp_path / "claims.json") == audited
    (record,) = audited["claims"]
    assert (record["heading"], record["topic"]) == ("A heading", "identities")
    assert (record["words"], record["gathered"]) == ("one is one", ["test_machinery/gather"])
    audited["claims"][0]["verdict"] = "fine"
    with pytest.raises(ClaimError, match=r"\$\.claims\[0\].*'verdict'"):
        write_json(tmp_path / "claims.json", audited, SCHEMA)


def test_summaries_hold_no_latex(tmp_path):
    def check(evidence, alpha):
        return Verdict("proved", "50% hold.", shown_by="lem:x")

    audited = document("study", 0.1, audit([a_claim(check=check)], evidence_of, 0.1))
    with pytest.raises(ClaimError, match="summary"):
        write_json(tmp_path / "claims.json", audited, SCHEMA)


def test_select_by_paper_and_id():
    assert select() == [claim for paper in PAPERS for claim in select([paper])]
    assert [claim.id for claim in select(["gt20-05"])] == ["gt20-05"]
    with pytest.raises(ClaimError, match="unknown claims gt20-99; the papers are"):
        select(["gt20-99"])


CLAIM = """
from shapaudit_audit.audit.base import Claim
from ..evidence.piece import gather
"""
PAPER = Paper(key="a_paper", name="A Paper 1999", year=1999, prefix="xx99", letter="A")


@pytest.fixture
def a_package(tmp_path, monkeypatch, request):
    """Writes claims, module by module, into a package and gives its name."""
    name = "package_of_" + re.sub(r"\W", "_", request.node.name)
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**modules):
        texts = {
            "__init__": "",
            "evidence/__init__": "",
            "evidence/piece": "def gather(context): ...\n",
            "claims/__init__": "HEADINGS = ('First', 'Second')\n",
        }
        for module, claims in modules.items():
            lines = [
                f"Claim(id={claim['id']!r}, paper={claim.get('paper', 'a_paper')!r}, title='',"
                f" heading={claim.get('heading', 'First')!r}, topic='cost', where='', statement='',"
                " gather=gather, check=gather)"
                for claim in claims
            ]
            texts[f"claims/{module}"] = CLAIM + f"CLAIMS = ({', '.join(lines)},)\n"
        for path, text in texts.items():
            file = tmp_path / name / f"{path}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return name

    return write


def test_claims_are_found_in_all_modules_in_the_order_of_their_ids(a_package):
    package = a_package(zeta=[{"id": "xx99-01"}], alpha=[{"id": "xx99-02b"}, {"id": "xx99-02a"}])
    assert [claim.id for claim in claims_in(package, PAPER)] == ["xx99-01", "xx99-02a", "xx99-02b"]


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ({"id": "xx99-01"}, "claims with the same id: xx99-01."),
        ({"id": "yy99-02"}, "claim yy99-02 of 'a_paper' stands in the package of 'a_paper', whose"),
        ({"id": "xx99-02", "paper": "another"}, "claim xx99-02 of 'another' stands in the package"),
        ({"id": "xx99-02", "heading": "Third"}, "xx99-02 stands under 'Third', none of the HEAD"),
    ],
)
def test_claims_that_do_not_belong_are_named(a_package, claim, message):
    package = a_package(one=[{"id": "xx99-01"}], two=[claim])
    with pytest.raises(ClaimError, match=re.escape(message)):
        claims_in(package, PAPER)


def test_study_game_holds_exact_values():
    tables = np.random.default_rng(0).normal(size=(3, 16))
    game = StudyGame.from_tables("random", tables)
    assert game.n_players == 4
    for (table, truth), values in zip(game.explicands(), tables, strict=True):
        assert truth.sum() == pytest.approx(values[-1] - values[0])
        np.testing.assert_array_equal(table.values, values)
    assert len(list(game.explicands(2))) == 2


def test_context_draws_by_name_and_asks_for_games():
    context = Context("study", 7)
    draws = [context.generator("a", k).random() for k in (0, 1, 0)]
    assert draws[0] == draws[2] != draws[1]
    with pytest.raises(ValueError, match="'study' gives no tabulated games"):
        context.study_games()


def test_context_computes_once_what_is_shared():
    calls = []

    def total(context, *numbers):
        calls.append(numbers)
        return [context.seed + sum(numbers)]

    context = Context("study", 7)
    assert context.once(total, 1, 2) is context.once(total, 1, 2)
    assert context.once(total, 1) == [8]
    assert Context("study", 8).once(total, 1) == [9]
    assert calls == [(1, 2), (1,), (1,)]


def test_context_reads_printed_values_that_it_was_given(tmp_path):
    (tmp_path / "a_paper.csv").write_text("quantity,value\nbias,1.50\n", encoding="utf-8")
    context = Context("study", 7, published={"a_paper": tmp_path / "a_paper.csv"})
    assert context.printed("a_paper") == [{"quantity": "bias", "value": "1.50"}]
    with pytest.raises(ValueError, match="another prints are not given; add its key to `reads`"):
        context.printed("another")
