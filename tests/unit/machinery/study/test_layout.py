"""Which estimators share a job, what the claims look at, and what a repetition runs."""

import pytest
from synthetic import study

from shapaudit_audit.study.layout import TABULATED_PLAYERS, audited, batches, repeated

ESTIMATORS = {"plain-mc", "optimised-mc"}  # that the claims look at


@pytest.fixture
def smoke():
    """The smoke study, all its experiments audited, repeated with `ESTIMATORS`."""
    config = study("smoke")
    for block in config["experiments"].values():
        block["audit"] = True
    config["repetition"] = {"seeds": [5], "estimators": sorted(ESTIMATORS)}
    return config


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


def test_a_repetition_runs_the_listed_estimators_once_per_explicand(smoke):
    left = repeated(smoke)
    listed = {
        name: [key for key in block["estimators"] if key in ESTIMATORS]
        for name, block in smoke["experiments"].items()
    }
    runs = {name: block["estimators"] for name, block in left["experiments"].items()}
    assert runs == {name: keys for name, keys in listed.items() if keys}
    assert runs
    assert {block["repetitions"] for block in left["experiments"].values()} == {1}
    assert set(left["estimators"]) == ESTIMATORS


def test_a_repetition_has_its_games_and_all_that_have_tables(smoke):
    left = repeated(smoke)
    small = {key for key, game in smoke["games"].items() if game["players"] <= TABULATED_PLAYERS}
    assert set(left["games"]) == small | {
        experiment["game"] for experiment in left["experiments"].values()
    }
    assert set(left["models"]) == {game["model"] for game in left["games"].values()}
    assert set(left["datasets"]) == {model["dataset"] for model in left["models"].values()}


def test_an_estimator_that_the_claims_do_not_look_at_is_no_reason_to_repeat(smoke):
    block = smoke["experiments"]["classification"]
    more = {**block, "estimators": [*block["estimators"], "own"]}
    changed = {
        **smoke,
        "estimators": {
            **smoke["estimators"],
            "own": {"label": "Own", "estimator": "my_estimator.EqualSplit"},
        },
        "experiments": {**smoke["experiments"], "classification": more},
    }
    assert repeated(changed) == repeated(smoke)


@pytest.mark.parametrize(
    ("key", "value", "same"), [("repetitions", 7, True), ("budgets", [9], False)]
)
def test_budgets_are_a_reason_to_repeat_and_seeds_per_explicand_are_none(smoke, key, value, same):
    block = {**smoke["experiments"]["classification"], key: value}
    changed = {**smoke, "experiments": {**smoke["experiments"], "classification": block}}
    assert (repeated(changed) == repeated(smoke)) == same


def test_an_experiment_left_out_of_the_audit_is_not_repeated(smoke):
    game = smoke["experiments"]["regression"]["game"]
    for block in smoke["experiments"].values():
        block["audit"] = block["game"] != game
    left = repeated(smoke)
    assert "regression" not in left["experiments"]
    assert game not in left["games"]


@pytest.mark.parametrize("name", ["config", "smoke", "full"])
def test_every_study_repeats_what_its_claims_look_at(name):
    config = study(name)
    listed = set(config["repetition"]["estimators"])
    looked_at = {
        key
        for key, spec in config["estimators"].items()
        if key.endswith("-mc") or spec["label"].endswith(("as published", "step tuned"))
    } - {"antithetic-mc"}
    used = {
        key for experiment in config["experiments"].values() for key in experiment["estimators"]
    }
    assert looked_at & used <= listed
