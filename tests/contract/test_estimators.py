"""What every registered estimator promises, on games with known Shapley values."""

import numpy as np
import pytest

from shapaudit.estimators import REGISTRY, AnytimeEstimator, BudgetTooSmall, ProjectedSGD, create
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
ESTIMATORS = [
    *(cls() for cls in REGISTRY.values()),
    *(ProjectedSGD(**params) for params in STEPS),
]
UNBIASED = ["plain-monte-carlo", "optimised-monte-carlo", "antithetic-monte-carlo"]
EFFICIENT = [e for e in ESTIMATORS if e.id != "plain-monte-carlo"]


def name(estimator):
    return str(estimator)


def random_game(d, seed=0):
    return TabularGame(np.random.default_rng(seed).normal(size=1 << d))


def additive_game(d, seed=0):
    weights = np.random.default_rng(seed).normal(size=d)
    bits = (np.arange(1 << d)[:, None] >> np.arange(d)) & 1
    return TabularGame(2.0 + bits @ weights), weights


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("d", [1, 2, 3, 7])
def test_spends_what_it_says_and_never_more(estimator, d):
    minimum = estimator.minimum_budget(d)
    for budget in (minimum, minimum + 1, minimum + 37, 500):
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
def test_deterministic_given_the_generator(estimator):
    runs = [
        estimator.estimate(random_game(6), 400, np.random.default_rng(s)).values for s in (3, 3, 4)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_the_value_of_the_empty_coalition_does_not_matter(estimator):
    game = random_game(5)
    shifted = TabularGame(game.values + 3.0)
    one, other = (estimator.estimate(g, 300, np.random.default_rng(2)) for g in (game, shifted))
    np.testing.assert_allclose(one.values, other.values, atol=1e-9)


@pytest.mark.parametrize("estimator", EFFICIENT, ids=name)
@pytest.mark.parametrize("d", [1, 2, 6])
def test_efficient(estimator, d):
    game = random_game(d)
    values = estimator.estimate(game, 300, np.random.default_rng(5)).values
    total = grand_value(game) - empty_value(game)
    assert values.sum() == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_exact_for_one_player(estimator):
    game = TabularGame(np.array([1.5, 4.0]))
    values = estimator.estimate(game, 40, np.random.default_rng(0)).values
    assert values == pytest.approx([2.5])


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("plain-monte-carlo", 14),
        ("optimised-monte-carlo", 8),
        ("antithetic-monte-carlo", 15),
        ("kernel-shap", 60),
        ("paired-kernel-shap", 60),
    ],
)
def test_exact_on_additive_games(name, budget):
    game, weights = additive_game(7)
    estimate = create(name).estimate(game, budget, np.random.default_rng(1))
    np.testing.assert_allclose(estimate.values, weights, atol=1e-9)


def test_paired_kernel_shap_is_exact_on_additive_plus_even_games():
    d = 6
    game, weights = additive_game(d)
    sizes = np.bitwise_count(np.arange(1 << d))
    even = TabularGame(game.values + np.square(sizes - d / 2))
    estimate = create("paired-kernel-shap").estimate(even, 200, np.random.default_rng(1))
    np.testing.assert_allclose(estimate.values, weights, atol=1e-9)


@pytest.mark.parametrize("name", UNBIASED)
def test_unbiased_and_standard_errors_calibrated(name):
    game = random_game(5, seed=11)
    truth = shapley_from_table(game.values)
    runs = [create(name).estimate(game, 101, np.random.default_rng(s)) for s in range(2000)]
    errors = np.array([run.values - truth for run in runs])
    spread = errors.std(axis=0, ddof=1)
    z = errors.mean(axis=0) / (spread / np.sqrt(len(runs)))
    assert np.abs(z).max() < 4.0
    stated = np.sqrt(np.mean([np.square(run.standard_errors) for run in runs], axis=0))
    np.testing.assert_allclose(stated, spread, rtol=0.1)


@pytest.mark.parametrize("name", UNBIASED)
def test_no_standard_error_from_a_single_unit(name):
    estimator = create(name)
    single = estimator.minimum_budget(4)
    estimate = estimator.estimate(random_game(4), single, np.random.default_rng(0))
    assert estimate.standard_errors is None


@pytest.mark.parametrize("name", ["kernel-shap", "paired-kernel-shap"])
def test_kernel_shap_is_consistent_though_biased(name):
    game = random_game(5, seed=4)
    truth = shapley_from_table(game.values)
    errors = []
    for budget in (400, 6400):
        runs = [create(name).estimate(game, budget, np.random.default_rng(s)) for s in range(40)]
        errors.append(np.mean([np.linalg.norm(run.values - truth) for run in runs]))
    assert errors[1] == pytest.approx(errors[0] / 4, rel=0.35)


@pytest.mark.parametrize("estimator", [ProjectedSGD(**params) for params in STEPS], ids=name)
def test_projected_sgd_converges(estimator):
    game = random_game(4, seed=2)
    truth = shapley_from_table(game.values)

    def error(budget):
        runs = [estimator.estimate(game, budget, np.random.default_rng(s)) for s in range(20)]
        return np.mean([np.linalg.norm(run.values - truth) for run in runs])

    assert error(40_000) < 0.6 * error(400)
    assert error(40_000) < 0.3 * np.linalg.norm(truth - truth.mean())


@pytest.mark.parametrize(
    "estimator", [e for e in ESTIMATORS if isinstance(e, AnytimeEstimator)], ids=name
)
def test_a_trajectory_ends_where_its_first_part_would(estimator):
    game = random_game(5)
    budgets = [60, 200, 777]
    long = estimator.trajectory(game, budgets, np.random.default_rng(9))
    assert [e.evaluations <= b for e, b in zip(long, budgets, strict=True)] == [True] * 3
    short = estimator.trajectory(game, budgets[:2], np.random.default_rng(9))
    for one, other in zip(long, short, strict=False):
        np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_checkpoints_must_increase(estimator):
    with pytest.raises(ValueError, match="increasing"):
        estimator.trajectory(random_game(3), [90, 80], np.random.default_rng(0))


@pytest.mark.parametrize("name", UNBIASED)
def test_null_and_symmetric_players(name):
    d = 5
    members = (np.arange(1 << d)[:, None] >> np.arange(d)) & 1
    values = members[:, :4].sum(axis=1) ** 2.0
    estimate = create(name).estimate(TabularGame(values), 60_000, np.random.default_rng(3))
    assert estimate.values[4] == 0.0
    np.testing.assert_allclose(estimate.values[:4], 4.0, atol=0.15)


def test_the_last_iterate_of_a_constant_step_keeps_an_error_of_the_order_of_the_step():
    game = random_game(4, seed=2)
    truth = shapley_from_table(game.values)
    squared = []
    for scale in (0.02, 0.005):
        estimator = ProjectedSGD(step="constant", scale=scale, average="last")
        runs = [estimator.estimate(game, 8_000, np.random.default_rng(s)) for s in range(100)]
        squared.append(np.mean([np.sum((run.values - truth) ** 2) for run in runs]))
    assert squared[0] / squared[1] == pytest.approx(4, rel=0.4)


def test_a_mini_batch_divides_the_noise():
    game = random_game(4, seed=2)
    truth = shapley_from_table(game.values)
    floors = []
    for batch in (1, 4):
        estimator = ProjectedSGD(step="constant", scale=0.01, average="last", batch=batch)
        runs = [
            estimator.estimate(game, 2 + 1000 * batch, np.random.default_rng(s)) for s in range(100)
        ]
        floors.append(np.mean([np.sum((run.values - truth) ** 2) for run in runs]))
    assert floors[0] / floors[1] == pytest.approx(4, rel=0.5)


def test_projected_sgd_refuses_an_empty_feasible_set():
    game = TabularGame(np.array([0.0, 5.0, 5.0, 10.0]))
    with pytest.raises(ValueError, match="empty"):
        ProjectedSGD(projection="intersection", bound=1.0).estimate(
            game, 100, np.random.default_rng(0)
        )
