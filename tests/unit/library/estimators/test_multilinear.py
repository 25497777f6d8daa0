"""Multilinear extension sampling: budgets, exact expectations, standard errors, allocation."""

from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest

from shapaudit.estimators import PlainMonteCarlo, featurewise
from shapaudit.estimators import multilinear as module
from shapaudit.estimators.featurewise import FeaturewiseMultilinear
from shapaudit.estimators.multilinear import MultilinearSampling, RandomMultilinear
from shapaudit.games import CountedGame, TabularGame
from shapaudit.samplers.quadrature import paired_rule, plan, quadrature_rule
from shapaudit.truth import shapley_from_table
from shapaudit_papers.theory.multilinear import bias, draw_covariances, expectation, variance

GRIDS = ["printed", "equal", "trapezoid", "midpoint", "gauss-legendre", "stratified"]
SHARED = [
    *(MultilinearSampling(grid=grid, halved=halved) for grid in GRIDS for halved in (False, True)),
    MultilinearSampling(grid="printed", levels=5, halved=True),
    MultilinearSampling(grid="trapezoid", levels=4),
    MultilinearSampling(grid="midpoint", levels=3, halved=True),
    MultilinearSampling(grid="equal", draws=3),
]
RANDOM = [RandomMultilinear(halved=h, strata=k) for h in (False, True) for k in (1, 3)]
ONE_STAGE = [
    FeaturewiseMultilinear(grid=grid, halved=halved)
    for grid in [*GRIDS[1:], "random"]
    for halved in (False, True)
]
TWO_STAGES = [
    FeaturewiseMultilinear(grid=grid, allocation=allocation, halved=halved)
    for grid in ("equal", "random", "gauss-legendre", "trapezoid")
    for allocation in ("variance", "deviation")
    for halved in (False, True)
]
ALL = [*SHARED, *RANDOM, *ONE_STAGE, *TWO_STAGES]


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def unanimity_game(d):
    values = np.zeros(1 << d)
    values[-1] = 1.0
    return TabularGame(values)


def simulate(estimator, game, budget, runs):
    """Estimates (runs, d) and stated variances (runs, d) of runs with seeds of their own."""
    estimates = [estimator.estimate(game, budget, np.random.default_rng(s)) for s in range(runs)]
    values = np.array([estimate.values for estimate in estimates])
    return values, np.array([np.square(estimate.standard_errors) for estimate in estimates])


def largest_z(values, expected):
    """Largest deviation of the mean over runs, in standard errors."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return np.abs((values.mean(axis=0) - expected) / error).max()


def rule_of(estimator, budget, d):
    """The rule and the draws per cell that an estimator of one stage follows."""
    if isinstance(estimator, FeaturewiseMultilinear):
        draws = budget // (d * (4 if estimator.halved else 2))
        return plan(estimator.grid, draws, d, estimator.halved)
    draws = budget // ((d + 1) * (2 if estimator.halved else 1))
    return plan(estimator.grid, draws, d, estimator.halved, estimator.levels, estimator.draws)


@pytest.mark.parametrize("estimator", [*SHARED, *ONE_STAGE], ids=str)
def test_mean_and_variance_are_those_predicted(estimator):
    d = 4
    game = random_game(d, seed=11)
    budget = estimator.minimum_budget(d) + (65 if estimator in SHARED else 90)
    rule, counts = rule_of(estimator, budget, d)
    values, stated = simulate(estimator, game, budget, 500)
    assert largest_z(values, expectation(game.values, rule, estimator.halved)) < 4.2
    predicted = variance(game.values, rule, counts, estimator.halved)
    np.testing.assert_allclose(values.var(axis=0, ddof=1) / predicted, 1, atol=0.3)
    np.testing.assert_allclose(stated.mean(axis=0) / predicted, 1, atol=0.2)


@pytest.mark.parametrize("estimator", [e for e in ALL if e.card.unbiased], ids=str)
def test_unbiased_at_the_smallest_budget(estimator):
    game = random_game(3, seed=5)
    truth = shapley_from_table(game.values)
    budget = estimator.minimum_budget(3)
    runs = [estimator.estimate(game, budget, np.random.default_rng(s)) for s in range(2000)]
    assert largest_z(np.array([run.values for run in runs]), truth) < 4.2


@pytest.mark.parametrize("halved", [False, True])
@pytest.mark.parametrize("grid", ["printed", "equal"])
def test_the_published_grids_are_biased_at_small_budgets(grid, halved):
    game = random_game(4, seed=11)
    values, _ = simulate(MultilinearSampling(grid=grid, halved=halved), game, 65, 300)
    assert largest_z(values, shapley_from_table(game.values)) > 8


def brute_force_extension(values, q):
    """e(q) (d,) from the definition: each other player joins with probability q."""
    d = len(values).bit_length() - 1
    e = np.zeros(d)
    for player in range(d):
        others = [1 << j for j in range(d) if j != player]
        for size in range(d):
            for members in combinations(others, size):
                gain = values[sum(members) | 1 << player] - values[sum(members)]
                e[player] += q**size * (1 - q) ** (d - 1 - size) * gain
    return e


@pytest.mark.parametrize("intervals", [1, 2, 3, 6])
def test_expectations_of_the_printed_algorithms(intervals):
    values = random_game(4, seed=2).values
    nodes = [k / intervals for k in range(intervals + 1)]
    owen = sum(brute_force_extension(values, q) for q in nodes) / intervals
    rule = quadrature_rule("printed", intervals + 1)
    np.testing.assert_allclose(expectation(values, rule), owen, atol=1e-12)
    halved = sum(
        (brute_force_extension(values, q) + brute_force_extension(values, 1 - q)) / intervals
        for q in nodes
        if q <= 0.5
    )
    rule = paired_rule("printed", intervals + 1)
    np.testing.assert_allclose(expectation(values, rule, paired=True), halved, atol=1e-12)
    rule = quadrature_rule("equal", intervals + 1)
    mean = np.mean([brute_force_extension(values, q) for q in nodes], axis=0)
    np.testing.assert_allclose(expectation(values, rule), mean, atol=1e-12)
    np.testing.assert_allclose(bias(values, rule), mean - shapley_from_table(values), atol=1e-12)


def test_fixed_levels_keep_their_bias_and_gauss_legendre_has_none():
    game = random_game(4, seed=11)
    truth = shapley_from_table(game.values)
    rng = np.random.default_rng(0)
    for grid, predicted in (("equal", True), ("gauss-legendre", False)):
        estimator = MultilinearSampling(grid=grid, levels=2)
        estimate = estimator.estimate(game, 400_000, rng)
        error = bias(game.values, quadrature_rule(grid, 2))
        assert (np.abs(error).max() > 0.05) == predicted
        floor = np.maximum(estimate.standard_errors, 1e-9)
        assert np.abs((estimate.values - truth - error) / floor).max() < 4
        assert not estimator.card.consistent


@pytest.mark.parametrize(
    "estimator",
    [e for e in ALL if e.card.consistent],
    ids=str,
)
def test_consistent(estimator):
    game = random_game(4, seed=7)
    truth = shapley_from_table(game.values)
    estimate = estimator.estimate(game, 100_000, np.random.default_rng(2))
    assert np.abs(estimate.values - truth).max() < 0.03


@pytest.mark.parametrize(
    "estimator",
    [
        RandomMultilinear(),
        RandomMultilinear(halved=True, strata=2),
        MultilinearSampling(grid="stratified"),
        MultilinearSampling(grid="gauss-legendre", halved=True),
        FeaturewiseMultilinear(grid="random"),
        FeaturewiseMultilinear(grid="midpoint", halved=True),
    ],
    ids=str,
)
def test_standard_errors_cover(estimator):
    game = random_game(5, seed=3)
    values, stated = simulate(estimator, game, 1200, 400)
    inside = np.abs(values - shapley_from_table(game.values)) < 1.96 * np.sqrt(stated)
    assert inside.mean() == pytest.approx(0.95, abs=0.02)
    np.testing.assert_allclose(stated.mean(axis=0) / values.var(axis=0, ddof=1), 1, atol=0.25)


def test_no_standard_error_from_single_draws():
    game = random_game(4)
    rng = np.random.default_rng(0)
    for estimator in (
        RandomMultilinear(),
        MultilinearSampling(grid="midpoint", levels=3),
        MultilinearSampling(grid="stratified", draws=1),
        FeaturewiseMultilinear(grid="random"),
    ):
        budget = estimator.minimum_budget(4)
        assert estimator.estimate(game, budget, rng).standard_errors is None
    # The ends of the trapezoid rule are known from one draw each.
    ends = MultilinearSampling(grid="trapezoid").estimate(game, 10, rng)
    np.testing.assert_array_equal(ends.standard_errors, np.zeros(4))


def test_random_q_has_the_margins_of_random_order_and_not_its_covariances():
    d = 5
    game = random_game(d, seed=1)
    orders = np.array(list(permutations(range(d))))
    along = game.walk(orders)
    order = np.cov(along.T, bias=True)
    shared = draw_covariances(game.values, quadrature_rule("random", 1))[0]
    np.testing.assert_allclose(np.diag(shared), np.diag(order), rtol=1e-12)
    # Along one order contributions sum to a constant; those to a shared coalition do not.
    np.testing.assert_allclose(order.sum(axis=0), 0, atol=1e-12)
    assert shared.sum() > 1
    assert np.abs(shared - order)[~np.eye(d, dtype=bool)].max() > 0.5
    draws = RandomMultilinear().draw(game, 40_000, np.random.default_rng(0))
    centred = draws - draws.mean(axis=0)
    products = np.einsum("ti,tj->tij", centred, centred)
    z = (products.mean(axis=0) - shared) / (products.std(axis=0) / np.sqrt(len(draws)))
    assert np.abs(z).max() < 4.2
    # The whole law of a margin: every value of a contribution, as often.
    for player in range(d):
        values, times = np.unique(along[:, player].round(9), return_counts=True)
        counts = np.array([(draws[:, player].round(9) == value).sum() for value in values])
        assert counts.sum() == len(draws)
        expected = len(draws) * times / len(along)
        assert np.square(counts - expected).sum() < 5 * np.square(np.sqrt(expected)).sum()


def test_featurewise_random_q_has_the_variance_of_plain_monte_carlo():
    game = random_game(4, seed=6)
    rule = quadrature_rule("random", 1)
    predicted = variance(game.values, rule, np.array([10]))
    for estimator in (FeaturewiseMultilinear(grid="random"), PlainMonteCarlo()):
        values, _ = simulate(estimator, game, 80, 800)
        np.testing.assert_allclose(values.var(axis=0, ddof=1) / predicted, 1, atol=0.2)


@pytest.mark.parametrize("estimator", [SHARED[2], SHARED[7], ONE_STAGE[0]], ids=str)
def test_blocks_do_not_change_the_estimate(estimator, monkeypatch):
    game = random_game(5)
    whole = estimator.estimate(game, 900, np.random.default_rng(0))
    monkeypatch.setattr(module, "BLOCK_CELLS", 200)
    blocks = estimator.estimate(game, 900, np.random.default_rng(0))
    np.testing.assert_array_equal(whole.values, blocks.values)


def pairs_game(strengths):
    """Sum of the strengths of the pairs that are complete: deviations are half of them."""
    d = 2 * len(strengths)
    bits = np.arange(1 << d)[:, None] >> np.arange(d) & 1
    return TabularGame((bits[:, ::2] * bits[:, 1::2]) @ np.asarray(strengths, dtype=float))


def test_both_allocations_have_the_predicted_error_and_beat_none():
    strengths = [8.0, 2.0, 1.0, 0.0]
    game = pairs_game(strengths)
    truth = shapley_from_table(game.values)
    deviations = np.repeat(strengths, 2) / 2
    # Half of 800 draws are made before anything is known: 50 for each player. By deviation, the
    # last three pairs have then had enough.
    second = 400 * deviations**2 / np.sum(deviations**2)
    draws = {
        "uniform": np.full(8, 100),
        "variance": 50 + second,
        "deviation": np.repeat([250, 50, 50, 50], 2),
    }
    errors = {}
    for allocation, counts in draws.items():
        estimator = FeaturewiseMultilinear(grid="random", allocation=allocation)
        values, _ = simulate(estimator, game, 1600, 300)
        errors[allocation] = np.square(values - truth).sum(axis=1).mean()
        assert errors[allocation] == pytest.approx(np.sum(deviations**2 / counts), rel=0.2)
    assert max(errors["deviation"], errors["variance"]) < 0.65 * errors["uniform"]


@pytest.mark.parametrize(("allocation", "expected"), [("variance", 1 / 4), ("deviation", 1 / 6)])
def test_the_published_allocation_goes_by_the_spread_between_levels_too(
    allocation, expected, monkeypatch
):
    # Two players, both needed: e(q) = q, of variance q (1 - q) within a level and 1/12 between.
    seen = []

    def allocate(rule, first, total):
        seen.append(first.variances)
        return np.zeros(2, dtype=int)

    monkeypatch.setattr(featurewise, "allocate", allocate)
    estimator = FeaturewiseMultilinear(allocation=allocation)
    estimator.estimate(unanimity_game(2), 80_000, np.random.default_rng(0))
    np.testing.assert_allclose(seen[0], expected, rtol=0.05)


def test_null_players_get_no_second_stage():
    counted = CountedGame(pairs_game([1.0, 0.0]))
    estimator = FeaturewiseMultilinear(grid="random", allocation="variance")
    rng = np.random.default_rng(0)
    first, spreads = estimator._sample(counted, np.full(4, 50), rng)
    np.testing.assert_array_equal(spreads[2:], 0)
    np.testing.assert_array_equal(first.variances[2:], 0)
    estimate = estimator.estimate(counted, 800, rng)
    np.testing.assert_array_equal(estimate.values[2:], 0)
    # 200 draws for each of two players, instead of 100 for each of four.
    stated = estimate.standard_errors[:2]
    np.testing.assert_allclose(stated, np.sqrt(0.25 / 150), rtol=0.1)


@pytest.mark.parametrize("allocation", ["variance", "deviation"])
def test_two_stages_are_biased_where_contributions_are_skewed(allocation):
    d = 4
    game = unanimity_game(d)
    estimator = FeaturewiseMultilinear(grid="random", allocation=allocation)
    values, _ = simulate(estimator, game, 64, 500)
    error = values.mean(axis=0) - 1 / d
    assert (error < -0.02).all()
    assert largest_z(values, 1 / d) > 5
    alone = replace(estimator, allocation="uniform")
    values, _ = simulate(alone, game, 64, 500)
    assert largest_z(values, 1 / d) < 4.2


def test_cards_name_the_published_variants():
    expected = {
        "ME": MultilinearSampling(),
        "ME_ANTI": MultilinearSampling(halved=True),
        "ME_RAND": RandomMultilinear(),
        "MEF": FeaturewiseMultilinear(),
        "MEF_RAND": FeaturewiseMultilinear(grid="random"),
        "MEF_ANTI": FeaturewiseMultilinear(halved=True),
        "MEF_ADAPT": FeaturewiseMultilinear(allocation="variance"),
    }
    for alias, estimator in expected.items():
        assert alias in estimator.card.aliases
        assert [e for e in ALL if alias in e.card.aliases and e.card == estimator.card]
    for cls in (MultilinearSampling, RandomMultilinear, FeaturewiseMultilinear):
        assert cls().card.family == "multilinear"


@pytest.mark.parametrize(
    ("cls", "params", "match"),
    [
        (MultilinearSampling, {"grid": "simpson"}, "simpson"),
        (MultilinearSampling, {"levels": 1}, "at least 2 levels"),
        (MultilinearSampling, {"draws": 0}, "draws"),
        (RandomMultilinear, {"strata": 0}, "strata"),
        (FeaturewiseMultilinear, {"allocation": "neyman"}, "neyman"),
    ],
)
def test_parameters_out_of_range(cls, params, match):
    with pytest.raises(ValueError, match=match):
        cls(**params)
