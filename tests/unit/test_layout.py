"""Which estimators share a job."""

from shapaudit.study.layout import audited, batches


def test_one_job_each_by_default():
    assert batches({"estimators": ["a", "b"]}) == {"a": ["a"], "b": ["b"]}


def test_an_estimator_added_at_the_end_changes_the_last_job_only():
    few = batches({"estimators": ["a", "b", "c"], "per_job": 2})
    more = batches({"estimators": ["a", "b", "c", "d", "e"], "per_job": 2})
    assert few == {"a": ["a", "b"], "c": ["c"]}
    assert more == {"a": ["a", "b"], "c": ["c", "d"], "e": ["e"]}


def test_claims_do_not_see_what_is_left_out_of_the_audit():
    games = {key: {} for key in ("shared", "alone", "idle")}
    experiments = {
        "seen": {"game": "shared"},
        "unseen": {"game": "shared", "audit": False},
        "unseen-too": {"game": "alone", "audit": False},
    }
    left, kept = audited({"games": games, "experiments": experiments})
    assert list(left) == ["seen"]
    assert list(kept) == ["shared", "idle"]
