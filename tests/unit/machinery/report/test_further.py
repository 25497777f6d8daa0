"""Regret of the best on tasks that only some of the estimators ran on."""

import dataclasses

import numpy as np
import pytest
from synthetic import task

from shapaudit_audit.report.further import Further, further
from shapaudit_audit.report.tasks import TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock

FEWER = {"paired-kernel-shap": 1.0, "auto": 0.1}
ALL = {**FEWER, "leverage-shap": 0.5}
SPECS = {
    "paired-kernel-shap": EstimatorBlock(label="Paired KernelSHAP", estimator="paired-kernel-shap"),
    "leverage-shap": EstimatorBlock(label="Leverage SHAP", estimator="stratified-least-squares"),
    "auto": EstimatorBlock(label="Auto", estimator="auto"),
}


def comparison(*tasks):
    return TaskComparison({each.name: each for each in tasks}, SPECS, 0.05)


def worse(given, budget=1000, factor=20.0):
    """The task in which ``auto`` errs more at a budget."""
    means = given.means.copy()
    means.loc[("auto", budget)] *= factor
    return dataclasses.replace(given, means=means)


@pytest.fixture
def first():
    """A comparison in which ``auto`` has the least regret."""
    return comparison(task("first", ALL, seed=1))


def test_it_is_the_regret_of_the_estimator_that_is_best_elsewhere(first):
    other = comparison(worse(task("a", FEWER, seed=2)), task("b", FEWER, seed=3))
    farthest = further(first, [other])
    assert first.regret_ranking.index[0] == "auto"
    assert (farthest.estimators, farthest.tasks, farthest.cells, farthest.near) == (2, 2, 4, 3)
    units = other.tasks["a"].units(1000)
    expected = (units["auto"] / units["paired-kernel-shap"]).median()
    assert farthest.worst == pytest.approx(expected, rel=0.01)
    assert (farthest.typical, farthest.budget, farthest.task) == (1.0, 1000, "a, d = 10")
    assert (farthest.label, farthest.best) == ("Auto", "Paired KernelSHAP")
    row = other.regrets.set_index(["task", "budget", "a"]).loc[("a", 1000, "auto")]
    assert (farthest.low, farthest.high) == pytest.approx((row["low"], row["high"]), rel=0.01)


def test_cells_for_which_somebody_is_too_slow_do_not_count(first):
    slow = dataclasses.replace(worse(task("a", ALL)), most={"leverage-shap": 100})
    farthest = further(first, [comparison(slow)])
    assert (farthest.cells, farthest.near, farthest.worst) == (1, 1, 1.0)


def test_where_it_did_not_run_there_is_nothing_to_tell(first):
    alone = comparison(task("a", {"paired-kernel-shap": 1.0, "leverage-shap": 0.5}))
    assert further(first, []) is None
    assert further(first, [alone]) is None
    assert further(first, [comparison()]) is None
    nobody = comparison(task("c", {"paired-kernel-shap": 1.0}))
    assert further(nobody, [alone]) is None


def test_the_sentence_names_where_it_errs_most():
    farthest = Further(
        "Auto", 13, 3, 9, 7, 1.0, 1.31, 0.8, 1.9, "Cancer, d = 15", 2000, "Odd Fourier"
    )
    begin = (
        "On 3 further tasks, on which 13 estimators ran, the median regret of Auto is 1, and its "
        "error is within 10% of the smallest in 7 of 9 combinations"
    )
    assert farthest.told == (
        f"{begin}. Its largest regret, with simultaneous limits, is 1.31 (0.800 to 1.90): Cancer, "
        "d = 15, 2,000 evaluations, where Odd Fourier errs least."
    )
    assert "regret is 1.31 (no limits): Cancer" in farthest._replace(low=None, high=None).told
    assert "is 1.31 (no upper limit): Cancer" in farthest._replace(high=1e9).told
    assert farthest._replace(worst=1.0).told == f"{begin}."
    assert "in all 9 combinations" in farthest._replace(near=9).told
    assert "in 1 of 1 combination" in farthest._replace(near=1, cells=1).told


def test_limits_of_few_explicands_are_none(first):
    short = worse(task("a", FEWER))
    short = dataclasses.replace(short, means=short.means.iloc[:, :5])
    farthest = further(first, [comparison(short)])
    assert farthest.low is farthest.high is None
    assert np.isfinite(farthest.worst)
