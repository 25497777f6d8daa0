"""The estimator without a choice: where it is exact, what its errors say, and how few it takes."""

import numpy as np
import pytest

from shapaudit.estimators import auto, create
from shapaudit.estimators.fits import profile, single_index
from shapaudit.estimators.fits.adaptive import MOST_ROWS, RELEVANCES, adapt
from shapaudit.estimators.fits.cubic import coefficients
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import (
    AdditiveGame,
    CountedGame,
    ProductGame,
    TabularGame,
    WeightedMajorityGame,
    all_coalitions,
)
from shapaudit.truth import product_shapley, shapley_from_table
from solved_games import entry
from sparse_games import sparse

AUTO = create("auto")


def run(game, budget, seed=0):
    return AUTO.estimate(CountedGame(game, budget), budget, np.random.default_rng(seed))


def relative(estimate, exact):
    return np.linalg.norm(estimate.values - exact) / np.linalg.norm(exact)


class TabularNoise:
    """An additive game beside noise that depends on the coalition only."""

    def __init__(self, worth):
        self.worth, self.n_players = worth, len(worth)
        self.waves = np.random.default_rng(9).standard_normal((len(worth), 2))

    def __call__(self, coalitions):
        """Values (m,); the noise vanishes at the end points."""
        inside = (coalitions.any(axis=1) & ~coalitions.all(axis=1)).astype(float)
        phases = 50.0 * coalitions @ self.waves
        return coalitions @ self.worth + inside * np.sin(phases).sum(axis=1)


def test_exact_on_games_of_order_two_with_several_pairs_per_player():
    game = sparse(9, 60, 2)
    estimate = run(game, 2 + 2 * 40)
    np.testing.assert_allclose(estimate.values, game.shapley_values(), atol=1e-9)
    np.testing.assert_allclose(estimate.standard_errors, 0.0, atol=1e-9)


@pytest.mark.parametrize("d", [6, 8, 10])
def test_pairs_that_determine_the_values_make_games_of_order_two_exact(d):
    """d pairs that are spread do; those that are drawn may not, which infinite errors tell."""
    missed = {}
    for extra in (0, 2, d):
        runs = []
        for seed in range(12):
            rng = np.random.default_rng([d, extra, seed])
            members = all_coalitions(d).astype(float)
            pairs = members @ rng.standard_normal((d, d))
            game = TabularGame(members @ rng.standard_normal(d) + (pairs * members).sum(axis=1))
            budget, values = 2 * (d + extra) + 2, shapley_from_table(game.values)
            assert relative(create("auto").estimate(game, budget, rng), values) < 1e-8
            drawn = draw_pairs(game, budget, "leverage", rng)
            found = create("auto").estimate_from(drawn, rng)
            runs.append(relative(found, values) < 1e-8)
            assert runs[-1] or np.isinf(found.standard_errors).any()
        missed[extra] = runs.count(False)
    assert missed[0] > 0 == missed[d]


def test_exact_on_games_of_order_four_once_there_are_as_many_pairs_as_coefficients():
    game = sparse(10, 80, 4)
    estimate = run(game, 2 + 2 * (coefficients(10) + 5))
    np.testing.assert_allclose(estimate.values, game.shapley_values(), atol=1e-8)
    errors = np.abs(estimate.values - game.shapley_values())
    assert (errors <= 1.96 * estimate.standard_errors).all()
    assert estimate.standard_errors.max() < 1e-7
    # One player's fewer sets of five make the game no longer of order four.
    assert run(sparse(10, 80, 5), 2 + 2 * (coefficients(10) + 5)).standard_errors.min() > 1e-4


def saturating(d, noise=0.0):
    """A game of the number of players, which rises at once and then flattens, and some effects."""
    rng, members = np.random.default_rng(d), all_coalitions(d)
    table = 1.0 - np.exp(-1.5 * members.sum(axis=1)) + members @ rng.normal(scale=0.05, size=d)
    return TabularGame(table + noise * rng.standard_normal(1 << d))


@pytest.mark.parametrize("d", [8, 11])
def test_exact_on_additive_games_beside_a_function_of_the_number_of_players(d):
    game = saturating(d)
    fewest = d + d // 2 + profile.SPARE
    estimate = run(game, 2 + 2 * fewest)
    exact = shapley_from_table(game.values)
    np.testing.assert_allclose(estimate.values, exact, atol=1e-9)
    np.testing.assert_allclose(estimate.standard_errors, 0.0, atol=1e-9)
    assert relative(run(game, 2 * fewest), exact) > 1e-7
    pairs = TabularGame(game.values + (all_coalitions(d) @ np.arange(d)) ** 2)  # order two
    found, values = run(pairs, 2 + 2 * fewest).values, shapley_from_table(pairs.values)
    np.testing.assert_allclose(found, values, rtol=1e-9)


def test_a_game_that_saturates_costs_fewer_evaluations_than_without_its_part(monkeypatch):
    """It has some noise beside, a thousandth of its range."""
    game = saturating(10, 0.001)
    exact = shapley_from_table(game.values)

    def errors(budget):
        return [relative(run(game, budget, seed), exact) for seed in range(6)]

    found = {budget: errors(budget) for budget in (100, 200)}
    assert found[100] == errors(100)
    monkeypatch.setattr(profile, "SPARE", np.inf)
    for budget, own in found.items():
        assert np.mean(own) < 0.9 * np.mean(errors(budget))


@pytest.mark.parametrize("budget", [1024, 5000])
def test_exact_without_errors_once_all_coalitions_are_covered(budget):
    table = np.random.default_rng(1).standard_normal(1 << 10)
    estimate = run(TabularGame(table), budget)
    np.testing.assert_allclose(estimate.values, shapley_from_table(table), atol=1e-9)
    assert (estimate.standard_errors == 0).all()


@pytest.mark.parametrize("d", [1, 2])
def test_one_and_two_players_are_exact_at_the_minimum(d):
    table = np.random.default_rng(d).standard_normal(1 << d)
    estimate = run(TabularGame(table), AUTO.minimum_budget(d))
    np.testing.assert_allclose(estimate.values, shapley_from_table(table), atol=1e-12)
    assert estimate.evaluations == 1 << d


@pytest.mark.parametrize("d", [3, 9, 300, 1000])
def test_works_from_d_plus_two_evaluations(d):
    game = AdditiveGame(np.random.default_rng(d).standard_normal(d))
    estimate = run(game, d + 2)
    assert np.isfinite(estimate.values).all()
    assert estimate.values.sum() == pytest.approx(game.weights.sum())
    assert np.linalg.norm(estimate.values - game.weights) < np.linalg.norm(game.weights)


def test_few_relevant_players_are_found_with_fewer_pairs_than_players():
    weights = np.zeros(120)
    weights[[3, 50, 77, 90]] = [1.0, -2.0, 0.5, 3.0]
    estimate = run(AdditiveGame(weights), 100)
    assert relative(estimate, weights) < 0.05
    plain = create("stratified-least-squares")
    least = plain.estimate(AdditiveGame(weights), 100, np.random.default_rng(0))
    assert relative(least, weights) > 0.5
    assert np.isinf(estimate.standard_errors).all()
    assert estimate.values.sum() == pytest.approx(weights.sum())


def test_a_thousand_players():
    game = sparse(1000, 300, 2)
    exact = game.shapley_values()
    estimate = run(game, 2050)
    np.testing.assert_allclose(estimate.values, exact, atol=1e-8)


def test_sets_of_three_are_recovered_where_least_squares_leaves_a_tenth():
    game = sparse(30, 60, 3)
    exact = game.shapley_values()
    assert relative(run(game, 1500), exact) < 1e-3
    plain = create("stratified-least-squares")
    assert relative(plain.estimate(game, 1500, np.random.default_rng(0)), exact) > 0.02


def test_a_function_of_one_number_is_recognised():
    rng = np.random.default_rng(4)
    game = ProductGame(*np.exp(rng.normal(scale=0.7, size=(2, 12))))
    assert relative(run(game, 300), product_shapley(game).values) < 2e-3


def test_a_threshold_is_met_by_the_function_of_one_number():
    solved = entry("threshold-15").solved
    plain = create("stratified-least-squares").estimate(solved.game, 1000, np.random.default_rng(1))
    assert relative(run(solved.game, 1000, 1), solved.values) < 0.6 * relative(plain, solved.values)


def test_noise_costs_little_more_than_least_squares():
    solved = entry("noise-9").solved
    plain = create("stratified-least-squares")
    squares = np.zeros(2)
    for seed in range(12):
        estimate = plain.estimate(solved.game, 300, np.random.default_rng(seed))
        squares += np.square(
            [
                relative(run(solved.game, 300, seed), solved.values),
                relative(estimate, solved.values),
            ]
        )
    assert squares[0] < 1.3 * squares[1]


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("diabetes-process-baseline", 200),
        ("friedman-booster-baseline", 200),
        ("wine-booster-marginal", 500),
        ("survey-perceptron-baseline", 500),
        ("sparse-13", 400),
        ("smooth-noise-12", 300),
        ("noise-9", 200),
    ],
)
def test_intervals_of_two_standard_errors_hold_the_values(name, budget):
    """Calibration: nominally 95 %; the hyperparameters have seen the pairs, so somewhat less."""
    solved = entry(name).solved
    runs = [run(solved.game, budget, seed) for seed in range(8)]
    errors = np.array([estimate.values - solved.values for estimate in runs])
    stated = np.array([estimate.standard_errors for estimate in runs])
    assert np.mean(np.abs(errors) <= 2 * stated) > 0.8
    assert np.linalg.norm(stated) < 3 * np.linalg.norm(errors)


def test_more_rows_than_one_process_takes_are_dealt_into_blocks(monkeypatch):
    monkeypatch.setattr("shapaudit.estimators.fits.adaptive.MOST_ROWS", 150)
    solved = entry("friedman-forest-marginal").solved
    assert MOST_ROWS > 150
    few, many = (relative(run(solved.game, budget), solved.values) for budget in (300, 1200))
    assert many < 0.5 * few


def test_a_function_of_one_number_is_fitted_to_the_pairs_of_all_blocks(monkeypatch):
    monkeypatch.setattr("shapaudit.estimators.fits.adaptive.MOST_ROWS", 150)
    rows, fitted = [], single_index.smooth_sines
    monkeypatch.setattr(
        single_index, "smooth_sines", lambda *given: rows.append(len(given[1])) or fitted(*given)
    )
    signs = np.where(all_coalitions(12), 1.0, -1.0)
    table = np.tanh(signs @ np.random.default_rng(0).standard_normal(12))
    estimate = run(TabularGame(table), 900)
    # Pairs and the end points: of the trial, of all, and of all with the index of the trial.
    assert rows == [113, 450, 450]
    assert relative(estimate, shapley_from_table(table)) < 2e-3


def test_a_parity_that_no_smaller_set_hints_at_is_found_among_all_sets():
    signs = np.where(all_coalitions(10), 1.0, -1.0)
    table = signs @ np.arange(10.0) + 5.0 * signs[:, [0, 1, 3, 4, 6, 8, 9]].prod(axis=1)
    for seed in range(3):
        estimate = run(TabularGame(table), 300, seed)
        assert relative(estimate, shapley_from_table(table)) < 1e-4


def test_the_largest_of_some_numbers_takes_few_pairs():
    solved = entry("range-13").solved
    errors = [relative(run(solved.game, 1000, seed), solved.values) for seed in range(3)]
    plain = create("Leverage SHAP").estimate(solved.game, 1000, np.random.default_rng(0))
    assert np.mean(errors) < 0.4 * relative(plain, solved.values)


def test_with_hardly_more_pairs_than_players_those_who_add_nothing_get_little():
    worth = np.zeros(40)
    worth[:3] = [3.0, -2.0, 1.0]
    game = TabularNoise(worth)
    values = AUTO.estimate(game, 2 + 2 * 50, np.random.default_rng(0)).values
    plain = create("Leverage SHAP").estimate(game, 2 + 2 * 50, np.random.default_rng(0)).values
    assert np.linalg.norm(values - worth) < 0.7 * np.linalg.norm(plain - worth)


def test_a_vote_of_which_most_coalitions_are_known_is_met():
    game = WeightedMajorityGame(np.array([1, 1, 2, 5, 6, 11, 12, 14, 16, 18, 21]), 54)
    errors = [relative(run(game, 1986, seed), game.shapley_values()) for seed in range(3)]
    assert max(errors) < 5e-4


@pytest.mark.parametrize(
    "name", ["noise-9", "threshold-15", "range-10", "patches-process-marginal"]
)
def test_never_much_worse_than_least_squares_on_the_same_coalitions(name):
    solved, plain = entry(name).solved, create("stratified-least-squares")
    squares = np.zeros(2)
    for seed in range(8):
        least = plain.estimate(solved.game, 60, np.random.default_rng(seed))
        both = run(solved.game, 60, seed), least
        squares += [np.square(estimate.values - solved.values).sum() for estimate in both]
    assert squares[0] < 1.1**2 * squares[1]


def test_with_few_pairs_per_player_slopes_of_their_own_variance_are_a_second_fit():
    game, rng = sparse(12, 40, 4), np.random.default_rng(0)
    for m, fits in ((RELEVANCES * 12 - 1, 2), (RELEVANCES * 12, 1)):
        pairs = draw_pairs(game, 2 + 2 * m, "leverage", rng)
        adapted = adapt(pairs, rng)
        assert len(adapted) == fits
    assert len(adapt(pairs.part(np.arange(30)), rng)) == 2
    second = adapt(pairs.part(np.arange(30)), rng)[1]
    assert (second.left == 0).all()
    assert second.values.sum() == pytest.approx(pairs.total)


def test_players_without_effect_cost_little():
    """A game of ten among sixty players, with six pairs for each player."""
    players = np.sort(np.random.default_rng(1).permutation(60)[:10])
    inner = sparse(10, 25, 4)

    class Some:
        n_players = 60

        def __call__(self, coalitions):
            return inner(coalitions[:, players])

    exact = np.zeros(60)
    exact[players] = inner.shapley_values()
    errors = [
        np.linalg.norm(estimator.estimate(Some(), 722, np.random.default_rng(seed)).values - exact)
        for estimator in (AUTO, create("Leverage SHAP"))
        for seed in range(2)
    ]
    assert sum(errors[:2]) < 0.05 * sum(errors[2:])


@pytest.mark.parametrize(
    ("d", "m", "expected"),
    [
        (30, 59, ["additive", "trees", "values"]),
        (30, 60, ["values"]),
        (12, 128, ["values"]),
        (12, 129, []),
        (80, 140, ["additive", "trees"]),
        (140, 130, ["additive", "trees", "relevant"]),
        (12, 17, ["additive", "trees", "values"]),
        (12, 16, ["additive", "trees", "values", "lengths", "relevant"]),
        (9, 7, ["additive", "values", "lengths", "relevant"]),
        (9, 1, ["additive", "values", "lengths", "relevant"]),
    ],
)
def test_which_fits_are_mixed_with_few_pairs(monkeypatch, d, m, expected):
    fitted = []

    def noted(name, fit):
        return lambda *given: fitted.append(name) or fit(*given)

    for name, fit in (
        ("additive", auto.fit_sparse),
        ("trees", auto.fit_value_trees),
        ("values", auto.fit_value_process),
        ("lengths", auto.fit_product_process),
        ("relevant", auto.fit_relevant),
    ):
        monkeypatch.setattr(auto, fit.__name__, noted(name, fit))
    run(sparse(d, 40, 5), 2 + 2 * m)
    assert fitted == expected


@pytest.mark.parametrize(
    ("missing", "most"),
    [
        (("fit_value_process",), 0.8),
        (("fit_product_process",), 0.9),
        (("fit_value_process", "fit_product_process"), 0.6),
    ],
)
def test_processes_of_the_values_help_where_pairs_are_fewer_than_players(
    monkeypatch, missing, most
):
    """Five pairs of a game that saturates; the additive fit stands in for what is missing."""
    table = 1.0 - np.exp(-(all_coalitions(10) @ np.linspace(0.2, 1.0, 10)))
    exact = shapley_from_table(table)

    def error():
        return np.mean([relative(run(TabularGame(table), 12, seed), exact) for seed in range(4)])

    complete = error()
    for name in missing:
        monkeypatch.setattr(auto, name, auto.fit_sparse)
    assert complete < most * error()
