"""The checks of the rates, of stability and of usefulness, in true and false worlds."""

from fractions import Fraction
from math import comb, exp, log1p

import numpy as np
import pytest
from parts import part

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.evidence import Case
from shapaudit_audit.audit.verdict import ClaimError
from shapaudit_audit.papers import registry
from shapaudit_papers.grah_thouvenot_2020.evidence.constants import (
    usefulness as usefulness_evidence,
)
from shapaudit_papers.grah_thouvenot_2020.evidence.rates import settings as settings_evidence
from shapaudit_papers.grah_thouvenot_2020.evidence.rates.constant import constant_series
from shapaudit_papers.theory import constants, sharper
from shapaudit_papers.theory.gradients import exact_growth
from shapaudit_papers.theory.recursion import expected_squared_errors, inverse_steps
from shapaudit_papers.theory.sharper import uniform_sizes_rate

ALPHA = 0.05
SMALL = Settings(
    max_exact_dimension=12,
    brute_force_dimension=4,
    simulated_explicands=1,
    repetitions=80,
    iterations=20,
)


@pytest.fixture(scope="module")
def context():
    tables = np.random.default_rng(0).normal(size=(4, 64))
    return Context("tiny", 3, (StudyGame.from_tables("random", tables),), SMALL)


@pytest.fixture(scope="module")
def evidence(context):
    return {name: part(name).gather(context) for name in STATUS}


def judge(claim_id, world):
    return part(claim_id).judge(world, ALPHA)


STATUS = {
    "gather_path": "refuted",
    "gt20-06c": "refuted",
    "gt20-06d": "proved",
    "gather_rate": "proved",
    "gather_normalisation": "refuted",
    "gt20-08c": "proved",
    "gt20-13": "refuted",
}


@pytest.mark.parametrize(("claim_id", "status"), STATUS.items())
def test_verdict_in_our_world(claim_id, status, evidence):
    assert judge(claim_id, evidence[claim_id]).status == status


def test_path_within_its_bound_is_supported(evidence):
    path = evidence["gather_path"]
    assert path["gap"] > path["bound"]
    # One step earlier the bound still held: the path is the shortest of its kind.
    assert path["gap"] < path["bound"] * path["steps"] / (path["steps"] - 1)
    assert judge("gather_path", {**path, "gap": 0.9 * path["bound"]}).status == "supported"


@pytest.mark.parametrize("claim_id", ["gt20-06c", "gt20-06d", "gather_rate"])
def test_curves_judged_by_their_violations(claim_id, evidence):
    series = [
        {**record, "violated": 0, "ratios": [2.0] * len(record["steps"]), "smallest_ratio": 2.0}
        for record in evidence[claim_id]["series"]
    ]
    tame = [{**curve, "violated": 0} for curve in evidence[claim_id].get("constant", ())]
    held = judge(claim_id, {**evidence[claim_id], "series": series, "constant": tame})
    assert held.status == ("exact" if claim_id == "gt20-06c" else "proved")
    assert held.numbers["smallest_ratio"] == 2.0
    broken = [{**series[0], "violated": 1, "smallest_ratio": 0.5}, *series[1:]]
    verdict = judge(claim_id, {**evidence[claim_id], "series": broken})
    assert verdict.status == "refuted"
    assert verdict.numbers["series_with_violations"] == 1
    with pytest.raises(ClaimError, match="two different values"):
        judge(claim_id, {**evidence[claim_id], "series": []})


def test_comparison_finds_where_the_bound_fails():
    errors = np.array([9.0, 4.0, 3.0, 2.0, 1.0])
    bounds = np.array([np.inf, 8.0, 2.7, 1.0, 5.0])
    told = settings_evidence.compare(errors, bounds, 2.0)
    assert (told["violated"], told["first_violated"], told["last_violated"]) == (2, 2, 3)
    assert (told["smallest_ratio"], told["at"]) == (0.5, 3)
    assert (told["steps"], told["errors"], told["ratios"]) == ([1], [1.0], [2.0])


def test_curves_are_those_of_the_recursion(context, evidence):
    game, truth = next(iter(context.games[0].explicands()))
    setting = dict(constants.settings_of(game, truth))["tight"]
    sizes = importance_sizes(6, setting.radius / setting.bound)
    exact = expected_squared_errors(game.values, truth, sizes, inverse_steps(6, 10), "weighted")
    record = next(o for o in evidence["gt20-06c"]["series"] if o["radius"] == "tight")
    assert record["errors"][1] == pytest.approx(exact[10] / setting.bound**2)
    assert record["ratios"][1] * exact[10] == pytest.approx(4 * setting.kappa**2 / 10)


def test_a_constant_game_has_no_setting():
    flat = StudyGame.from_tables("flat", np.ones((1, 8)))
    assert list(constants.settings_of(*next(iter(flat.explicands())))) == []


def test_weights_that_sum_to_one_are_exact(evidence):
    world = evidence["gather_normalisation"]
    ones = {t: Fraction(1) for t in world["weights"]}
    assert judge("gather_normalisation", {**world, "weights": ones}).status == "exact"


def test_printed_sum_is_off_as_simulated(context, evidence):
    # At T = 1 the printed vector is phi_0 + phi_1; its exact error against all first draws.
    game, truth = next(iter(context.games[0].explicands()))
    row = next(
        r
        for r in evidence["gather_normalisation"]["rows"]
        if (r["steps"], r["radius"]) == (1, "public")
    )
    setting = dict(constants.settings_of(game, truth))["public"]
    start = np.full(6, setting.total / 6)
    sizes = importance_sizes(6, setting.radius / setting.bound)
    step = 2 * setting.radius / setting.gradient_bound
    expected, chance = 0.0, 0.0
    for index in range(1, 63):
        x = np.array([index >> j & 1 for j in range(6)], dtype=float)
        size = int(x.sum())
        p = sizes[size - 1] / comb(6, size)
        factor = 10 / (size * (6 - size) * sizes[size - 1])  # 2 w / p
        gradient = factor * (x @ start - game.values[index] + game.values[0]) * x
        after = start - step * (gradient - gradient.mean())
        expected += p * np.square(start + after - truth).sum()
        chance += p
    assert chance == pytest.approx(1.0)
    assert row["printed"] == pytest.approx(expected)


def test_constant_steps_judged_by_their_violations(evidence):
    world = evidence["gt20-06c"]
    series = world["constant"]
    assert {record["choice"] for record in series if record["violated"]} == {
        "twice the limit",
        "half of 1/mu",
    }
    held = [{**curve, "violated": 0} for curve in world["series"]]
    tame = [{**record, "violated": 0, "smallest_ratio": 3.0} for record in series]
    assert judge("gt20-06c", {**world, "series": held, "constant": tame}).status == "exact"
    broken = [{**tame[0], "violated": 2}, *tame[1:]]
    verdict = judge("gt20-06c", {**world, "series": held, "constant": broken})
    assert verdict.status == "refuted"
    assert verdict.numbers["violations_below_the_limit"] == 1
    assert "A constant step of" in verdict.summary


def test_steps_of_one_over_mu_and_more_are_left_out():
    # With two players the limit is 1/mu = 2 itself: twice the limit is no step of the claim.
    game = StudyGame.from_tables("two", np.array([[0.0, 0.3, -0.5, 1.0]]))
    series = constant_series(Context("two", 1, (game,), SMALL))
    assert [record["choice"] for record in series] == [
        "published",
        "half the limit",
        "half of 1/mu",
    ]
    assert all(record["limit"] == pytest.approx(2.0) for record in series)


def test_another_growth_is_found_out(context):
    def wrong(probabilities):
        return exact_growth(probabilities) + (len(probabilities) == 3)

    claim = registry()["gt20-08c"]
    verdict = claim.judge(claim.gather(context, growth=wrong), ALPHA)
    assert verdict.status == "refuted"
    assert "d = 4" in verdict.summary


def test_stability_judged_by_its_cases(evidence):
    odd = [*evidence["gt20-08c"]["cases"], Case("x", Fraction(1), Fraction(2))]
    assert judge("gt20-08c", {**evidence["gt20-08c"], "cases": odd}).status == "refuted"


def test_usefulness_judged_against_the_exact_values(evidence):
    world = evidence["gt20-13"]
    cheap = [{**row, "constant": row["exact"] / 2} for row in world["rows"]]
    assert judge("gt20-13", {**world, "rows": cheap}).status == "exact"
    verdict = judge("gt20-13", {**world, "rows": [*world["rows"][:8], *cheap[8:]]})
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    assert "Up to $d=3$ every bound" in verdict.summary
    assert "beyond $d=3$ some bound requires fewer" in verdict.summary


@pytest.mark.parametrize("d", [3, 16, 300])
def test_iterations_are_the_first_that_suffice(d):
    mean, radius, mu = 0.01, d**0.5, 1 - 1 / d
    k, b = constants.kappa(d, radius, 1.0), constants.gradient_bound(d, radius, 1.0)

    def constant(steps, share):
        step = share * mean * mu / b**2
        return exp(steps * log1p(-step * mu)) * radius**2 + share * mean

    def best_constant(steps):
        return min(constant(steps, share / 100) for share in range(1, 100))

    objective = sharper.start_objective_bound(d, 1.0, 1.0)
    cases = (
        (usefulness_evidence.inverse_iterations(d, radius, mean), lambda t: 4 * k**2 / t),
        (
            usefulness_evidence.square_root_iterations(d, radius, mean),
            lambda t: 4 * radius * k / t**0.5,
        ),
        (usefulness_evidence.constant_iterations(d, radius, mean), best_constant),
        (
            usefulness_evidence.sharper_iterations(d, mean),
            lambda t: uniform_sizes_rate(t, d, objective),
        ),
    )
    for steps, bound in cases:
        assert bound(1.001 * steps) < mean < bound(0.999 * steps)
