"""What samplers draw from their generators, and their laws and rules."""

from typing import get_args

import numpy as np
import pytest

from recorded import compare, outcome
from shapaudit.samplers import (
    allocation,
    coalitions,
    permutation_sets,
    permutations,
    quadrature,
    random_games,
    sizes,
    without_replacement,
)

PLAYERS = (2, 3, 4, 5, 7, 12)
SETS = ("single", "antithetic", "cyclic", "williams", "affine", "orthogonal")


def generator():
    return np.random.default_rng(9)


@pytest.mark.parametrize("name", SETS)
def test_sets_of_permutations(name):
    draw = getattr(permutation_sets, f"{name}_sets")
    compare("samplers", {f"{name} sets": {d: draw(3, d, generator()) for d in PLAYERS}})


@pytest.mark.parametrize(
    "draw", [permutation_sets.sobol_permutations, permutation_sets.permutohedron_permutations]
)
def test_permutations_of_low_discrepancy(draw):
    compare("samplers", {draw.__name__: {d: draw(8, d, 2, generator()) for d in PLAYERS}})


@pytest.mark.parametrize("law", ["binomial", "kernel", "projected_gradient", "leverage"])
def test_laws_of_sizes(law):
    compare("samplers", {law: {d: getattr(sizes, f"{law}_sizes")(d) for d in PLAYERS}})


def test_coalitions():
    drawn = coalitions.sample_sizes(sizes.leverage_sizes(9), 50, generator())
    draws = {"sizes": drawn, "subsets": coalitions.uniform_subsets(drawn, 9, generator())}
    draws["permutations"] = permutations.uniform_permutations(20, 9, generator())
    for size, count in ((1, 5), (3, 20), (4, 100), (4, 126)):
        draw = without_replacement.distinct_subsets
        draws[f"{count} of {size}"] = draw(size, count, 9, generator())
    draws["all"] = without_replacement.all_subsets(3, 8)
    compare("samplers", {"coalitions": draws})


@pytest.mark.parametrize("name", get_args(quadrature.RuleName))
def test_rules(name):
    rules = {}
    for levels in (1,) if name == "random" else (2, 3, 6):
        rule = quadrature.quadrature_rule(name, levels)
        counts = quadrature.counts_for(name, rule, 40, 2)
        rules[f"{levels}"] = [*rule, counts, quadrature.draw_levels(rule, counts, generator())]
    for draws, paired in ((40, False), (41, True), (7, False)):
        rules[f"{draws} {paired}"] = quadrature.levels_for(name, draws, paired, 2, 9)
    compare("samplers", {f"rule {name}": rules})


def test_allocations():
    rng = generator()
    variances, done = rng.gamma(1.0, size=8), rng.integers(2, 9, size=8)
    stage = allocation.StageSummary(rng.normal(size=8), done, variances)
    allocations = {
        rule: allocation.allocate(rule, stage, 90) for rule in get_args(allocation.Allocation)
    }
    allocations["filled"] = allocation.fill_up(variances, done, 100)
    allocations["rounded"] = allocation.round_to_total(variances * 20 / variances.sum(), 20)
    compare("samplers", {"allocations": allocations})


@pytest.mark.parametrize("kind", ["sparse_game", "threshold_game", "radial_game"])
def test_random_games(kind):
    values = {}
    for d in (4, 9):
        game = getattr(random_games, kind)(d, generator())
        values[d] = game(generator().random((30, d)) < 0.5)
    compare("samplers", {kind: values})


def test_random_tables():
    tables = {"two-additive": random_games.two_additive_table(6, generator())}
    tables |= {f"majority {d}": random_games.majority_table(d) for d in (4, 5)}
    tables |= {k: random_games.parity_table(6, k, generator()) for k in (1, 3)}
    compare("samplers", {"tables": tables})


@pytest.mark.parametrize("name", get_args(quadrature.RuleName))
@pytest.mark.parametrize("paired", [False, True])
def test_plans(name, paired):
    plans = {"least": [quadrature.least_draws(name, paired, None, k) for k in (1, 2, 3)]}
    for draws, d, levels in ((1, 5, None), (7, 4, None), (30, 9, None), (31, 9, 4), (12, 3, 5)):
        plans[f"{draws} of {d}, {levels}"] = outcome(
            quadrature.plan, name, draws, d, paired, levels
        )
    for levels in (0, 1, 2, 3, 4, 5):
        rule = outcome(
            quadrature.paired_rule if paired else quadrature.quadrature_rule, name, levels
        )
        plans[f"rule {levels}"] = rule
        if not isinstance(rule, str):
            plans[f"certain {levels}"] = rule.certain
            plans[f"least {levels}"] = quadrature.least_draws(name, paired, levels)
    for draws in (0, 1, 2, 3, 5, 8):
        per_level = [quadrature.levels_for(name, draws, paired, k, 7) for k in (1, 2, 3)]
        plans[f"levels {draws}"] = per_level
    compare("samplers", {f"plans {name} {paired}": plans})


def test_two_stages():
    rng = generator()
    variances, counts = rng.gamma(1.0, size=(2, 5)), rng.integers(1, 5, size=(2, 5))
    means = rng.normal(size=(2, 5))
    counts[1, 2] = 0
    variances[1, 3] = np.nan
    first, second = (allocation.StageSummary(means[k], counts[k], variances[k]) for k in (0, 1))
    pooled = allocation.pool(first, second)
    stages = {"pooled": (pooled.means, pooled.counts, pooled.variances)}
    stages["errors"] = (pooled.standard_errors(), first.standard_errors(), second.standard_errors())
    none, tiny = np.zeros(5), np.array([1e-300, 0, 2e-300, 1e-300, 0])
    for total in (0, 1, 7, 23):
        for name, weights in (("plain", variances[0]), ("none", none), ("tiny", tiny)):
            filled = allocation.fill_up(weights, counts[0], total)
            stages[f"{total} {name}"] = (filled, allocation.proportional(weights, total))
    compare("samplers", {"two stages": stages})


@pytest.mark.parametrize("name", random_games.KINDS)
def test_kinds_of_games(name):
    tables = [random_games.draw_varying(random_games.KINDS[name], d, generator()) for d in (4, 7)]
    compare("samplers", {f"kind {name}": tables})


def test_subsets_without_replacement():
    draws = {}
    for d in (3, 6, 30, 70):
        for size in {0, 1, 2, d // 2, d - 1, d}:
            for count in (0, 1, 3):
                drawn = without_replacement.distinct_subsets
                draws[f"{count} of {size} of {d}"] = outcome(drawn, size, count, d, generator())
    draws["all"] = [without_replacement.all_subsets(k, 5) for k in range(6)]
    draws["random"] = [
        coalitions.uniform_subsets(np.full(4, k), d, generator()) for d in (1, 6) for k in (0, 1, d)
    ]
    draws["orders"] = [permutations.uniform_permutations(3, d, generator()) for d in (1, 2, 9)]
    draws["sizes"] = coalitions.sample_sizes(np.array([0.5, 0, 0.5]), 9, generator())
    for size, count, d in ((3, 20, 9), (2, 3, 6), (4, 100, 13)):
        rng = generator()  # which tells by its next number how many it has given
        drawn = without_replacement.distinct_subsets(size, count, d, rng)
        draws[f"{count} of {size} of {d}, and next"] = (drawn, rng.random())
    compare("samplers", {f"subsets {key}": value for key, value in draws.items()})


@pytest.mark.parametrize("d", [1, 2, 3])
def test_few_players(d):
    results = {}
    for law in ("binomial", "kernel", "projected_gradient", "leverage"):
        results[law] = outcome(getattr(sizes, f"{law}_sizes"), d)
    for name in SETS:
        results[name] = outcome(getattr(permutation_sets, f"{name}_sets"), 2, d, generator())
    compare("samplers", {f"few players {d}": results})


def test_points_of_low_discrepancy():
    sets, results = permutation_sets, {}
    for count in (1, 2, 5, 8):
        rng = generator()
        points = sets.sobol_points(count, 3, 2, rng)
        results[f"points {count}"] = (points, sets.sphere_points(points), rng.random())
        results[f"one {count}"] = sets.sphere_points(points[..., :1])
    results["nearest"] = sets.nearest_permutations(generator().normal(size=(4, 5)))
    results["sizes"] = [
        [sets.set_size(name, d) for d in (1, 2, 3, 4, 9, 25)] for name in (*SETS, "")
    ]
    for d in (1, 2, 3):
        results[f"few {d}"] = [draw(3, d, 2, generator()) for draw in sets.QUASI_RANDOM.values()]
    compare("samplers", {f"low discrepancy: {key}": value for key, value in results.items()})


@pytest.mark.parametrize("d", [2, 3, 6, 9, 70])
@pytest.mark.parametrize("paired", [False, True])
def test_stratified_coalitions(d, paired):
    results = {}
    for law in ("kernel", "leverage"):
        for draws in (2, 5, 20, 61):
            for distinct in (False, True):
                rng = generator()
                draw = without_replacement.stratified_coalitions
                given = (sizes.SIZES[law](d), draws, d, rng, paired, distinct)
                results[f"{draws} {law} {distinct}"] = (outcome(draw, *given), rng.random())
    compare("samplers", {f"stratified {d} {paired}": results})
