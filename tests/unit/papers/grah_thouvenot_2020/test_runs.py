"""The checks that rest on simulated runs or enumerated first steps, in true and false worlds."""

from math import comb, exp

import numpy as np
import pytest
from parts import part

from shapaudit.estimators.projections import project_intersection
from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_audit.audit.verdict import ClaimError
from shapaudit_audit.papers import registry
from shapaudit_papers.grah_thouvenot_2020.evidence.probability import (
    deviation_law as deviation_law_evidence,
)
from shapaudit_papers.grah_thouvenot_2020.evidence.probability.deviation import law_on_a_rare_game
from shapaudit_papers.grah_thouvenot_2020.evidence.rates import runs as runs_evidence
from shapaudit_papers.theory.constants import settings_of
from shapaudit_papers.theory.deviation_law import law_of_one_step, worst_level

ALPHA = 0.05
SMALL = Settings(simulated_explicands=2, repetitions=400, iterations=25)


@pytest.fixture(scope="module")
def context():
    tables = np.random.default_rng(0).normal(size=(3, 32))
    return Context("tiny", 3, (StudyGame.from_tables("random", tables),), SMALL)


def judge(claim_id, world):
    return part(claim_id).judge(world, ALPHA)


def errors_world(errors, bound=1.0, ceiling=4.0):
    record = {"name": "made up, explicand 1", "game": "made up", "explicand": 1, "time": 10}
    return {
        "series": [record | {"errors": errors, "ceiling": ceiling, "bound": bound}],
        "rule": "inverse",
    }


@pytest.mark.parametrize("claim_id", ["ball.gather_inverse", "gather_constant"])
def test_mean_below_and_above_its_bound(claim_id):
    rng = np.random.default_rng(0)
    rule = {"rule": "constant"} if claim_id == "gather_constant" else {}
    low = judge(claim_id, errors_world(rng.uniform(0, 0.5, size=500)) | rule)
    assert (low.status, low.numbers["bounds_above_squared_diameter"]) == ("proved", 0)
    high = judge(claim_id, errors_world(rng.uniform(0, 4.0, size=500)) | rule)
    assert high.status == "refuted"
    few = judge(claim_id, errors_world(rng.uniform(0, 0.5, size=8)) | rule)
    assert (few.status, "In 0 of 1 comparisons" in few.summary) == ("proved", True)
    trivial = judge(claim_id, errors_world(rng.uniform(0, 4.0, size=8), bound=4.0) | rule)
    assert (trivial.status, trivial.shown_by) == ("proved", "prop:rates")
    with pytest.raises(ClaimError, match="no simulated runs"):
        judge(claim_id, {"series": [], "rule": "inverse"})


@pytest.mark.parametrize("claim_id", ["ball.gather_inverse", "gather_constant"])
def test_rates_on_k_in_our_world(claim_id, context):
    claim = part(claim_id)
    verdict = claim.judge(claim.gather(context), ALPHA)
    assert verdict.status == "proved"
    assert len(verdict.limits) == len(verdict.rows) == 6


def markov_world(exceedances, bound, count=400):
    row = {
        "game": "made up",
        "explicand": 1,
        "rule": "inverse",
        "steps": 10,
        "epsilon_over_c2": 0.1,
    }
    row |= {"exceedances": exceedances, "runs": count, "bound": bound, "informative_from": 20}
    experiment = {"players": 3, "steps": 10, "start": 2.0}
    experiment |= {"inverse": 3.0, "square_root": 4.0, "constant": 5.0}
    return {"rows": [row], "experiments": [experiment]}


@pytest.mark.parametrize(
    ("exceedances", "bound", "status"),
    [
        (10, 0.2, "supported"),
        (200, 0.2, "refuted"),
        (80, 0.2, "inconclusive"),
        (400, 1.0, "vacuous"),
        (0, 7.0, "vacuous"),
    ],
)
def test_exceedances_against_markov(exceedances, bound, status):
    world = markov_world(exceedances, bound)
    assert judge("gt20-10b", world).status == status
    # On K the report proves the bounds: runs may contradict them, and need not support them.
    on_ball = judge("gt20-10a", world)
    assert on_ball.status == ("refuted" if status == "refuted" else "proved")
    assert on_ball.setting.status == "vacuous"


def test_one_informative_bound_is_not_vacuous():
    informative = markov_world(1, 0.5)
    world = {**informative, "rows": markov_world(400, 3.0)["rows"] + informative["rows"]}
    verdict = judge("gt20-10b", world)
    assert (verdict.status, verdict.numbers["informative"]) == ("supported", 1)
    with pytest.raises(ClaimError, match="no simulated runs"):
        judge("gt20-10a", {**informative, "rows": []})


def test_bounds_in_the_experiments_are_held_against_the_start(context):
    world = markov_world(0, 0.2)
    world["experiments"][0]["square_root"] = 1.9
    assert judge("gt20-10a", world).setting.status == "supported"
    experiments = registry()["gt20-10a"].gather(context)["experiments"]
    assert [(experiment["players"], experiment["steps"]) for experiment in experiments] == [
        (16, 32_000),
        (300, 60_000),
    ]
    # 4 kappa^2/T with kappa = 2 sum d (sqrt(l) D + 1)/(sqrt(l) (d - l)), D = 4, d = 16.
    half = sum(16 * (4 + size**-0.5) / (16 - size) for size in range(1, 16))
    assert experiments[0]["inverse"] == pytest.approx(16 * half**2 / 32_000)
    assert judge("gt20-10a", {**world, "experiments": experiments}).setting.status == "vacuous"


def test_levels_and_bounds_of_the_runs(context):
    world = registry()["gt20-10a"].gather(context)
    assert {row["rule"] for row in world["rows"]} == set(runs_evidence.RULES)
    for row in world["rows"]:
        assert row["bound_sharper"] < row["bound"] < row["bound_printed_kappa"]
    inverse = [row for row in world["rows"] if row["rule"] == "inverse"]
    for row in inverse:
        first = row["informative_from"]
        assert row["bound"] * row["steps"] / first <= 1 < row["bound"] * row["steps"] / (first - 1)


def test_bound_of_the_constant_step_may_never_inform(context):
    rows = registry()["gt20-10a"].gather(context)["rows"]
    never = [row for row in rows if row["informative_from"] == "never"]
    assert never
    assert all(row["rule"] == "constant" and row["bound"] > 1 for row in never)


def test_runs_are_shared_and_recorded_in_time(context):
    series = context.once(runs_evidence.simulated_runs)
    for rule, projection in runs_evidence.KINDS:
        of_kind = runs_evidence.runs_of(context, (rule,), projection)
        assert of_kind
        assert all(any(record is other for other in series) for record in of_kind)
    assert len(series) == 2 * len(runs_evidence.KINDS)
    for record in series:
        share = runs_evidence.KINDS[record["rule"], record["projection"]]
        assert record["times"] == [1, 5, 25]
        assert record["errors"].shape == (round(400 * share), 3)
    on_ball = [record for record in series if record["projection"] == "intersection"]
    assert all(record["errors"].max() <= record["setting"].ceiling for record in on_ball)
    without = next(record for record in series if record["projection"] == "hyperplane")
    assert without["errors"].max() > without["setting"].ceiling


def first_step_by_hand(game, truth, setting, step, rate):
    """Probability and squared error of every first draw, projected with `project_intersection`."""
    d = len(truth)
    sizes = importance_sizes(d, setting.radius / setting.bound)
    start = np.full(d, setting.total / d)
    law = []
    for index in range(1, (1 << d) - 1):
        x = np.array([index >> j & 1 for j in range(d)], dtype=float)
        size = int(x.sum())
        factor = 2 * (d - 1) / (size * (d - size) * sizes[size - 1])
        gradient = factor * (x @ start - game.values[index] + game.values[0]) * x
        moved = project_intersection(start - step * gradient, setting.total, setting.radius)
        error = np.square(start + rate * (moved - start) - truth).sum()
        law.append((sizes[size - 1] / comb(d, size), error))
    return np.array(law).T


@pytest.mark.parametrize("radius", ["public", "tight"])
def test_law_of_one_step_is_that_of_the_algorithm(radius, context):
    for game, truth in context.games[0].explicands():
        setting = dict(settings_of(game, truth))[radius]
        for step, rate in deviation_law_evidence.first_steps(setting).values():
            law = law_of_one_step(game.values, truth, setting, step, rate)
            expected = first_step_by_hand(game, truth, setting, step, rate)
            np.testing.assert_allclose(law, expected, rtol=1e-9)
            assert law[0].sum() == pytest.approx(1.0)


def test_worst_level_of_a_law():
    probabilities = np.array([0.89, 0.05, 0.05, 0.01])
    worst = worst_level(probabilities, np.array([0.0, 8.0, 8.0, 20.0]))
    assert (worst["mean"], worst["z"]) == (1.0, 20.0)
    assert worst["tail"] == pytest.approx(0.01)
    even = worst_level(np.array([0.5, 0.5]), np.array([1.0, 1.2]))
    assert (even["z"], even["tail"]) == (1.2, 0.5)


def test_laws_judged_by_their_tails():
    names = {"game": "made up", "explicand": 1, "rule": "inverse"}
    tail = 0.9 * 2 * exp(-4)  # at a = 2, z = 10 means
    held = [
        names | {"mean": 1.0, "z": 10.0, "tail": tail},
        names | {"mean": 1, "z": 1.5, "tail": 1},
    ]
    rare = {"players": 6, "outcomes": [(0.5, 1.0), (0.5, 1.2)]}
    assert judge("gt20-11b", {"laws": held, "rare": rare}).status == "inconclusive"
    broken = [*held, names | {"mean": 1.0, "z": 10.0, "tail": 1.2 * tail}]
    verdict = judge("gt20-11b", {"laws": broken, "rare": rare})
    assert (verdict.status, verdict.numbers["violations"]) == ("refuted", 1)
    wild = judge("gt20-11b", {"laws": held, "rare": law_on_a_rare_game()})
    assert wild.status == "refuted"
    assert "pays 1 to one coalition of half of them" in wild.summary
    with pytest.raises(ClaimError, match="two different values"):
        judge("gt20-11b", {"laws": [], "rare": rare})


def test_a_game_of_rare_value_breaks_the_inequality():
    values = np.zeros(64)
    values[0b000111] = 1.0
    rare = Context("rare", 1, (StudyGame.from_tables("rare", values[None]),), SMALL)
    claim = registry()["gt20-11b"]
    evidence = claim.gather(rare)
    even = {"players": 6, "outcomes": [(1.0, 1.0)]}
    assert claim.judge(evidence | {"rare": even}, ALPHA).status == "refuted"
    additive = np.array([bin(index).count("1") for index in range(64)], dtype=float)
    tame = Context("tame", 1, (StudyGame.from_tables("tame", additive[None] ** 1.5),), SMALL)
    assert claim.judge(claim.gather(tame) | {"rare": even}, ALPHA).status == "inconclusive"
