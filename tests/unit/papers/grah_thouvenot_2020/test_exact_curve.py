"""The check of simulated runs against the exact curve, in true and false worlds."""

import numpy as np
import pytest
from scipy import stats

from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.verdict import ClaimError
from shapaudit_papers.grah_thouvenot_2020.claims.rates import exact_curve
from shapaudit_papers.grah_thouvenot_2020.evidence.rates import exact_curve as exact_curve_evidence

ALPHA = 0.05
SMALL = Settings(simulated_explicands=2, repetitions=1500, iterations=30)


def context_of(seed, settings=SMALL):
    tables = np.random.default_rng(0).normal(size=(3, 32))
    return Context("tiny", seed, (StudyGame.from_tables("random", tables),), settings)


@pytest.fixture(scope="module")
def evidence():
    return exact_curve.gather(context_of(3))


def scaled(world, factor, rule=None):
    series = [
        {**record, "exact": record["exact"] * (factor if rule in (None, record["rule"]) else 1.0)}
        for record in world["series"]
    ]
    return {"series": series}


def test_runs_fall_on_the_curve_in_our_world(evidence):
    verdict = exact_curve.check(evidence, ALPHA)
    assert verdict.status == "supported"
    assert verdict.numbers["outside"] == 0
    assert len(verdict.rows) == verdict.numbers["comparisons"]
    assert len(verdict.limits) == len(exact_curve_evidence.RULES)
    for row in verdict.rows:
        assert row["low"] <= row["mean"] <= row["high"]
        assert (row["bound"] == exact_curve.NO_BOUND) == (row["rule"] == "contracting")


@pytest.mark.parametrize("rule", exact_curve_evidence.RULES)
@pytest.mark.parametrize("factor", [0.7, 1.4])
def test_another_curve_is_refuted(rule, factor, evidence):
    verdict = exact_curve.check(scaled(evidence, factor, rule), ALPHA)
    assert verdict.status == "refuted"
    assert f"{rule} step" in verdict.summary


@pytest.mark.parametrize("rule", exact_curve_evidence.RULES)
def test_another_step_is_refuted(rule):
    right = exact_curve_evidence.RULES[rule]
    scale = 1.5 * right.params.get("scale", 1.0)
    wrong = right._replace(params={**right.params, "scale": scale})
    for rules, status in (({rule: right}, "supported"), ({rule: wrong}, "refuted")):
        world = exact_curve.gather(context_of(5), rules)
        assert exact_curve.check(world, ALPHA).status == status


def test_runs_without_error_fall_on_a_curve_without_error():
    rows = [{"low": 0.0, "exact": 0.0, "high": 0.0}, {"low": 0.0, "exact": 0.0, "high": 1.0}]
    rows += [{"low": 1.0, "exact": 1.0, "high": 2.0}, {"low": 0.5, "exact": 1.0, "high": 1.0}]
    assert not any(map(exact_curve._outside, rows))
    assert exact_curve._outside({"low": 1.001, "exact": 1.0, "high": 2.0})
    assert exact_curve._outside({"low": 0.5, "exact": 1.0, "high": 0.999})


def test_few_runs_are_inconclusive(evidence):
    few = [{**record, "errors": record["errors"][:6]} for record in evidence["series"]]
    assert exact_curve.check({"series": few}, ALPHA).status == "inconclusive"
    with pytest.raises(ClaimError, match="two different values"):
        exact_curve.check({"series": []}, ALPHA)


def test_a_constant_game_makes_no_series():
    flat = Context("flat", 1, (StudyGame.from_tables("flat", np.ones((2, 8))),), SMALL)
    assert exact_curve.gather(flat) == {"series": []}


def test_the_check_refutes_the_truth_no_more_often_than_alpha():
    alpha, repetitions = 0.2, 200
    rules = {
        "contracting": exact_curve_evidence.RULES["contracting"]._replace(length=1.0, share=0.5)
    }
    settings = Settings(simulated_explicands=1, repetitions=80, iterations=30)
    refuted = {1.0: 0, 1.5: 0}
    for seed in range(repetitions):
        world = exact_curve.gather(context_of(seed, settings), rules)
        for factor in refuted:
            verdict = exact_curve.check(scaled(world, factor), alpha)
            refuted[factor] += verdict.status == "refuted"
    # Exact limits at four standard deviations; a false curve is found out nearly always.
    assert refuted[1.0] <= stats.binom.isf(3e-5, repetitions, alpha)
    assert refuted[1.5] >= stats.binom.ppf(3e-5, repetitions, 0.98)
