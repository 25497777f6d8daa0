"""Odd Fourier regression and regression-adjusted estimators: formulas, exactness, bias."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.estimators import create, odd_fourier
from shapaudit.estimators.fits.fourier import OddFeatures, fit_odd, symmetric_sums
from shapaudit.estimators.fits.single_index import SingleIndex, sigmoid_index
from shapaudit.estimators.fits.supports import heaviest_sets, sets_of_trees
from shapaudit.estimators.fits.trees import fit_trees
from shapaudit.estimators.least_squares import StratifiedLeastSquares
from shapaudit.estimators.odd_fourier import OddFourier
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.estimators.regression_adjusted import (
    RegressionAdjusted,
    deal,
    stratified_mean,
)
from shapaudit.estimators.surrogates import fit_surrogate
from shapaudit.games import (
    AdditiveGame,
    CountedGame,
    TabularGame,
    TreeGame,
    all_coalitions,
    tabulate,
)
from shapaudit.games.simulated import ProductGame, ThresholdGame
from shapaudit.samplers.without_replacement import pairs_of_size
from shapaudit.truth import shapley_exact, shapley_from_table

D = 7
SIGNS = np.where(all_coalitions(D), 1.0, -1.0)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def error(estimator, game, budget, seed=0):
    estimate = estimator.estimate(game, budget, np.random.default_rng(seed))
    return np.linalg.norm(estimate.values - shapley_exact(game).values)


def product_game(d, seed=0, spread=0.5):
    rng = np.random.default_rng(seed)
    return ProductGame(np.exp(spread * rng.normal(size=d)), np.ones(d))


def single_sets_game():
    """Ten players, and sets of three that take all signs: no function of one number."""
    signs = np.where(all_coalitions(10), 1.0, -1.0)
    sets = ([0, 1, 2], [3, 4, 5], [1, 5, 7], [0, 8, 9])
    sizes = (1.0, -1.0, 0.8, -0.7)
    products = sum(
        size * signs[:, members].prod(axis=1) for size, members in zip(sizes, sets, strict=True)
    )
    return TabularGame(products + signs @ np.linspace(0.1, 1.0, 10))


def odd_part(values):
    return 0.5 * (values - values[::-1])


def test_walsh_functions_give_their_shapley_values_by_enumeration():
    rng = np.random.default_rng(0)
    sets = [np.array(list(combinations(range(D), k)))[::3] for k in (3, 5)]
    features = OddFeatures(D, sets, np.ones(sum(map(len, sets))), weights=rng.normal(size=D))
    joint, products = rng.normal(size=D + 3), rng.normal(size=len(features.priors))
    table = joint @ features.joint(SIGNS) + products @ features.products(SIGNS)
    np.testing.assert_allclose(table, -table[::-1], atol=1e-12)
    expected = shapley_from_table(table)
    np.testing.assert_allclose(features.shapley(joint, products), expected, atol=1e-12)
    first = sets[0][0]
    np.testing.assert_allclose(features.products(SIGNS)[0], SIGNS[:, first].prod(axis=1))


def test_symmetric_sums_are_sums_over_all_sets():
    rows = np.random.default_rng(0).normal(size=(4, 6))
    for k, sums in enumerate(symmetric_sums(rows, 4)):
        expected = sum(rows[:, list(members)].prod(axis=1) for members in combinations(range(6), k))
        np.testing.assert_allclose(sums, expected, atol=1e-12)


@pytest.mark.parametrize("d", [1, 2, 7])
def test_a_game_of_one_number_has_the_shapley_values_of_its_table(d):
    rng = np.random.default_rng(d)
    even, game = rng.normal(size=5), SingleIndex(rng.normal(size=d), rng.normal(size=5))
    signs = np.where(all_coalitions(d), 1.0, -1.0)
    angles = np.outer(signs @ game.index, np.arange(1, 6))
    table = np.cos(angles) @ even + np.sin(angles) @ game.amplitudes
    np.testing.assert_allclose(game.odd_part(signs), odd_part(table), atol=1e-12)
    np.testing.assert_allclose(game.shapley(), shapley_from_table(table), atol=1e-12)


@pytest.mark.parametrize("steepness", [0.5, 4.0, 100.0])
def test_the_index_is_found_up_to_a_factor(steepness):
    rng = np.random.default_rng(1)
    weights = rng.normal(size=D)
    values = 3.0 - 2.0 * np.tanh(steepness * (SIGNS @ weights - 0.4))
    index, left = sigmoid_index(SIGNS, values)
    assert left < 1e-3
    cosine = index @ weights / (np.linalg.norm(index) * np.linalg.norm(weights))
    assert abs(cosine) > 0.97


def test_heaviest_sets_are_those_of_a_full_ranking():
    weights = np.random.default_rng(3).uniform(0.1, 1.0, size=8)
    heaviest = heaviest_sets(weights, 20)
    everything = [set(s) for k in (3, 5, 7) for s in combinations(range(8), k)]
    everything.sort(key=lambda members: -np.prod(weights[list(members)]))
    chosen = [set(members.tolist()) for sets in heaviest for members in sets]
    assert len(chosen) == 20
    assert all(members in everything[:20] for members in chosen)
    assert sum(map(len, heaviest_sets(weights, 10_000))) == len(everything)


def test_sets_of_trees_have_the_largest_walsh_coefficients():
    pairs = draw_pairs(random_game(D), 100, "leverage", np.random.default_rng(0))
    trees = fit_trees(pairs.coalitions, pairs.odd_part, -pairs.odd_part)
    game = TreeGame(trees, np.ones(D), np.zeros(D))
    table = game(all_coalitions(D))
    every = [members for k in (3, 5) for members in combinations(range(D), k)]
    sizes = [abs(SIGNS[:, list(members)].prod(axis=1) @ table) for members in every]
    largest = {every[place] for place in np.argsort(sizes)[-10:]}
    of_trees = sets_of_trees(game.terms, D, 10)
    assert {tuple(members) for sets in of_trees for members in sets.tolist()} == largest


def test_trees_take_the_odd_part():
    pairs = draw_pairs(product_game(D), 1 << D, "leverage", np.random.default_rng(0))
    trees = fit_trees(pairs.coalitions, pairs.odd_part, -pairs.odd_part)
    ends = np.ones(D), np.zeros(D)
    values = TreeGame(trees, *ends)(pairs.coalitions)
    assert np.abs(values - pairs.odd_part).max() < 0.3 * np.abs(pairs.odd_part).max()


def test_the_restricted_likelihood_finds_the_true_sets_and_the_noise():
    rng = np.random.default_rng(0)
    coalitions = all_coalitions(9)[rng.permutation(512)[:200]]
    coalitions = np.concatenate([coalitions, np.ones((1, 9), dtype=bool)])
    sets = np.array(list(combinations(range(9), 3)))
    true, false = (OddFeatures(9, [part], np.ones(len(part))) for part in (sets[:20], sets[-20:]))
    signs = np.where(coalitions, 1.0, -1.0)
    odd = signs @ rng.normal(size=9) + rng.normal(size=20) @ true.products(signs)
    fitted = fit_odd([false, true], coalitions, odd)
    assert fitted.features is true
    np.testing.assert_allclose(fitted.odd_part(coalitions), odd, atol=1e-4)
    noisy = fit_odd([true], coalitions, odd + 20.0 * rng.normal(size=len(odd)))
    assert noisy.noise > 1e4 * fitted.noise


@pytest.mark.parametrize("support", ["products", "trees"])
@pytest.mark.parametrize("index", [True, False])
def test_odd_fourier_is_exact_where_the_game_is_additive_beside_an_even_part(support, index):
    members = all_coalitions(8)
    weights = np.random.default_rng(0).normal(size=8)
    game = TabularGame(members @ weights + np.square(members.sum(axis=1) - 4.0))
    assert error(OddFourier(support=support, index=index), game, 40) < 1e-9
    assert error(OddFourier(support=support, index=index), TabularGame(np.ones(256)), 60) < 1e-12


def test_oddshap_is_the_regression_on_sets_of_trees_without_an_index():
    assert create("OddSHAP") == OddFourier("trees", index=False)
    assert "OddSHAP" in create("OddSHAP").card.aliases
    assert OddFourier().card.aliases == ()
    with pytest.raises(ValueError, match="contradicts"):
        create("OddSHAP", {"support": "products"})


def test_a_function_of_one_number_is_tried_where_joint_features_matter(monkeypatch):
    """A product resembles one, single sets do not; then one fit is all there is."""
    tried, fits = [], []

    def fit(*arguments):
        fits.append(arguments)
        return fit_odd(*arguments)

    monkeypatch.setattr(odd_fourier, "fit_odd", fit)
    monkeypatch.setattr(odd_fourier, "single_index_of", lambda *_: tried.append(True))
    rng = np.random.default_rng(0)
    OddFourier().estimate(single_sets_game(), 400, rng)
    assert (len(tried), len(fits)) == (0, 1)
    OddFourier().estimate(product_game(10, spread=1.0), 400, rng)
    assert tried
    assert len(fits) > 1


def test_odd_fourier_beats_the_regression_it_ends_with():
    """By far where the game is smooth, and where it is a threshold of one index."""
    d = 12
    weights = np.random.default_rng(2).normal(size=d)
    games = {"smooth": product_game(d), "threshold": ThresholdGame(0.0, weights, 0.5)}
    plain = {name: error(StratifiedLeastSquares(), game, 600) for name, game in games.items()}
    errors = {name: error(OddFourier(), game, 600) for name, game in games.items()}
    assert errors["smooth"] < 0.02 * plain["smooth"]
    assert errors["threshold"] < 0.6 * plain["threshold"]
    bare = error(OddFourier(index=False), games["smooth"], 600)
    assert errors["smooth"] < bare < 0.5 * plain["smooth"]


@pytest.mark.parametrize("estimator", [OddFourier(), OddFourier(support="trees")], ids=str)
def test_many_players_at_small_budgets(estimator):
    game = product_game(120, spread=0.05)
    for budget in (4, 100, 700):
        counted = CountedGame(game, budget)
        estimate = estimator.estimate(counted, budget, np.random.default_rng(0))
        assert counted.evaluations == estimate.evaluations <= budget
        total = game(np.ones((1, 120), dtype=bool)) - game(np.zeros((1, 120), dtype=bool))
        assert estimate.values.sum() == pytest.approx(total[0])


def test_more_coalitions_of_a_size_than_the_largest_float():
    d = 1100
    weights = np.linspace(1.0, 2.0, d)

    def additive(coalitions):
        return coalitions @ weights

    additive.n_players = d
    estimator = RegressionAdjusted("fourier")
    estimate = estimator.estimate(additive, estimator.minimum_budget(d), np.random.default_rng(0))
    # A fold has 1099 pairs of 1100 players: the condition of the Gram matrix is 4e8.
    np.testing.assert_allclose(estimate.values, weights, rtol=0, atol=1e-9)


@pytest.mark.parametrize("support", ["products", "trees"])
def test_values_whose_squares_underflow(support):
    table = tabulate(product_game(7)).values
    values, tiny = (
        OddFourier(support).estimate(TabularGame(c * table), 90, np.random.default_rng(0)).values
        for c in (1.0, 1e-170)
    )
    np.testing.assert_allclose(tiny / 1e-170, values, atol=1e-3)


def test_the_stratified_mean_of_all_pairs_is_the_shapley_value():
    for d in (2, 3, 6, 7):
        game = random_game(d)
        pairs = draw_pairs(game, 1 << d, "leverage", np.random.default_rng(0))
        truth = shapley_from_table(game.values)
        mean = pairs.total / d + stratified_mean(pairs.coalitions, pairs.odd_part)
        np.testing.assert_allclose(mean, truth, atol=1e-12)
        # What the others know and what a fold stands for are everything, too.
        fold = np.random.default_rng(1).random(len(pairs.odd_part)) < 0.5
        split = stratified_mean(pairs.coalitions, pairs.odd_part, fold)
        np.testing.assert_allclose(split, mean - pairs.total / d, atol=1e-12)


def test_folds_are_even_within_each_size_and_all_have_every_sampled_size():
    sizes = np.repeat([1, 2, 3], [8, 12, 13])
    fold_of = deal(sizes, 8, 5, np.random.default_rng(0))
    for size in (1, 2, 3):
        counts = np.bincount(fold_of[sizes == size], minlength=5)
        assert np.ptp(counts) <= 1
    few = deal(np.repeat([1, 2, 3], [8, 2, 13]), 8, 5, np.random.default_rng(0))
    assert few.max() == 1


def biases(estimator, game, budget, runs):
    """z-scores (d,) of the mean over runs."""
    rng = np.random.default_rng(3)
    estimates = np.array([estimator.estimate(game, budget, rng).values for _ in range(runs)])
    errors = estimates.std(axis=0, ddof=1) / np.sqrt(runs)
    return (estimates.mean(axis=0) - shapley_exact(game).values) / errors


def single_triple_game():
    """Interactions of three, and noise that a fit takes for more of them."""
    rng = np.random.default_rng(5)
    signs = np.where(all_coalitions(6), 1.0, -1.0)
    return TabularGame(3.0 * signs[:, :3].prod(axis=1) + rng.normal(size=64))


def test_split_there_is_no_bias_and_unsplit_there_is():
    game, budget, runs = single_triple_game(), 40, 500
    split = biases(RegressionAdjusted("polynomial", folds=2), game, budget, runs)
    unsplit = biases(RegressionAdjusted("polynomial", split=False), game, budget, runs)
    assert np.abs(split).max() < 4.0
    assert np.abs(unsplit).max() > 5.0


def test_surrogates_say_their_own_shapley_values():
    d = 9
    pairs = draw_pairs(product_game(d), 200, "leverage", np.random.default_rng(0))
    for name in ("trees", "polynomial", "fourier"):
        fitted = fit_surrogate(name, pairs, np.random.default_rng(0))
        table = fitted.odd_part(all_coalitions(d))
        np.testing.assert_allclose(fitted.shapley, shapley_from_table(table), atol=1e-6)
        few = fit_surrogate(name, pairs.part(np.arange(d)), np.random.default_rng(0))
        assert np.isfinite(few.shapley).all()


@pytest.mark.parametrize("sizes", ["leverage", "kernel", "projected"])
@pytest.mark.parametrize("d", [5, 6, 9, 12])
def test_the_smallest_budget_has_two_pairs_of_every_size(d, sizes):
    estimator, game = RegressionAdjusted("polynomial", sizes=sizes), AdditiveGame(np.ones(d))

    def fewest(budget):
        counts = []
        for seed in range(12):
            pairs = draw_pairs(game, budget, sizes, np.random.default_rng(seed))
            by_size = np.bincount(pairs.coalitions.sum(axis=1), minlength=d // 2 + 1)[1:]
            counts.append(
                (by_size - np.minimum(2, pairs_of_size(np.arange(1, d // 2 + 1), d))).min()
            )
        return min(counts)

    least = estimator.minimum_budget(d)
    assert fewest(least) >= 0
    if sizes == "leverage":  # the others enumerate some size first, which leaves more draws
        assert least == 1 << d or fewest(least - 2) < 0


def test_regression_adjustment_reduces_the_error_of_its_correction():
    game, d = product_game(10), 10
    pairs = draw_pairs(game, 300, "leverage", np.random.default_rng(0))
    bare = pairs.total / d + stratified_mean(pairs.coalitions, pairs.odd_part)
    plain = np.linalg.norm(bare - shapley_exact(game).values)
    for name, share in (("trees", 0.5), ("polynomial", 0.3), ("fourier", 0.1)):
        assert error(RegressionAdjusted(name), game, 300) < share * plain


def test_unknown_settings_are_refused():
    with pytest.raises(ValueError, match="at least 2"):
        RegressionAdjusted(folds=1)
    with pytest.raises(ValueError, match="none of"):
        create("odd-fourier", {"support": "magic"})
    with pytest.raises(ValueError, match="choose another surrogate"):
        RegressionAdjusted("polynomial").estimate(product_game(40), 1000, np.random.default_rng(0))
