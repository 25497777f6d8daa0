"""A claim of several parts has one verdict."""

import pytest

from shapaudit.statistics.limits import Limit
from shapaudit_audit.audit.audit import audit
from shapaudit_audit.audit.base import Claim
from shapaudit_audit.audit.evidence import sampled
from shapaudit_audit.audit.joining import WEAKEST_FIRST, joined
from shapaudit_audit.audit.verdict import STATUSES, ClaimError, Ruling, Verdict

PROVED = Verdict("proved", "A proof.", "loosely", {"n": 1, "m": 2}, shown_by="lem:x")
SEEN = Verdict("exact", "Seen.", None, {"n": 3, "k": 4}, rows=({"a": 1},), reach="d up to 3")
FALLEN = Verdict("refuted", "Not so.", "slip", rows=({"b": 2}, {"b": 3}))


def test_the_weakest_part_decides_and_all_are_told():
    assert set(WEAKEST_FIRST) == set(STATUSES)
    both = joined([PROVED, SEEN])
    assert (both.status, both.reach, both.shown_by) == ("exact", "d up to 3", "lem:x")
    assert both.numbers == {"n": 1, "m": 2, "n_2": 3, "k": 4}
    whole = joined([SEEN, FALLEN, PROVED])
    assert (whole.status, whole.consequence, whole.reach) == ("refuted", "slip", "")
    assert whole.summary == "Seen. Not so. A proof."
    assert whole.rows == ({"a": 1, "b": ""}, {"a": "", "b": 2}, {"a": "", "b": 3})
    for status in STATUSES:
        other = Verdict(status, "So.", rows=({"a": 1},), reach="all")
        assert joined([PROVED, other]).status == status


def test_the_part_that_holds_loosely_is_named():
    both = joined([PROVED, SEEN])
    assert both.consequence == "loosely"
    assert both.summary == "Loosely: A proof. As stated: Seen."
    last = joined([SEEN, SEEN, PROVED])
    assert (last.status, last.consequence) == ("exact", "loosely")
    assert last.summary == "As stated: Seen. Seen. Loosely: A proof."
    alike = joined([PROVED, PROVED])
    assert (alike.consequence, alike.summary) == ("loosely", "A proof. A proof.")
    assert joined([SEEN, SEEN]).consequence is None
    open_ = joined([PROVED, Verdict("inconclusive", "Who knows?", rows=({"a": 1},))])
    assert (open_.consequence, open_.summary) == (None, "A proof. Who knows?")


def test_two_proofs_need_no_table_and_a_shared_table_is_shown_once():
    assert joined([PROVED, PROVED]).shown_by == "lem:x"
    other = Verdict("proved", "Another.", shown_by="prop:y")
    assert joined([PROVED, other, PROVED]).shown_by == "lem:x, prop:y"
    assert joined([SEEN, FALLEN]).shown_by == "rows"
    again = Verdict("supported", "Again.", rows=SEEN.rows)
    assert joined([SEEN, again]).rows == SEEN.rows
    limit = Limit("x", 1.0, 0.5, 2.0, 0.95)
    assert joined([PROVED, Verdict("proved", "So.", limits=(limit,), shown_by="lem:x")]).limits == (
        limit,
    )


def test_one_part_is_left_as_it_is():
    assert joined([FALLEN]) is FALLEN


def test_two_settings_are_refused():
    ruled = Verdict("proved", "So.", shown_by="lem:x", setting=Ruling("supported", "There."))
    assert joined([PROVED, ruled]).setting == ruled.setting
    with pytest.raises(ClaimError, match="only one part of a claim may have a setting"):
        joined([ruled, ruled])


def gather(context):
    """One piece."""
    return {"holds": True}


def gather_other(context):
    """Another piece."""
    return {"holds": context}


@sampled
def gather_sample(context):
    """A piece that rests on a sample."""
    return {"holds": True}


def level(evidence, alpha):
    """Proved, with its error rate."""
    return Verdict("proved", "So.", None, {"level": alpha}, shown_by="lem:x")


def check(evidence, alpha):
    """Proved where it holds."""
    return PROVED if evidence["holds"] else FALLEN


def a_claim(**parts):
    return Claim(
        id="xx99-01",
        paper="a_paper",
        title="Two parts",
        heading="A heading",
        topic="identities",
        where="Section 1",
        statement="$1=1$ and $2=2$",
        falls="slip",
        **parts,
    )


def test_parts_that_rest_on_samples_share_the_error_rate():
    two = a_claim(gather=gather_sample, check=level, also=((gather_sample, level), (gather, level)))
    numbers = two.judge(two.evidence(lambda of: of(None)), 0.1).numbers
    assert numbers == {"level": 0.05, "level_3": 0.1}


def test_a_claim_of_two_parts_is_judged_by_both_pieces():
    claim = a_claim(gather=gather, check=check, also=((gather_other, check), (gather, check)))
    assert claim.gathers == (gather, gather_other)
    for holds, status in ((True, "proved"), (False, "refuted")):
        (record,) = audit([claim], lambda of, holds=holds: of(holds), 0.1)
        assert (record["status"], len(record["summary"].split("."))) == (status, 4)
        assert record["gathered"] == ["test_joining/gather", "test_joining/gather_other"]
