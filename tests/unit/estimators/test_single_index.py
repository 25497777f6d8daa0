"""Functions of one number: the link against ridge regressions solved one by one."""

import numpy as np
import pytest

from shapaudit.estimators import single_index
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.estimators.single_index import (
    SMOOTHING,
    SingleIndex,
    left_by_sigmoid,
    single_index_of,
    smooth_link,
)
from shapaudit.games import TabularGame, WeightedMajorityGame, all_coalitions

VOTE = WeightedMajorityGame(np.array([1, 1, 2, 5, 6, 11, 12, 14, 16, 18, 21]), 54)


def by_ridge(position, values, frequencies, smoothing):
    """Amplitudes and the score of generalised cross-validation for one size of the penalty."""
    k, n = len(frequencies), len(position)
    angles = np.outer(position, frequencies)
    design = np.hstack([np.ones((n, 1)), np.cos(angles), np.sin(angles)])
    # The penalty of a harmonic grows as its square, that of the mean is negligible.
    penalty = np.concatenate([[1e-6], *2 * [np.arange(1, k + 1) ** 2]]) / k**2
    inverse = np.linalg.inv(design.T @ design + n * smoothing * np.diag(penalty))
    found = inverse @ design.T @ values
    left = values - design @ found
    free = n - np.trace(design @ inverse @ design.T)
    return found[1 : k + 1] - 1j * found[k + 1 :], left @ left / free**2


@pytest.mark.parametrize("noise", [0.01, 0.3, 3.0])
def test_the_link_is_the_ridge_regression_of_least_cross_validation(noise):
    rng = np.random.default_rng(0)
    position, frequencies = rng.uniform(-np.pi, np.pi, size=60), np.arange(1.0, 7.0)
    values = 1.5 + np.tanh(2 * position) + noise * rng.standard_normal(60)
    all_of_them = [by_ridge(position, values, frequencies, size) for size in SMOOTHING]
    expected, score = min(all_of_them, key=lambda one: one[1])
    assert score < 0.99 * max(one[1] for one in all_of_them)
    found = smooth_link(position, values, frequencies)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_the_function_is_fitted_to_both_coalitions_of_a_pair_and_to_the_end_points(monkeypatch):
    seen = []
    monkeypatch.setattr(single_index, "fit_single_index", lambda *given: seen.extend(given))
    table = np.random.default_rng(0).standard_normal(64)
    pairs = draw_pairs(TabularGame(table), 40, "leverage", np.random.default_rng(1))
    single_index_of(pairs, np.random.default_rng(2))
    signs, values = seen
    places = (signs > 0) @ (1 << np.arange(6))
    np.testing.assert_array_equal(values, table[places])
    assert len(np.unique(places)) == len(values) == 40
    assert {0, 63} == set(places[:2].tolist())


def test_a_step_between_coalitions_of_nearly_the_same_weight_is_met():
    pairs = draw_pairs(VOTE, 1986, "leverage", np.random.default_rng(0))
    found = single_index_of(pairs, np.random.default_rng(1))
    left = pairs.odd - found.odd(np.where(pairs.coalitions, 1.0, -1.0))
    assert np.abs(left).max() < 0.1


def test_a_sigmoid_leaves_nothing_of_a_vote_and_nearly_all_of_a_single_set():
    def left(game):
        return left_by_sigmoid(draw_pairs(game, 800, "leverage", np.random.default_rng(0)))

    signs = np.where(all_coalitions(11), 1.0, -1.0)
    one_set = TabularGame(signs @ np.arange(11.0) + 9.0 * signs[:, :3].prod(axis=1))
    curved = TabularGame(np.tanh(0.1 * signs @ np.arange(11.0)))
    assert left(VOTE) < 0.01
    assert left(curved) < 1e-4
    assert 0.8 < left(one_set) <= 1.0
    assert left(TabularGame(np.ones(2048))) == 1.0


def test_rows_are_dealt_into_parts_without_a_change_of_the_function(monkeypatch):
    rng = np.random.default_rng(0)
    position, frequencies = rng.uniform(-np.pi, np.pi, size=60), np.arange(1.0, 7.0)
    values = np.tanh(2 * position) + 0.1 * rng.standard_normal(60)
    at_once = smooth_link(position, values, frequencies)
    function = SingleIndex(np.ones(1), frequencies, at_once)
    odd = function.odd(position[:, None])
    monkeypatch.setattr(single_index, "AT_ONCE", 25)
    np.testing.assert_allclose(smooth_link(position, values, frequencies), at_once, rtol=1e-9)
    np.testing.assert_allclose(function.odd(position[:, None]), odd, rtol=1e-12)
    assert function.odd(np.empty((0, 1))).shape == (0,)
