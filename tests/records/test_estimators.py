"""What every estimator of the contract finds on games of several sizes, with its own errors."""

import numpy as np
import pytest

from contract.test_estimators import ESTIMATORS, random_game
from recorded import compare, outcome
from shapaudit.estimators import (
    AnytimeEstimator,
    convergence,
    create,
    projections,
    risk,
    strata,
    walsh,
)
from shapaudit.estimators.fits import boosting, unanimity
from shapaudit.estimators.many_runs import many_runs
from shapaudit.estimators.sgd import ProjectedSGD, default_rule
from shapaudit.games import CountedGame, PairwiseGame, TabularGame, tabulate
from shapaudit.samplers import random_games

TABLES = [("few", random_game(7, 3), 70), ("more", random_game(9, 4), 300)]


def many(d=40):
    """Players who act alone and in pairs."""
    rng = np.random.default_rng(6)
    interactions = np.triu(rng.normal(size=(d, d)) * (rng.random((d, d)) < 0.05), 1)
    return PairwiseGame(rng.normal(size=d), interactions + interactions.T)


@pytest.mark.parametrize(
    "number", range(len(ESTIMATORS)), ids=[str(estimator) for estimator in ESTIMATORS]
)
def test_estimates(number):
    estimator, estimates = ESTIMATORS[number], {}
    for name, game, budget in [*TABLES, ("many", many(), 900)]:
        counted = CountedGame(game)
        try:
            estimate = estimator.estimate(counted, budget, np.random.default_rng(1))
        except ValueError as error:  # too few evaluations for it, or too many players
            estimates[name] = str(error)
            continue
        estimates[name] = {
            "values": estimate.values,
            "errors": estimate.standard_errors,
            "evaluations": counted.evaluations,
        }
    compare("estimators", {f"{number} {estimator}": estimates})


def kept(estimate):
    return estimate.values, estimate.standard_errors, estimate.evaluations


@pytest.mark.parametrize(
    "number", range(len(ESTIMATORS)), ids=[str(estimator) for estimator in ESTIMATORS]
)
def test_small_budgets(number):
    """At the least budget, around it, and where all coalitions can be paid."""
    estimator, estimates = ESTIMATORS[number], {}
    estimates["card"] = [str(part) for part in vars(estimator.card).values()]
    two_stages = getattr(estimator, "allocation", "") in ("variance", "deviation")
    for d in (1, 2, 3, 5):
        game, least = random_game(d, d), estimator.minimum_budget(d)
        estimates[f"least {d}"] = (least, estimator.exact_budget(d))
        for budget in sorted({least - 1, least, least + 1, least + 6, (1 << d) + 1}):
            if d == 2 and budget == least + 6 and two_stages:
                continue  # of two equal spreads rounding decides which gets the odd draw
            estimate = outcome(estimator.estimate, game, budget, np.random.default_rng(2))
            estimates[f"{budget} of {d}"] = (
                estimate if isinstance(estimate, str) else kept(estimate)
            )
    compare("estimators", {f"small {number} {estimator}": estimates})


ANYTIME = [
    number for number, estimator in enumerate(ESTIMATORS) if isinstance(estimator, AnytimeEstimator)
]


@pytest.mark.parametrize("number", ANYTIME, ids=[str(ESTIMATORS[number]) for number in ANYTIME])
def test_checkpoints(number):
    estimator, game = ESTIMATORS[number], random_game(6, 8)
    least = estimator.minimum_budget(6)
    paths = {}
    for name, checkpoints in (
        ("three", [least, least + 9, least + 40]),
        ("twice", [least + 5, least + 5]),
        ("none", []),
        ("falling", [least + 9, least]),
        ("too few", [least - 1, least + 9]),
    ):
        path = outcome(estimator.trajectory, game, checkpoints, np.random.default_rng(2))
        paths[name] = path if isinstance(path, str) else [kept(part) for part in path]
    compare("estimators", {f"checkpoints {number} {estimator}": paths})


@pytest.mark.parametrize("projection", ["hyperplane", "intersection", "ball"])
@pytest.mark.parametrize("paired", [False, True])
def test_many_runs_at_once(projection, paired):
    sgd = ProjectedSGD(projection=projection, paired=paired, batch=2, bound=2.0)
    runs = outcome(many_runs, sgd, random_game(5), [10, 30, 50], 4, np.random.default_rng(2))
    compare("estimators", {f"many runs {projection} {paired}": runs})


def test_steps_of_descents():
    steps, t = {}, np.arange(1, 6)
    for step in ("constant", "inverse-sqrt", "inverse", "radius", "contracting"):
        for sampling in ("importance", "uniform", "projected"):
            sgd = ProjectedSGD(step=step, sampling=sampling, scale=0.7)
            steps[f"{step} {sampling}"] = (sgd.step_sizes(6, t), sgd.size_law(6))
    for average in ("last", "uniform", "weighted"):
        steps[average] = ProjectedSGD(average=average).averaging_rates(t)
    for number, given in enumerate(
        ({"scale": 0.0}, {"batch": 0}, {"bound": 0.0}, {"ratio": 0.0}, {"ratio": 2.0, "batch": 3})
    ):
        made = outcome(ProjectedSGD, **given)
        steps[f"made {number}"] = made if isinstance(made, str) else made.radius_ratio(4)
    steps["default"] = default_rule()
    compare("estimators", {f"descent: {key}": value for key, value in steps.items()})


def test_projections():
    rng, projected = np.random.default_rng(3), {}
    for d in (1, 2, 7):
        for total, radius in ((0.5, 1.0), (0.5, 9.0), (3.0, 1.2), (-1.0, 1.0)):
            phi = rng.normal(size=d)
            point = outcome(projections.project_intersection, phi, total, radius)
            projected[f"{d} {total} {radius}"] = (
                projections.project_hyperplane(phi, total),
                projections.project_ball(phi, radius),
                point,
                *([] if isinstance(point, str) else projections.dykstra(phi, total, radius)),
                projections.dykstra(phi, total, 0.8 * radius, 3, 0.0),
            )
    compare("estimators", {"projections": projected})


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_boosted_trees(depth):
    rng = np.random.default_rng(depth)
    bits = (rng.random((70, 5)) < 0.5).astype(np.uint8)
    target = bits @ rng.normal(size=5) + rng.normal(size=70)
    grown = boosting.boost(bits, target, 4, depth, 0.3)
    compare("estimators", {f"boosted {depth}": {"parts": list(grown)}})


@pytest.mark.parametrize("d", [3, 6, 9])
def test_regressions_on_products(d):
    rng = np.random.default_rng(d)
    coalitions = rng.random((30, d)) < 0.5
    signs = 2.0 * coalitions - 1.0
    results = {f"sets {k}": walsh.sets_of_order(k, d) for k in range(4)}
    table = rng.normal(size=1 << d)
    results["before"] = table.copy()
    walsh.transform(table)
    results["after"] = table
    results["gathered"] = walsh.gather(table, *2 * [np.array([0, 3, 5, 6])])
    results["covariance"] = unanimity.alike_covariances(signs, signs[:4])[1]
    results["values"] = unanimity.unanimity_shapley(signs, rng.normal(size=30))
    compare("estimators", {f"products of {d}": results})


@pytest.mark.parametrize("d", [1, 2, 3, 8])
def test_strata_of_coalitions(d):
    game, rng = random_game(d), np.random.default_rng(1)
    parts = {"cost": strata.border_cost(d), "border": strata.border_values(game)}
    parts["covers"] = [strata.cover(d, size, rng) for size in range(1, d + 1)]
    own = strata.Strata(np.arange(d) / 10, np.array([0.25, 0.75]))
    for count in (1, 40):
        drawn = rng.random((count, d)) < 0.5
        own.add(drawn, rng.integers(2, size=count), rng.normal(size=count))
        parts[f"after {count}"] = (kept(own.estimate(count)), own.counts)
    parts["variances"] = own.variances()
    compare("estimators", {f"strata of {d}": parts})


def test_risks():
    lifts = np.random.default_rng(0).normal(size=(40, 3)) @ np.diag([1.0, 2.0, 0.5])
    moments = risk.LiftMoments(3)
    for first, last in ((0, 7), (7, 8), (8, 40)):
        moments.update(lifts[first:last])
    risks = {"risk": risk.gaussian_risk(moments, np.random.default_rng(3))}
    risks["norm"] = risk.norm_risk(moments, np.random.default_rng(3))
    risks["replicates"] = risk.replicate_risk(np.array([1.0, 2.0]), 4)
    compare("estimators", {"risks": risks})


STRUCTURED = {
    "alone": (random_games.two_additive_table, 6, 40),
    "threshold": (random_games.KINDS["threshold"], 8, 120),
    "product": (random_games.KINDS["product"], 9, 90),
    "sparse": (lambda d, rng: tabulate(random_games.sparse_game(d, rng)).values, 11, 260),
}
SURROGATES = [
    number
    for number, estimator in enumerate(ESTIMATORS)
    if estimator.card.family in ("surrogate", "least squares")
]


@pytest.mark.parametrize("number", SURROGATES, ids=[str(ESTIMATORS[k]) for k in SURROGATES])
@pytest.mark.parametrize("kind", STRUCTURED)
def test_surrogates_of_structured_games(number, kind):
    make, d, budget = STRUCTURED[kind]
    game = TabularGame(make(d, np.random.default_rng(7)))
    estimate = outcome(ESTIMATORS[number].estimate, game, budget, np.random.default_rng(3))
    parts = estimate if isinstance(estimate, str) else kept(estimate)
    compare("estimators", {f"{kind} {number} {ESTIMATORS[number]}": {"found": parts}})


def test_looks_at_the_errors():
    """When a run looks, how wide its limits are then, and where it stops."""
    looks = {}
    for first, last in ((2, 2), (2, 3), (2, 40), (32, 31), (32, 500)):
        counts = convergence.look_after(first, last)
        limits = [convergence.quantiles(counts, d, first) for d in (1, 5)]
        looks[f"{first} to {last}"] = (counts, *limits)
    for alias in ("antithetic-monte-carlo", "unbiased-kernel-shap", "c-shapley"):
        for tolerance, budget, first in ((0.5, 900, 32), (1e-9, 200, 2), (9.0, 900, 2), (0, 90, 2)):
            given = (
                create(alias),
                random_game(5),
                tolerance,
                budget,
                np.random.default_rng(3),
                first,
            )
            answer = outcome(convergence.estimate_until, *given)
            stopped = isinstance(answer, convergence.Convergence)
            told = (
                (answer.converged, answer.half_width, answer.checks, *kept(answer.estimate))
                if stopped
                else answer
            )
            looks[f"{alias} {tolerance} {first}"] = told
    compare("estimators", {"looks": looks})
