"""Trees as a control of least squares: the identity, and what they take from the error."""

import numpy as np
import pytest

from shapaudit.estimators import create
from shapaudit.estimators.pairs import Pairs, draw_pairs
from shapaudit.estimators.proxy import ProxyRegression, control
from shapaudit.estimators.surrogates import boosted, linear, residual_pairs, trees
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.games.simulated import ThresholdGame
from shapaudit.truth import shapley_from_table

D = 9


def game(d=D, seed=0):
    return ThresholdGame(0.0, np.random.default_rng(seed).uniform(0.2, 1.0, d), 0.4 * d)


def drawn(budget=300, seed=1):
    return draw_pairs(game(), budget, "leverage", np.random.default_rng(seed))


def least_squares(pairs, odd, total):
    """Efficient least squares by its definition: one player is what the others leave."""
    z = pairs.coalitions.astype(float)
    rest, wanted = z[:, :-1] - z[:, -1:], odd + 0.5 * total - total * z[:, -1]
    root = np.sqrt(pairs.weights)[:, None]
    coefficients = np.linalg.lstsq(root * rest, root[:, 0] * wanted, rcond=None)[0]
    return np.append(coefficients, total - coefficients.sum())


def test_the_correction_is_least_squares_on_what_the_trees_leave():
    pairs, rng = drawn(), np.random.default_rng(2)
    own = rng.normal(size=D)
    proxy = pairs.odd_part + 0.3 * rng.normal(size=len(pairs.odd_part))
    base = linear(pairs)
    rest = residual_pairs(pairs, base)
    corrected = base.shapley + control(pairs, rest.odd_part, proxy, own)
    seen = least_squares(pairs, proxy, own.sum())
    curved = proxy - (pairs.coalitions - 0.5) @ seen
    share = (pairs.weights * curved * rest.odd_part).sum() / (pairs.weights * curved**2).sum()
    assert 0 < share < 1
    left = pairs.odd_part - share * proxy
    expected = share * own + least_squares(pairs, left, pairs.total - share * own.sum())
    np.testing.assert_allclose(corrected, expected, atol=1e-9)


def test_a_proxy_that_predicts_nothing_is_not_taken():
    pairs = drawn()
    rest = residual_pairs(pairs, linear(pairs))
    opposite = control(pairs, rest.odd_part, -rest.odd_part, np.arange(D, dtype=float))
    np.testing.assert_array_equal(opposite, np.zeros(D))


def test_trees_beside_an_additive_game_are_those_of_what_it_leaves():
    pairs = drawn()
    both = trees(pairs, np.random.default_rng(3))
    base = linear(pairs)
    rest = boosted(residual_pairs(pairs, base))
    np.testing.assert_allclose(both.shapley, base.shapley + rest.shapley, atol=1e-12)
    assert isinstance(residual_pairs(pairs, base), Pairs)


def test_errs_less_than_least_squares_on_rules():
    d, rng = 12, np.random.default_rng(0)
    members, table = all_coalitions(d), np.zeros(1 << d)
    for _ in range(8):
        first, second, third = rng.choice(d, 3, replace=False)
        table += rng.normal() * (members[:, first] & members[:, second] & ~members[:, third])
    truth = shapley_from_table(table)
    proxy, other = (
        create(name).estimate(TabularGame(table), 600, 1).values
        for name in ("ProxySHAP", "Leverage SHAP")
    )
    assert np.linalg.norm(proxy - truth) < 0.6 * np.linalg.norm(other - truth)


def test_with_few_pairs_it_is_least_squares():
    proxy, other = (create(name).estimate(game(), 30, 4) for name in ("ProxySHAP", "Leverage SHAP"))
    np.testing.assert_allclose(proxy.values, other.values, atol=1e-9)


def test_one_fold_is_refused():
    with pytest.raises(ValueError, match="proxy-regression: folds"):
        ProxyRegression(folds=1)
