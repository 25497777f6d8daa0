"""Least squares with replacement, stratified, and with the exact matrix."""

import numpy as np
import pytest
from scipy.special import comb

from shapaudit.estimators import KernelSHAP, PairedKernelSHAP
from shapaudit.estimators.kernel import (
    ImportanceLeastSquares,
    _sums,
    kernel_curvature,
    solve_constrained,
    solve_efficient,
)
from shapaudit.estimators.least_squares import StratifiedLeastSquares
from shapaudit.estimators.odd_fourier import OddFourier
from shapaudit.estimators.regression_adjusted import RegressionAdjusted
from shapaudit.estimators.unbiased_kernel import UnbiasedKernelSHAP
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.samplers.sizes import SIZES
from shapaudit.samplers.without_replacement import (
    all_subsets,
    capped_shares,
    distinct_subsets,
    stratified_coalitions,
    systematic_counts,
)
from shapaudit.truth import shapley_from_table

NAMES = sorted(SIZES)
BOTH = (False, True)
STRATIFIED = [StratifiedLeastSquares(s, p, u) for s in NAMES for p in BOTH for u in BOTH]
UNBIASED = [UnbiasedKernelSHAP(s, p) for s in NAMES for p in BOTH]
UNPENALISED = [
    KernelSHAP(),
    PairedKernelSHAP(),
    *(ImportanceLeastSquares(s, p) for s in NAMES for p in BOTH),
    *STRATIFIED,
]
ESTIMATORS = [*UNPENALISED, *UNBIASED, ImportanceLeastSquares("kernel", False, ridge=8.0)]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def additive_game(d, seed=0):
    weights = np.random.default_rng(seed).normal(size=d)
    return TabularGame(2.0 + all_coalitions(d) @ weights), weights


def errors(estimator, game, budget, runs):
    truth = shapley_from_table(game.values)
    estimates = [estimator.estimate(game, budget, np.random.default_rng(s)) for s in range(runs)]
    return np.array([estimate.values - truth for estimate in estimates]), estimates


def z_scores(sample):
    return sample.mean(axis=0) / (sample.std(axis=0, ddof=1) / np.sqrt(len(sample)))


@each
def test_converges(estimator):
    game = random_game(5)
    few, many = (np.square(errors(estimator, game, n, 15)[0]).sum() for n in (100, 6_400))
    assert many < few / 16 or many < 1e-20


@each
def test_the_card_describes_the_parameters(estimator):
    assert estimator.card.family == "least squares"
    assert estimator.card.efficient
    assert ("complement" in estimator.card.definition) == estimator.paired
    assert ("2 m" in estimator.card.evaluations) == estimator.paired
    assert estimator.card.unbiased == isinstance(estimator, UnbiasedKernelSHAP)


@pytest.mark.parametrize("estimator", STRATIFIED, ids=str)
@pytest.mark.parametrize("d", [2, 3, 4, 7])
def test_exact_once_all_coalitions_are_covered_and_not_before(estimator, d):
    game = random_game(d)
    budget = estimator.exact_budget(d)
    estimate = estimator.estimate(game, budget + 5, np.random.default_rng(0))
    assert estimate.evaluations == budget == 1 << d
    np.testing.assert_allclose(estimate.values, shapley_from_table(game.values), atol=1e-10)
    if d > 3:
        assert np.abs(errors(estimator, game, budget - 2, 1)[0]).max() > 1e-6


@pytest.mark.parametrize("kind", [StratifiedLeastSquares, OddFourier, RegressionAdjusted])
def test_all_coalitions_are_exact_unless_they_are_beyond_all_counting(kind):
    assert [kind().exact_budget(d) for d in (5, 62, 63, 300)] == [32, 1 << 62, None, None]
    estimate = StratifiedLeastSquares().estimate(wide_game(300), 1000, np.random.default_rng(0))
    assert estimate.evaluations == 1000


def wide_game(d):
    def game(coalitions):
        return np.sqrt(coalitions.sum(axis=1))

    game.n_players = d
    return game


@pytest.mark.parametrize("estimator", UNPENALISED, ids=str)
def test_exact_on_additive_games(estimator):
    game, weights = additive_game(7)
    estimate = estimator.estimate(game, 90, np.random.default_rng(1))
    np.testing.assert_allclose(estimate.values, weights, atol=1e-9)


def test_a_ridge_and_the_exact_matrix_are_not_exact_on_additive_games():
    game, _ = additive_game(7)
    for estimator in (ImportanceLeastSquares(ridge=8.0), UnbiasedKernelSHAP()):
        assert np.abs(errors(estimator, game, 90, 1)[0]).max() > 1e-3


@pytest.mark.parametrize("paired", BOTH)
def test_kernel_sizes_and_no_ridge_are_kernel_shap(paired):
    named = (KernelSHAP, PairedKernelSHAP)[paired]()
    plain, other = (
        e.estimate(random_game(6), 100, np.random.default_rng(3)).values
        for e in (named, ImportanceLeastSquares("kernel", paired))
    )
    np.testing.assert_array_equal(plain, other)


def test_pairs_tell_nothing_of_the_even_part():
    d = 6
    game, weights = additive_game(d)
    even = TabularGame(game.values + np.square(all_coalitions(d).sum(axis=1) - d / 2))
    for estimator in (ImportanceLeastSquares(), StratifiedLeastSquares()):
        estimate = estimator.estimate(even, 50, np.random.default_rng(1))
        np.testing.assert_allclose(estimate.values, weights, atol=1e-9)
    estimate = StratifiedLeastSquares(paired=False).estimate(even, 50, np.random.default_rng(1))
    assert np.abs(estimate.values - weights).max() > 1e-3


def test_below_d_coalitions_the_equal_split_is_improved_where_the_singular_system_is_noise():
    d = 12
    game, weights = additive_game(d)
    equal = np.full(d, weights.mean())
    worse = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        estimate = PairedKernelSHAP().estimate(game, 2 + 2 * 5, rng)
        error = np.linalg.norm(estimate.values - weights)
        assert error < np.linalg.norm(equal - weights)
        coalitions = rng.random((5, d)) < 0.5
        gram = np.float64(coalitions.T) @ coalitions
        moment = coalitions.T @ (coalitions @ weights)
        try:
            published = np.linalg.solve(gram, np.column_stack([moment, np.ones(d)]))
        except np.linalg.LinAlgError:
            worse += 1
            continue
        solved, ones = published.T
        solved = solved - ones * (solved.sum() - weights.sum()) / ones.sum()
        worse += np.linalg.norm(solved - weights) > np.linalg.norm(equal - weights)
    assert worse > 10


def test_the_solution_is_constrained_and_of_least_norm():
    rng = np.random.default_rng(0)
    half = rng.normal(size=(3, 6))
    gram, moment = half.T @ half, half.T @ rng.normal(size=3)
    solution = solve_efficient(gram, moment, 2.0)
    assert solution.sum() == pytest.approx(2.0)
    centring = np.eye(6) - 1 / 6
    np.testing.assert_allclose(centring @ (gram @ solution - moment), 0, atol=1e-9)
    free = np.linalg.svd(half @ centring)[2][3:]
    np.testing.assert_allclose(free @ centring @ (solution - 2.0 / 6), 0, atol=1e-9)
    normals = np.linalg.qr(rng.normal(size=(6, 2)))[0]
    start = rng.normal(size=6)
    solution = solve_constrained(np.eye(6), moment, start, normals)
    np.testing.assert_allclose(normals.T @ (solution - start), 0, atol=1e-12)


@pytest.mark.parametrize("d", [2, 3, 8])
def test_kernel_curvature_is_that_of_all_coalitions(d):
    coalitions = all_coalitions(d)[1:-1]
    sizes = coalitions.sum(axis=1)
    weights = SIZES["kernel"](d)[sizes - 1] / comb(d, sizes)
    centring = np.eye(d) - 1 / d
    gram = centring @ (weights[:, None] * coalitions).T @ coalitions @ centring
    np.testing.assert_allclose(gram, kernel_curvature(d) * centring, atol=1e-12)


def test_a_ridge_counts_as_so_many_coalitions():
    game, weights = additive_game(6)
    equal = weights.mean()
    draws = 40_000
    estimate = ImportanceLeastSquares("kernel", False, ridge=draws).estimate(
        game, draws + 2, np.random.default_rng(0)
    )
    np.testing.assert_allclose(estimate.values - equal, (weights - equal) / 2, atol=0.02)
    with pytest.raises(ValueError, match="ridge"):
        ImportanceLeastSquares(ridge=-1.0)


@pytest.mark.parametrize("estimator", UNBIASED, ids=str)
def test_unbiased_from_the_first_draw(estimator):
    sample, estimates = errors(estimator, random_game(4, seed=3), 4, 2000)
    assert np.abs(z_scores(sample)).max() < 4.0
    assert (estimates[0].standard_errors is None) == estimator.paired


@pytest.mark.parametrize("estimator", UNBIASED, ids=str)
def test_standard_errors_are_those_of_the_estimate(estimator):
    sample, estimates = errors(estimator, random_game(4, seed=3), 302, 1000)
    stated = np.array([estimate.standard_errors for estimate in estimates])
    spread = sample.std(axis=0, ddof=1)
    np.testing.assert_allclose(np.sqrt(np.mean(stated**2, axis=0)), spread, rtol=0.1)
    # 1.96 standard errors hold 95 per cent, less a little for their own error.
    assert 0.92 < np.mean(np.abs(sample) < 1.96 * stated) < 0.97


@pytest.mark.parametrize("estimator", [KernelSHAP(), PairedKernelSHAP()], ids=str)
def test_kernel_shap_is_biased_at_tiny_budgets(estimator):
    sample, _ = errors(estimator, additive_game(4)[0], 4, 1000)
    assert np.abs(z_scores(sample)).max() > 10.0


def test_pairs_and_distinct_coalitions_help_on_a_game_with_an_even_part():
    d = 8
    rng = np.random.default_rng(2)
    cubic = np.tanh(all_coalitions(d) @ rng.normal(size=d))
    game = TabularGame(cubic + 0.1 * np.square(all_coalitions(d).sum(axis=1)))
    estimators = (KernelSHAP(), PairedKernelSHAP(), StratifiedLeastSquares())
    mean = [np.square(errors(e, game, 150, 60)[0]).sum(axis=1).mean() for e in estimators]
    assert mean[0] > 2 * mean[1] > 4 * mean[2]


@pytest.mark.parametrize("total", [1, 9.0, 40, 99, 1000])
def test_shares_are_capped_and_sum_to_the_total(total):
    capacities = np.array([3.0, 40.0, 1e30, 5.0])[: 4 if total < 1000 else 2]
    weights = np.array([1.0, 0.3, 0.5, 2.0])[: len(capacities)]
    shares = capped_shares(weights, capacities, total)
    assert shares.sum() == pytest.approx(min(total, capacities.sum()))
    assert (shares <= capacities).all()
    ratio = (shares / weights)[shares < capacities]
    assert np.ptp(ratio) < 1e-9 if len(ratio) else total == 1000
    assert ((shares / weights)[shares == capacities] <= ratio.max(initial=np.inf)).all()


def test_systematic_counts_have_the_shares_as_expectations():
    shares = np.array([0.25, 3.5, 7.0, 0.05, 1.2])
    rng = np.random.default_rng(0)
    counts = np.array([systematic_counts(shares, rng) for _ in range(4000)])
    assert (counts.sum(axis=1) == 12).all()
    assert (np.abs(counts - shares) < 1).all()
    np.testing.assert_allclose(counts.mean(axis=0), shares, atol=0.03)


@pytest.mark.parametrize(("size", "d"), [(0, 3), (1, 5), (2, 5), (4, 5), (5, 5)])
def test_all_subsets_of_a_size(size, d):
    rows = all_subsets(size, d)
    assert rows.shape == (comb(d, size, exact=True), d)
    assert (rows.sum(axis=1) == size).all()
    assert len(np.unique(rows, axis=0)) == len(rows)


@pytest.mark.parametrize(("size", "count", "d"), [(3, 6, 10), (3, 100, 10), (20, 400, 90)])
def test_distinct_subsets_are_distinct_and_uniform(size, count, d):
    rng = np.random.default_rng(0)
    totals = np.zeros(d)
    for _ in range(100):
        rows = distinct_subsets(size, count, d, rng)
        assert rows.shape == (count, d)
        assert (rows.sum(axis=1) == size).all()
        assert len(np.unique(rows, axis=0)) == count
        totals += rows.sum(axis=0)
    share = size / d
    z = (totals - 100 * count * share) / np.sqrt(100 * count * share * (1 - share))
    assert np.abs(z).max() < 4.0


@pytest.mark.parametrize("paired", BOTH)
@pytest.mark.parametrize("distinct", BOTH)
@pytest.mark.parametrize("d", [4, 5])
def test_the_importance_weights_make_every_coalition_count_as_its_kernel(paired, distinct, d):
    runs = 1500
    rng = np.random.default_rng(0)
    totals = np.zeros((runs, 1 << d))
    for run in range(runs):
        coalitions, weights = stratified_coalitions(
            SIZES["projected"](d), 6, d, rng, paired, distinct
        )
        assert len(coalitions) == 6
        index = coalitions @ (1 << np.arange(d))
        if distinct:
            both = np.concatenate([index, (1 << d) - 1 - index]) if paired else index
            assert len(np.unique(both)) == len(both)
        np.add.at(totals[run], index, weights)
        if paired:
            np.add.at(totals[run], (1 << d) - 1 - index, weights)
    sizes = all_coalitions(d).sum(axis=1)[1:-1]
    kernel = 1 / (comb(d, sizes) * sizes * (d - sizes))
    deviation = totals[:, 1:-1] - kernel
    error = deviation.std(axis=0, ddof=1) / np.sqrt(runs)
    assert (np.abs(deviation.mean(axis=0)) <= 4.2 * error + 1e-12).all()


def test_sums_over_complements_follow_from_those_over_coalitions():
    rng = np.random.default_rng(0)
    coalitions, rewards = rng.random((50, 7)) < 0.4, rng.normal(size=100)
    everyone = np.concatenate([coalitions, ~coalitions]).astype(float)
    gram, moment = _sums(coalitions, rewards, paired=True)
    np.testing.assert_array_equal(gram, everyone.T @ everyone)
    np.testing.assert_allclose(moment, rewards @ everyone, rtol=1e-13, atol=1e-13)
