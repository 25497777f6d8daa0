"""The checks of the deviation inequality and of Dykstra's algorithm, in true and false worlds."""

from math import comb

import numpy as np
import pytest
from parts import part

from shapaudit.games import TabularGame
from shapaudit.samplers.gradients import strong_convexity
from shapaudit.statistics import limits
from shapaudit.truth import TruthError
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.papers import registry
from shapaudit_papers.grah_thouvenot_2020.claims.probability.deviation_law import worst_of
from shapaudit_papers.grah_thouvenot_2020.evidence.algorithms.dykstra_accuracy import (
    before_projection,
)
from shapaudit_papers.grah_thouvenot_2020.evidence.experiments import intractable
from shapaudit_papers.grah_thouvenot_2020.evidence.probability.deviation import law_on_a_rare_game
from shapaudit_papers.theory.bounds import deviation_probability

ALPHA = 0.1


@pytest.fixture(scope="module")
def context():
    tables = np.random.default_rng(0).normal(size=(2, 32))
    settings = Settings(random_points=80, simulated_explicands=2, repetitions=400, iterations=30)
    return Context("tiny", 3, (StudyGame.from_tables("random", tables),), settings)


def judge(claim_id, evidence, alpha=ALPHA):
    return part(claim_id).judge(evidence, alpha)


def world_of_runs(draw, rng, grid=(2.0,), runs=400, series=1):
    made = [
        {"game": "made up", "explicand": k + 1, "rule": "inverse", "printed_bound": 100.0}
        | {"calibration": draw(rng, runs // 4), "counted": draw(rng, runs - runs // 4)}
        for k in range(series)
    ]
    return {"series": made, "grid": grid, "iterations": 1}


def exponential(rng, size):
    return rng.exponential(size=size)


def two_point(value, probability):
    """Mean 1: ``value`` with the given probability, a constant otherwise."""
    rest = (1 - value * probability) / (1 - probability)

    def draw(rng, size):
        return np.where(rng.random(size) < probability, value, rest)

    return draw


def test_light_tail_is_supported_and_heavy_tail_refuted():
    rng = np.random.default_rng(0)
    light = judge("gt20-11d", world_of_runs(exponential, rng, series=3))
    assert light.status == "supported"
    assert len(light.limits) == 3
    heavy = judge("gt20-11d", world_of_runs(two_point(18.0, 0.05), rng, runs=4000))
    assert heavy.status == "refuted"
    assert heavy.rows[0]["exceedance_low"] > heavy.rows[0]["bound"]


def test_one_series_in_many_refutes():
    rng = np.random.default_rng(1)
    world = world_of_runs(exponential, rng, runs=4000, series=4)
    world["series"] += world_of_runs(two_point(18.0, 0.05), rng, runs=4000)["series"]
    verdict = judge("gt20-11d", world)
    assert verdict.status == "refuted"
    assert verdict.numbers["series_with_violations"] == 1


def test_a_single_run_far_out_is_told_at_a_level_beyond_the_claim():
    rng = np.random.default_rng(2)
    world = world_of_runs(exponential, rng, grid=(1.75, 8.0), runs=2000)
    assert judge("gt20-11d", world).status == "supported"
    world["series"][0]["counted"][7] = 60.0
    verdict = judge("gt20-11d", world)
    assert (verdict.status, verdict.numbers["violations_beyond"]) == ("supported", 1)
    assert "broken significantly in 1 comparisons" in verdict.summary


def test_few_runs_decide_nothing():
    rng = np.random.default_rng(3)
    short = judge("gt20-11d", world_of_runs(exponential, rng, runs=60))
    assert short.status == "inconclusive"
    assert "runs per series" in short.summary
    near = two_point(10.5, 0.9 * deviation_probability(2.0))
    assert judge("gt20-11d", world_of_runs(near, rng)).status == "inconclusive"


@pytest.mark.parametrize(
    ("excess", "wrong"), [(1.0, "refuted"), (1.0001, "supported")], ids=["true", "false"]
)
def test_error_rate_at_the_edge_of_the_claim(excess, wrong, monkeypatch):
    # The probability of exceedance is that of the bound, or a hair more: the hardest true world
    # and the hardest false one. The value lies far above the level, so that the limits of the
    # mean hardly matter.
    monkeypatch.setattr(limits, "RESAMPLES", 499)
    rng = np.random.default_rng(4)
    edge = two_point(15.0, excess * deviation_probability(2.0))
    repeats = 200
    verdicts = [judge("gt20-11d", world_of_runs(edge, rng)).status for _ in range(repeats)]
    rate = verdicts.count(wrong) / repeats
    assert rate <= ALPHA + 3 * (ALPHA * (1 - ALPHA) / repeats) ** 0.5


def test_simulated_errors_shrink_with_the_iterations(context):
    longer = Context("tiny", 3, context.games, Settings(repetitions=400, iterations=300))
    gather = registry()["gt20-11d"].gather
    means = [
        np.mean(
            [
                record["counted"].mean()
                for record in gather(c)["series"]
                if record["rule"] == "inverse"
            ]
        )
        for c in (context, longer)
    ]
    assert means[1] < means[0] / 3


def test_laws_within_the_bound_are_supported():
    tame = {"a": 2.0, "outcomes": [(0.999, 0.5), (0.001, 20.0)]}
    world = {"laws": [tame], "crossing": 1.7, "vacuous": 0.8}
    assert judge("gt20-11a", world).status == "supported"
    wild = {"a": 2.0, "outcomes": [(0.9, 0.0), (0.1, 10.0)]}
    assert judge("gt20-11a", {**world, "laws": [tame, wild]}).status == "refuted"
    # A = 0 and Z = 0: the probability is 1, above the bound as soon as that is not vacuous.
    vacuous = judge("gt20-11a", registry()["gt20-11a"].gather(None)).numbers["vacuous_below"]
    nothing = [{"a": vacuous * far, "outcomes": [(1.0, 0.0)]} for far in (0.99, 1.01)]
    statuses = [judge("gt20-11a", {**world, "laws": [law]}).status for law in nothing]
    assert statuses == ["supported", "refuted"]


def test_law_of_one_step_is_a_distribution_with_two_values():
    probabilities, errors = np.array(law_on_a_rare_game()["outcomes"]).T
    assert probabilities.sum() == pytest.approx(1.0)
    assert len(np.unique(errors.round(12))) == 2


def test_law_of_one_step_is_that_worked_out_by_hand():
    """Only the rewarded half of six players moves: to the rim of the ball, by 2/3 on average."""
    outcomes = law_on_a_rare_game()["outcomes"]
    truth = 1 / 60  # of the members; the others have as much less
    still, moved = 6 * truth**2, 6 * (2 / 3 - truth) ** 2
    errors = sorted(error for _, error in outcomes)
    np.testing.assert_allclose(errors, [still] * 61 + [moved])
    assert sum(p for p, _ in outcomes) == pytest.approx(1)


def test_one_step_judged_by_its_law():
    assert worst_of([(0.5, 1.0), (0.5, 1.2)]) == {}
    worst = worst_of([(0.99, 0.0), (0.01, 1.0)])
    assert (worst["mean"], worst["z"], worst["tail"]) == (0.01, 1.0, 0.01)


def stop(error, capped=False, phi=(1.0, 2.0)):
    outcome = {"returned": np.zeros(2), "passes": 2, "capped": capped, "error": error}
    return {"phi": np.array(phi), "total": 1.0, "radius": 1.0, "tolerance": 0.0} | outcome


def test_stop_judged_by_its_error_before_the_cap():
    assert judge("gt20-14a", {"trials": [stop(1e-9)]}).status == "supported"
    assert judge("gt20-14a", {"trials": [stop(0.5, capped=True)]}).status == "supported"
    verdict = judge("gt20-14a", {"trials": [stop(0.1, phi=range(5)), stop(0.2)]})
    assert verdict.status == "refuted"
    assert r"$\phi$ = (1, 2)" in verdict.summary


def test_counterexample_is_the_one_worked_out_by_hand(context):
    trial = registry()["gt20-14a"].gather(context)["trials"][0]
    assert trial["tolerance"] == 0
    assert trial["passes"] == 2
    assert trial["returned"].tolist() == [5, -2]


def test_accuracy_judged_by_the_largest_error_and_the_empty_set(context):
    evidence = registry()["gt20-14b"].gather(context)
    near = [{**trial, "error": 1e-9} for trial in evidence["trials"]]
    inside = evidence["empty"] | {"distance_to_ball": 0.0, "distance_to_hyperplane": 0.0}
    assert judge("gt20-14b", {"trials": near, "empty": inside}).status == "supported"
    far = [*near, {**near[0], "error": 0.1, "capped": True}]
    verdict = judge("gt20-14b", {"trials": far, "empty": inside})
    assert verdict.status == "refuted"
    assert verdict.numbers["wrong"] == 1
    outside = judge("gt20-14b", {"trials": near, "empty": evidence["empty"]})
    assert outside.status == "refuted"
    assert "returns, without a warning" in outside.summary
    assert judge("gt20-14b", {"trials": near, "empty": inside | {"distance_to_hyperplane": 1.0}})


def test_the_first_step_of_a_path_goes_down_the_gradient():
    """On average over coalitions, by the gradient of the sum of all weighted squares."""
    d, values = 4, np.random.default_rng(2).normal(size=16) * 3
    values[0] = 0
    rows = np.arange(16)[:, None] >> np.arange(d) & 1
    start, gradient = np.full(d, values[-1] / d), np.zeros(d)
    for row, value in zip(rows[1:-1], values[1:-1], strict=True):
        size = row.sum()
        weight = (d - 1) / (comb(d, size) * size * (d - size))
        gradient += 2 * weight * (row @ start - value) * row
    step = 1 / strong_convexity(d)  # 2 / (mu (t + 1)) at t = 1
    moves = [
        before_projection(TabularGame(values), 2.0, 1.0, "inverse", np.random.default_rng(s))[0]
        for s in range(2000)
    ]
    steps = (start - np.array(moves)) / step
    z = (steps.mean(axis=0) - gradient) / (steps.std(axis=0, ddof=1) / 2000**0.5)
    assert np.abs(z).max() < 4
    assert np.abs(gradient / (steps.std(axis=0, ddof=1) / 2000**0.5)).max() > 12


def test_path_starts_as_projected_sgd_does():
    game = TabularGame(np.random.default_rng(0).normal(size=16))
    points = before_projection(game, 5.0, 2.5, "inverse", np.random.default_rng(1))
    # The first step leaves the equal split along one coalition only.
    moved = points[0] - (game.values[-1] - game.values[0]) / 4
    assert len(np.unique(moved.round(12))) == 2


def observed(claim_id, context, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(context, **world), ALPHA)


def test_each_index_is_one_fault(context):
    verdict = observed("gather_indices", context)
    assert (verdict.status, verdict.numbers["wrong"]) == ("inconsistent", 3)
    assert "in pass 2" in verdict.summary
    mended = {"assigned": lambda k: k + 1, "first": 1, "factor": "rho"}
    for key, value in mended.items():
        assert observed("gather_indices", context, **{key: value}).numbers["wrong"] == 2
    assert observed("gather_indices", context, **mended).status == "exact"


def test_walks_of_an_orbit_are_stratified_and_one_variance_does_not_tell_the_strata(context):
    verdict = observed("gt20-16d", context)
    assert (verdict.status, verdict.consequence) == ("exact", "loosely")
    still = observed("gt20-16d", context, shifts=lambda d: [tuple(range(d))] * d)
    assert still.status == "refuted"
    alike = observed("gt20-16d", context, contributions=(((2,), (3, 3), (-5,)),) * 2)
    assert (alike.status, alike.consequence) == ("exact", "stands")
    assert "do not tell more" not in alike.summary


def test_values_of_300_players_are_certified(context):
    verdict = observed("gt20-23", context)
    assert (verdict.status, verdict.consequence) == ("refuted", "slip")
    assert all(row["bound"] < 1e-3 < row["reference"] for row in verdict.rows)

    def out_of_reach(game):
        raise TruthError("out of reach")

    assert observed("gt20-23", context, method=out_of_reach).status == "inconclusive"
    loose = registry()["gt20-23"].gather(context)
    loose["rows"][0]["bound"] = 1.0
    assert judge("gt20-23", loose).status == "inconclusive"


def test_the_reference_of_the_paper_errs_as_its_walks_do(context):
    """Its error is that of 5,000 walks: the root of the variance of a walk over that."""
    game = intractable.two_rows(np.random.default_rng(0))
    assert game(np.zeros((1, 300), dtype=bool))[0] == 0
    walks = game.walk(np.random.default_rng(1).permuted(np.tile(np.arange(300), (4000, 1)), axis=1))
    expected = np.sqrt(walks.var(axis=0, ddof=1).sum() / 5_000)
    rows = registry()["gt20-23"].gather(context)["rows"]
    assert np.mean([row["reference"] for row in rows]) == pytest.approx(expected, rel=0.3)
