"""What every estimator of the package promises, on games with known Shapley values."""

from dataclasses import asdict

import numpy as np
import pytest

from shapaudit.estimators import (
    REGISTRY,
    AnytimeEstimator,
    BudgetTooSmall,
    Card,
    create,
)
from shapaudit.games import CountedGame, TabularGame, empty_value, grand_value
from shapaudit.truth import shapley_from_table

STEPS = [
    {"step": "constant", "scale": 0.01, "average": "uniform"},
    {"step": "inverse-sqrt", "scale": 0.05, "average": "uniform"},
    {"step": "inverse", "average": "weighted"},
    {"step": "radius", "average": "uniform"},
    {"step": "inverse-sqrt", "scale": 0.02, "sampling": "uniform", "average": "uniform"},
    {"step": "inverse", "projection": "intersection", "bound": 10.0},
    {"step": "inverse", "projection": "dykstra", "bound": 10.0},
    {"step": "constant", "scale": 0.02, "batch": 4, "average": "uniform"},
    {"sampling": "projected", "step": "contracting", "average": "last", "paired": True},
    {"sampling": "projected", "step": "contracting", "average": "last", "batch": 3},
]
VARIANTS = [
    *(("projected-sgd", params) for params in STEPS),
    ("importance-least-squares", {"sizes": "kernel", "paired": False, "ridge": 4.0}),
    ("importance-least-squares", {"sizes": "projected"}),
    ("stratified-least-squares", {"sizes": "kernel", "distinct": False}),
    ("stratified-least-squares", {"sizes": "projected", "paired": False}),
    ("stratified-least-squares", {"distinct": False}),
    ("unbiased-kernel-shap", {"paired": True}),
    ("unbiased-kernel-shap", {"sizes": "leverage"}),
    ("polynomial-least-squares", {"order": 2, "paired": False, "ridge": 0.0}),
    ("polynomial-least-squares", {"order": 2, "ridge": 5.0}),
    ("normalised", {"estimator": "random-multilinear"}),
    ("multilinear", {"halved": True}),
    ("multilinear", {"grid": "printed"}),
    ("multilinear", {"grid": "printed", "halved": True}),
    ("multilinear", {"grid": "trapezoid"}),
    ("multilinear", {"grid": "midpoint", "halved": True}),
    ("multilinear", {"grid": "gauss-legendre"}),
    ("multilinear", {"grid": "stratified"}),
    ("random-multilinear", {"halved": True}),
    ("random-multilinear", {"strata": 3}),
    ("featurewise-multilinear", {"halved": True}),
    ("featurewise-multilinear", {"grid": "random"}),
    ("featurewise-multilinear", {"grid": "stratified"}),
    ("featurewise-multilinear", {"allocation": "variance"}),
    ("featurewise-multilinear", {"grid": "random", "allocation": "deviation"}),
    ("featurewise-order", {"antithetic": False, "allocation": "variance"}),
    ("featurewise-order", {"antithetic": False, "allocation": "deviation"}),
    ("random-order", {"permutations": "antithetic"}),
    ("random-order", {"permutations": "cyclic"}),
    ("random-order", {"permutations": "williams"}),
    ("random-order", {"permutations": "orthogonal"}),
    ("quasi-random-order", {"permutations": "permutohedron"}),
    ("quasi-random-order", {"permutations": "sobol", "antithetic": True}),
    ("featurewise-order", {"antithetic": True, "allocation": "deviation"}),
    ("stratified-sampling", {"allocation": "growing"}),
    ("stratified-sampling", {"allocation": "deviation"}),
    ("odd-fourier", {"support": "trees", "index": False}),
    ("regression-adjusted", {"surrogate": "polynomial"}),
    ("regression-adjusted", {"surrogate": "fourier", "split": False}),
    ("screened-polynomial", {"order": 2}),
    ("l-shapley", {"radius": 2, "outside": "present"}),
    ("c-shapley", {"weights": "myerson", "radius": 2}),
]
ESTIMATORS = [
    *(cls() for cls in REGISTRY.values()),
    *(create(name, params) for name, params in VARIANTS),
]
ANYTIME = [e for e in ESTIMATORS if isinstance(e, AnytimeEstimator)]
UNBIASED = [e for e in ESTIMATORS if e.card.unbiased]
EFFICIENT = [e for e in ESTIMATORS if e.card.efficient]
ADDITIVE = [e for e in ESTIMATORS if e.card.additive]
CONSISTENT = [e for e in ESTIMATORS if e.card.consistent]
EXACT = [e for e in ESTIMATORS if e.exact_budget(5) is not None]


def name(estimator):
    return str(estimator)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def additive_game(d, seed=0):
    weights = np.random.default_rng(seed).normal(size=d)
    bits = (np.arange(1 << d)[:, None] >> np.arange(d)) & 1
    return TabularGame(2.0 + bits @ weights), weights


def null_player_game(d=5):
    """Players 0 to d - 2 are alike, the last one adds nothing."""
    members = (np.arange(1 << d)[:, None] >> np.arange(d)) & 1
    return TabularGame(members[:, :-1].sum(axis=1) ** 2.0)


def runs_of(estimator, game, budget, count):
    """Values (count, d) of independent runs."""
    rng = np.random.default_rng(11)
    return np.array([estimator.estimate(game, budget, rng).values for _ in range(count)])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_has_a_card(estimator):
    assert isinstance(estimator.card, Card)
    assert estimator.card.cost.startswith("O("), "the card does not say what an evaluation costs"


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_names_on_the_card_make_the_estimator(estimator):
    assert estimator.card.aliases == estimator.aliases
    for alias in estimator.card.aliases:
        assert create(alias, asdict(estimator)) == estimator


def test_a_card_that_contradicts_itself_is_refused():
    with pytest.raises(ValueError, match="bias"):
        Card("semivalue", "definition", "n", "source", unbiased=True, bias="some")
    with pytest.raises(ValueError, match="bias"):
        Card("semivalue", "definition", "n", "source")
    with pytest.raises(ValueError, match="family"):
        Card("cooking", "definition", "n", "source", unbiased=True)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_spends_what_it_says_and_never_more(estimator, d):
    minimum = estimator.minimum_budget(d)
    for budget in (minimum, minimum + 1, minimum + 37, minimum + 500):
        counted = CountedGame(random_game(d), budget)
        estimate = estimator.estimate(counted, budget, np.random.default_rng(1))
        assert counted.evaluations == estimate.evaluations <= budget
        assert estimate.values.shape == (d,)
        assert np.isfinite(estimate.values).all()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_one_below_the_minimum_is_an_error_before_any_evaluation(estimator, d):
    counted = CountedGame(random_game(d), 10_000)
    with pytest.raises(BudgetTooSmall, match=estimator.id):
        estimator.estimate(counted, estimator.minimum_budget(d) - 1, np.random.default_rng(1))
    assert counted.evaluations == 0


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_deterministic_given_the_generator_and_only_then(estimator):
    d, differ = 8, []
    # A fixed grid may consist of its sure end points at small budgets.
    for budget in estimator.minimum_budget(d) + np.array([60, 150, 600]):
        runs = [
            estimator.estimate(random_game(d), int(budget), np.random.default_rng(s)).values
            for s in (3, 3, 4)
        ]
        np.testing.assert_array_equal(runs[0], runs[1])
        differ.append(not np.array_equal(runs[0], runs[2]))
    assert any(differ) != estimator.card.deterministic


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_the_value_of_the_empty_coalition_does_not_matter(estimator):
    game = random_game(5)
    shifted = TabularGame(game.values + 3.0)
    first, other = (estimator.estimate(g, 400, np.random.default_rng(2)) for g in (game, shifted))
    np.testing.assert_allclose(first.values, other.values, atol=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("d", [2, 6])
def test_efficient_where_the_card_says_so_and_only_there(estimator, d):
    game = random_game(d)
    values = estimator.estimate(game, 400, np.random.default_rng(5)).values
    total = grand_value(game) - empty_value(game)
    covered = estimator.exact_budget(d) is not None
    if estimator.card.efficient:
        assert values.sum() == pytest.approx(total, abs=1e-9)
    elif not covered and d == 6:
        assert abs(values.sum() - total) > 1e-6


@pytest.mark.parametrize("estimator", ADDITIVE + EFFICIENT, ids=name)
def test_exact_for_one_player(estimator):
    game = TabularGame(np.array([1.5, 4.0]))
    values = estimator.estimate(game, 40, np.random.default_rng(0)).values
    assert values == pytest.approx([2.5])


@pytest.mark.parametrize("estimator", ADDITIVE, ids=name)
@pytest.mark.parametrize("d", [2, 7])
def test_exact_on_additive_games_from_the_minimum_on(estimator, d):
    game, weights = additive_game(d)
    for budget in (estimator.minimum_budget(d), estimator.minimum_budget(d) + 100):
        values = estimator.estimate(game, budget, np.random.default_rng(1)).values
        np.testing.assert_allclose(values, weights, atol=1e-9)


@pytest.mark.parametrize("estimator", EXACT, ids=name)
@pytest.mark.parametrize("d", [3, 5])
def test_exact_on_every_game_once_all_coalitions_are_covered(estimator, d):
    game, budget = random_game(d, seed=7), estimator.exact_budget(d)
    truth = shapley_from_table(game.values)
    values = estimator.estimate(game, budget, np.random.default_rng(1)).values
    np.testing.assert_allclose(values, truth, atol=1e-9)
    before = max(estimator.minimum_budget(d), budget // 2)
    values = estimator.estimate(game, before, np.random.default_rng(1)).values
    assert np.abs(values - truth).max() > 1e-6


@pytest.mark.parametrize("name", ["kernel-shap", "paired-kernel-shap"])
def test_kernel_shap_is_exact_on_additive_games_once_it_has_full_rank(name):
    game, weights = additive_game(7)
    estimate = create(name).estimate(game, 60, np.random.default_rng(1))
    np.testing.assert_allclose(estimate.values, weights, atol=1e-9)


def test_paired_kernel_shap_is_exact_on_additive_plus_even_games():
    d = 6
    game, weights = additive_game(d)
    sizes = np.bitwise_count(np.arange(1 << d))
    even = TabularGame(game.values + np.square(sizes - d / 2))
    estimate = create("paired-kernel-shap").estimate(even, 200, np.random.default_rng(1))
    np.testing.assert_allclose(estimate.values, weights, atol=1e-9)


@pytest.mark.parametrize("estimator", UNBIASED, ids=name)
@pytest.mark.parametrize("more", [0, 60])
def test_unbiased_where_the_card_says_so(estimator, more):
    d = 4
    game = random_game(d, seed=11)
    truth = shapley_from_table(game.values)
    values = runs_of(estimator, game, estimator.minimum_budget(d) + more, 1500)
    spread = values.std(axis=0, ddof=1)
    z = (values.mean(axis=0) - truth) / (spread / np.sqrt(len(values)) + 1e-12)
    assert np.abs(z).max() < 4.5


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_standard_errors_are_those_of_the_spread(estimator):
    """In mean square they are the spread of the runs, at a budget with several units each."""
    d = 4
    game, budget = random_game(d, seed=11), 12 * estimator.minimum_budget(d) + 200
    rng = np.random.default_rng(5)
    runs = [estimator.estimate(game, budget, rng) for _ in range(300)]
    if runs[0].standard_errors is None or not estimator.card.unbiased:
        return
    spread = np.std([run.values for run in runs], axis=0, ddof=1)
    stated = np.sqrt(np.mean([np.square(run.standard_errors) for run in runs], axis=0))
    np.testing.assert_allclose(stated, spread, rtol=0.3)


@pytest.mark.parametrize("estimator", CONSISTENT, ids=name)
def test_the_error_falls_as_the_budget_grows(estimator):
    game = random_game(4, seed=2)
    truth = shapley_from_table(game.values)
    few = max(100, estimator.minimum_budget(4))

    def error(budget):
        values = runs_of(estimator, game, budget, 20)
        return np.sqrt(np.square(values - truth).sum(axis=1).mean())

    assert error(64 * few) < 0.3 * error(few) + 1e-9


@pytest.mark.parametrize("estimator", CONSISTENT, ids=name)
def test_null_and_symmetric_players(estimator):
    values = estimator.estimate(null_player_game(), 30_000, np.random.default_rng(3)).values
    if estimator.card.additive and estimator.id != "normalised":  # a gap is shared by all players
        assert values[4] == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(values, [4.0] * 4 + [0.0], atol=0.35)


@pytest.mark.parametrize("name", ["kernel-shap", "paired-kernel-shap"])
def test_the_error_of_kernel_shap_halves_with_four_times_the_budget(name):
    game = random_game(5, seed=4)
    truth = shapley_from_table(game.values)
    errors = [
        np.mean(np.linalg.norm(runs_of(create(name), game, budget, 40) - truth, axis=1))
        for budget in (400, 6400)
    ]
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.35)


@pytest.mark.parametrize("estimator", ANYTIME, ids=name)
def test_a_trajectory_ends_where_its_first_part_would(estimator):
    game = random_game(5)
    budgets = [estimator.minimum_budget(5) + more for more in (0, 140, 717)]
    long = estimator.trajectory(game, budgets, np.random.default_rng(9))
    assert [e.evaluations <= b for e, b in zip(long, budgets, strict=True)] == [True] * 3
    short = estimator.trajectory(game, budgets[:2], np.random.default_rng(9))
    for first, other in zip(long, short, strict=False):
        np.testing.assert_array_equal(first.values, other.values)


@pytest.mark.parametrize("estimator", ANYTIME, ids=name)
def test_checkpoints_must_increase(estimator):
    with pytest.raises(ValueError, match="increasing"):
        estimator.trajectory(random_game(3), [900, 800], np.random.default_rng(0))


def test_projections_that_stop_by_a_tolerance_are_efficient_on_small_games():
    game = TabularGame(1e-9 * random_game(6).values)
    total = grand_value(game) - empty_value(game)
    for params in STEPS:
        estimate = create("projected-sgd", params).estimate(game, 90, np.random.default_rng(0))
        assert estimate.values.sum() == pytest.approx(total, rel=1e-9)
