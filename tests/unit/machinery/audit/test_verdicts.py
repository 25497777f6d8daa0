"""Verdicts beside those of a repetition."""

import pytest

from shapaudit_audit.audit.changes import changes
from shapaudit_audit.audit.ids import short_id


def audited(statistical=True, **statuses):
    return {
        "claims": [
            {"id": f"gt20-{key[1:]}", "status": status, "statistical": statistical}
            for key, status in statuses.items()
        ]
    }


def test_a_change_is_named_with_its_seed():
    (change,) = changes(
        audited(_01="proved", _02="supported"), {7: audited(_01="proved", _02="refuted")}
    )
    assert (change.id, change.seed, change.before, change.after) == (
        "gt20-02",
        7,
        "supported",
        "refuted",
    )
    assert change.overturned


@pytest.mark.parametrize(
    ("before", "after"), [("supported", "inconclusive"), ("inconclusive", "refuted")]
)
def test_to_and_from_inconclusive_overturns_nothing(before, after):
    (change,) = changes(audited(_01=before), {7: audited(_01=after)})
    assert not change.overturned


def test_a_claim_that_was_not_repeated_is_an_error():
    with pytest.raises(ValueError, match="seed 7 lacks claim gt20-02"):
        changes(audited(_01="proved", _02="proved"), {7: audited(_01="proved")})


def test_what_rests_on_no_sample_is_not_repeated():
    exact = audited(statistical=False, _01="proved")
    assert changes(exact, {7: audited()}) == []


def test_short_ids():
    assert (short_id("gt20-02b"), short_id("gt20-18")) == ("2b", "18")
