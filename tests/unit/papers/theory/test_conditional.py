"""Conditional games, the explicand among its matches, and surrogates, in fractions."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest
from removal_worlds import Function, dataset_of

from shapaudit.games import tabulate
from shapaudit.removals import create
from shapaudit.truth.rational import shapley_values
from shapaudit_papers.theory.conditional import (
    cell_optimum,
    conditional_table,
    entropy_slope,
    linear_fit_game,
    odds_differ,
    own_row_bias,
    own_row_bias_by_counting,
    predictions,
    saturated_surrogate,
    separate_regressions,
    squared_slope,
)

SQUARE = [(F(-1), F(1)), (F(0), F(0)), (F(1), F(1))]  # X2 = X1^2
EQUAL = [F(1, 3)] * 3


def sample(seed, n=7, d=3):
    rng = np.random.default_rng(seed)
    rows = [tuple(map(F, row)) for row in rng.integers(-4, 5, size=(n, d)).tolist()]
    return rows, [F(x) for x in rng.integers(-9, 10, size=n).tolist()]


@pytest.mark.parametrize("rows", [0, 1, 2, 5, 12])
@pytest.mark.parametrize("probability", [F(1, 7), F(1, 2), F(1)])
def test_the_closed_bias_of_the_own_row_is_that_of_counting(rows, probability):
    closed = own_row_bias(probability, rows, F(3))
    assert closed == own_row_bias_by_counting(probability, rows, F(3))
    assert closed > 0
    assert own_row_bias(probability, 0, F(3)) == 3


def test_the_own_row_bias_is_that_of_all_samples():
    """Three more rows of a table, all 4^3 samples, each as likely as it is."""
    rows = list(product((F(0), F(1)), repeat=2))
    weights, outputs = [F(1, 2), F(1, 4), F(1, 8), F(1, 8)], [F(1), F(5), F(-2), F(7)]
    x, fx = rows[2], outputs[2]
    expected = [F(0)] * 4
    for places in product(range(4), repeat=3):
        chance = weights[places[0]] * weights[places[1]] * weights[places[2]]
        drawn = [x, *(rows[k] for k in places)]
        values = saturated_surrogate(drawn, [fx, *(outputs[k] for k in places)], x)
        expected = [e + chance * v for e, v in zip(expected, values, strict=True)]
    truth = conditional_table(rows, weights, outputs, x)
    for members, probability in enumerate([F(1), F(1, 4), F(5, 8), F(1, 8)]):
        bias = own_row_bias(probability, 3, fx - truth[members])
        assert expected[members] - truth[members] == bias


def test_without_repeated_values_all_features_get_the_same():
    rows = [(F(k), F(10 + k), F(20 + k)) for k in range(5)]
    outputs = [F(3), F(1), F(4), F(1), F(5)]
    values = shapley_values(saturated_surrogate(rows, outputs, rows[2]))
    assert values.tolist() == [(F(4) - F(14, 5)) / 3] * 3


def test_a_gaussian_fit_of_a_parabola_is_wrong_however_many_rows():
    outputs = [row[1] for row in SQUARE]  # f = x2
    x = SQUARE[0]
    truth = conditional_table(SQUARE, EQUAL, outputs, x)
    fitted = linear_fit_game(SQUARE, EQUAL, outputs, x)
    assert truth.tolist() == [F(2, 3), 1, 1, 1]
    assert fitted.tolist() == [F(2, 3), F(2, 3), 1, 1]
    assert linear_fit_game(SQUARE * 50, EQUAL * 50, outputs * 50, x).tolist() == fitted.tolist()
    assert shapley_values(fitted).tolist() == [0, F(1, 3)]
    assert shapley_values(truth).tolist() == [F(1, 6), F(1, 6)]


def test_the_gaussian_removal_has_the_exact_fit_s_game():
    rows = np.array(SQUARE * 20, dtype=float)
    fit = create("gaussian", {"draws": 2, "antithetic": True})
    model = Function(lambda rows: rows[:, 1].copy())
    game = fit.fit(model, dataset_of(rows), None).game(rows[0], np.random.default_rng(0))
    np.testing.assert_allclose(tabulate(game).values, [2 / 3, 2 / 3, 1, 1], atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_both_losses_of_a_surrogate_are_least_at_the_conditional_mean(seed):
    rng = np.random.default_rng(seed)
    weights = [F(int(w)) for w in rng.integers(1, 9, size=5)]
    outputs = [F(int(f), 10) for f in rng.integers(1, 10, size=5)]
    optimum = cell_optimum(weights, outputs)
    for slope in (squared_slope, entropy_slope):
        assert slope(weights, outputs, optimum) == 0
        assert slope(weights, outputs, optimum - F(1, 100)) < 0
        assert slope(weights, outputs, optimum + F(1, 100)) > 0


def test_log_odds_of_a_mean_are_no_mean_of_log_odds():
    assert odds_differ([1, 1], [F(1, 2), F(4, 5)])
    assert not odds_differ([1, 1], [F(1, 5), F(4, 5)])
    assert not odds_differ([2, 3], [F(1, 3), F(1, 3)])


@pytest.mark.parametrize("seed", range(4))
def test_separate_least_squares_are_projections_of_the_full_fit(seed):
    rows, target = sample(seed)
    fitted = predictions(rows, target, rows)
    x = (F(1), F(-2), F(5))
    separate = separate_regressions(rows, target, x)
    assert separate.tolist() == linear_fit_game(rows, [F(1)] * 7, fitted, x).tolist()
    assert fitted != target


def test_ridge_regressions_are_not():
    rows, target = sample(0)
    shrunk = [F(3, 4) * y for y in predictions(rows, target, rows)]
    separate = separate_regressions(rows, target, rows[0])
    assert separate.tolist() != linear_fit_game(rows, [F(1)] * 7, shrunk, rows[0]).tolist()


def test_the_separate_removal_has_the_exact_values():
    rows, target = sample(2)
    data = dataset_of(np.array(rows, dtype=float), np.array(target, dtype=float))
    fitted = create("separate").fit(None, data, np.random.default_rng(0))
    values = tabulate(fitted.game(np.array(rows[1], dtype=float), None)).values
    exact = separate_regressions(rows, target, rows[1])
    np.testing.assert_allclose(values, exact.astype(float), atol=1e-10)
