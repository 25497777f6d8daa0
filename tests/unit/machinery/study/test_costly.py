"""Costly estimators run fewer explicands and budgets, are counted so, and checked."""

import re

import pytest
from msgspec.structs import replace
from places import ROOT

from shapaudit_audit.jobs import Plan, evaluations
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.blocks.runs import CostlyBlock, ExperimentBlock
from shapaudit_audit.study.config import validate
from shapaudit_audit.study.overlays import ConfigError, load_study

BLOCK = ExperimentBlock(
    game="g",
    budgets=[100, 1000],
    repetitions=1,
    explicands=40,
    estimators=["a", "b", "c"],
    costly={
        "b": CostlyBlock(explicands=10),
        "c": CostlyBlock(evaluations=500),
        "d": CostlyBlock(evaluations=0),
    },
)


def test_a_costly_estimator_has_its_part_and_the_others_all():
    assert BLOCK.part("a") == BLOCK
    assert BLOCK.part("b") == replace(BLOCK, explicands=10)
    assert BLOCK.part("c") == replace(BLOCK, budgets=[100])
    assert BLOCK.part("d").budgets == []


def test_what_runs_is_counted():
    config = load_study(ROOT / "config" / "smoke.yaml")
    job = [("run_estimators", {"experiment": "many-cancer", "batch": "paired-kernel-shap"})]
    (count,) = evaluations(Plan(config), job).values()
    experiment = config["experiments"]["many-cancer"]
    limits = experiment.pop("costly")
    (full,) = evaluations(Plan(config), job).values()
    explicands, budgets = config["games"]["many-cancer"]["explicands"], experiment["budgets"]
    saved = sum(
        explicands * sum(budgets)
        - limit["explicands"] * sum(budget for budget in budgets if budget <= limit["evaluations"])
        for limit in limits.values()
    )
    assert full - count == saved > 0


@pytest.mark.parametrize(
    ("costly", "message"),
    [
        ({"autp": {"explicands": 2}}, "costly: unknown estimator 'autp' (did you mean 'auto'?)"),
        ({"auto": {"evaluations": 10}}, "costly: auto gets no budget with 10 evaluations; raise"),
        ({"svarm": {"explicands": 3}}, "costly: unknown estimator 'svarm'"),
        (
            {"me": {"explicands": 3}},
            "costly: me is not under estimators; add it, or say evaluations: 0",
        ),
        (
            {"auto": {"explicands": 999}},
            "costly: explicands of auto exceeds the 10 of the experiment",
        ),
        (
            {"paired-kernel-shap": {"explicands": 3}},
            "all others are compared with paired-kernel-shap",
        ),
    ],
)
def test_mistakes_are_named(costly, message):
    config = load_study(ROOT / "config" / "smoke.yaml")
    config["experiments"]["many-cancer"]["costly"] = costly
    with pytest.raises(ConfigError, match=re.escape(message)):
        validate(config, ROLES)


def test_what_is_kept_is_not_costly():
    config = load_study(ROOT / "config" / "smoke.yaml")
    config["experiments"]["many-cancer"]["keep"] = 2
    with pytest.raises(ConfigError, match="leave out keep or costly"):
        validate(config, ROLES)
