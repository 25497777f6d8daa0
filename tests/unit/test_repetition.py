"""The study once more from another base seed."""

import pytest
import yaml
from synthetic import ROOT, study

from shapaudit.study import repetition
from shapaudit.study.layout import audited, repeated


@pytest.fixture(scope="module")
def tiny():
    """The smoke study with fewer pairs, no experiment but two, and a game without one."""
    config = study("smoke", pairs=3, repetitions=1)
    config["experiments"]["diabetes"]["audit"] = True
    config["games"]["classification-large"]["truth"]["params"]["shuffles"] = 4
    _, config["games"] = audited(config)
    keep = ("classification", "regression")
    config["experiments"] = {name: config["experiments"][name] for name in keep}
    return config


@pytest.fixture
def looked_at(monkeypatch):
    """What the audit of a repetition is handed, in place of the audit itself."""
    contexts = []
    monkeypatch.setattr(repetition, "audit", lambda claims, context: contexts.append(context) or [])
    return contexts


def test_another_seed_means_other_games_and_runs_and_the_same_seed_the_same(tiny, looked_at):
    for seed in (5, 5, 6):
        repetition.repeat(repeated(tiny), seed)
    one, same, other = looked_at
    assert (one.seed, other.seed) == (5, 6)
    for name, estimates in one.estimates.items():
        assert estimates.frame.equals(same.estimates[name].frame)
        assert not estimates.frame.equals(other.estimates[name].frame)
    for game, again, fresh in zip(one.games, same.games, other.games, strict=True):
        assert (game.truths == again.truths).all()
        assert not (game.truths == fresh.truths).all()


def test_it_runs_what_the_configuration_lists_and_sees_every_tabulated_game(tiny, looked_at):
    tiny = {**tiny, "repetition": {"seeds": [5], "estimators": ["optimised-mc"]}}
    repetition.repeat(repeated(tiny), 5)
    (context,) = looked_at
    assert {name: set(one.settings) for name, one in context.estimates.items()} == {
        "classification": {"optimised-mc"},
        "regression": {"optimised-mc"},
    }
    small = {name for name, game in tiny["games"].items() if game["players"] <= 20}
    assert {game.name for game in context.games} == small


def test_an_estimator_that_the_claims_do_not_look_at_is_no_reason_to_repeat(tiny):
    own = {"label": "Own", "estimator": "my_estimator.EqualSplit"}
    block = tiny["experiments"]["classification"]
    more = {**block, "estimators": [*block["estimators"], "own"]}
    study = {
        **tiny,
        "estimators": {**tiny["estimators"], "own": own},
        "experiments": {**tiny["experiments"], "classification": more},
    }
    assert repeated(study) == repeated(tiny)
    for key, value, again in (("repetitions", 7, False), ("budgets", [40, 7000], True)):
        changed = {**tiny["experiments"], "classification": {**block, key: value}}
        assert (repeated({**tiny, "experiments": changed}) != repeated(tiny)) == again


def test_an_experiment_left_out_of_the_audit_does_not_run_again(tiny, looked_at):
    block = {**tiny["experiments"]["regression"], "audit": False}
    study = {**tiny, "experiments": {**tiny["experiments"], "regression": block}}
    repetition.repeat(repeated(study), 5)
    (context,) = looked_at
    assert set(context.estimates) == {"classification"}
    assert "regression" not in {game.name for game in context.games}


def test_every_study_repeats_what_its_claims_look_at():
    for name in ("config", "smoke", "full"):
        config = yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text())
        listed = set(config["repetition"]["estimators"])
        paper = {
            key
            for key, spec in config["estimators"].items()
            if key.endswith("-mc") or spec["label"].endswith(("as published", "step tuned"))
        } - {"antithetic-mc"}
        used = {key for one in config["experiments"].values() for key in one["estimators"]}
        assert paper & used <= listed, name
