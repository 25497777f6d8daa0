"""Functions of one number: the sines against Gaussian processes of one noise after the other."""

import numpy as np
import pytest
import scipy

from shapaudit.estimators.fits import single_index
from shapaudit.estimators.fits.single_index import (
    SMOOTHING,
    SingleIndex,
    left_by_sigmoid,
    sines,
    single_index_of,
    smooth_sines,
)
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import (
    AirportGame,
    ProductGame,
    TabularGame,
    WeightedMajorityGame,
    all_coalitions,
)
from shapaudit.truth import product_shapley

VOTE = WeightedMajorityGame(np.array([1, 1, 2, 5, 6, 11, 12, 14, 16, 18, 21]), 54)


def by_covariance(position, odd, count, smoothing):
    """Amplitudes and log-likelihood for one variance of the noise."""
    n = len(position)
    frequencies = np.arange(1, count + 1)
    design = np.sin(np.outer(position, frequencies))
    variances = (count / frequencies) ** 2
    covariance = design * variances @ design.T + n * smoothing * np.eye(n)
    scale = odd @ np.linalg.solve(covariance, odd) / n
    likelihood = scipy.stats.multivariate_normal(cov=scale * covariance).logpdf(odd)
    return variances * (design.T @ np.linalg.solve(covariance, odd)), likelihood


@pytest.mark.parametrize("noise", [0.01, 0.1, 0.5])
def test_the_function_is_the_process_of_largest_likelihood(noise):
    rng = np.random.default_rng(0)
    position = rng.uniform(-np.pi, np.pi, size=60)
    odd = np.tanh(2 * position) + noise * rng.standard_normal(60)
    tried = [by_covariance(position, odd, 6, size) for size in SMOOTHING]
    best = max(range(len(tried)), key=lambda k: tried[k][1])
    assert 0 < best < len(tried) - 1
    smoothed = smooth_sines(position, odd, 6)
    np.testing.assert_allclose(smoothed, tried[best][0], rtol=1e-4, atol=1e-5)


def test_sines_without_noise_are_recovered():
    position = np.random.default_rng(0).uniform(-np.pi, np.pi, size=60)
    amplitudes = np.array([1.0, 0.0, 0.0, -0.5, 0.0, 2.0])
    smoothed = smooth_sines(position, sines(position, 6) @ amplitudes, 6)
    np.testing.assert_allclose(smoothed, amplitudes, atol=1e-6)


@pytest.mark.parametrize("seed", [165, 270, 676])
def test_there_are_no_waves_between_clusters_of_numbers(seed):
    """Cross-validation of 29 pairs leaves waves, and values err up to 15 times as much."""
    game = AirportGame(np.random.default_rng(seed).exponential(size=12) ** 2)
    pairs = draw_pairs(game, 60, "leverage", np.random.default_rng([seed, 0]))
    estimated = single_index_of(pairs, np.random.default_rng(1)).shapley()
    values = game.shapley_values()
    assert np.linalg.norm(estimated - values) < 0.1 * np.linalg.norm(values)


def test_sines_are_those_of_multiples():
    position = np.array([-2.0, 0.0, 0.3, 3.0])
    expected = np.sin(np.outer(position, np.arange(1, 129)))
    np.testing.assert_allclose(sines(position, 128), expected, atol=1e-12)


def test_values_between_the_pairs_that_were_drawn_are_met_too():
    """Of a product without noise, which sines that are small at all pairs would fit better."""
    rng = np.random.default_rng(3)
    game = ProductGame(*np.exp(rng.normal(scale=0.65, size=(2, 14))))
    values = product_shapley(game).values
    for seed in (0, 3):
        pairs = draw_pairs(game, 1000, "leverage", np.random.default_rng(seed))
        estimated = single_index_of(pairs, np.random.default_rng(1)).shapley()
        assert np.linalg.norm(estimated - values) < 0.03 * np.linalg.norm(values)


def test_the_index_is_fitted_to_both_coalitions_of_a_pair_and_to_the_end_points(monkeypatch):
    seen = []
    monkeypatch.setattr(
        single_index, "sigmoid_index", lambda *given: seen.extend(given) or (np.zeros(6), 1.0)
    )
    table = np.random.default_rng(0).standard_normal(64)
    pairs = draw_pairs(TabularGame(table), 40, "leverage", np.random.default_rng(1))
    assert single_index_of(pairs, np.random.default_rng(2)) is None
    signs, values = seen
    places = (signs > 0) @ (1 << np.arange(6))
    np.testing.assert_array_equal(values, table[places])
    assert len(np.unique(places)) == len(values) == 40
    assert {0, 63} == set(places[:2].tolist())


@pytest.mark.parametrize(("sizes", "kept"), [((1.0, 0.51), False), ((1.0, 0.49), True)])
def test_a_known_index_is_kept_where_it_errs_less_than_half_as_much(monkeypatch, sizes, kept):
    pairs = draw_pairs(VOTE, 400, "leverage", np.random.default_rng(0))
    fitted = single_index_of(pairs, np.random.default_rng(1))
    known = SingleIndex(np.linspace(0.1, 0.2, 11), np.ones(3))
    size = dict(zip((fitted.index[0], known.index[0]), sizes, strict=True))
    odd = np.append(pairs.odd_part, 0.5 * pairs.total)
    monkeypatch.setattr(
        SingleIndex, "odd_part", lambda self, signs: odd - size[self.index[0]] * np.ones(len(signs))
    )
    again = single_index_of(pairs, np.random.default_rng(1), known)
    np.testing.assert_array_equal(again.index, known.index if kept else fitted.index)
    assert len(again.amplitudes) == single_index.HARMONICS  # fitted anew to these pairs


def test_a_game_that_does_not_vary_has_no_function():
    pairs = draw_pairs(TabularGame(np.full(64, 2.0)), 40, "leverage", np.random.default_rng(1))
    assert single_index_of(pairs, np.random.default_rng(2)) is None


def test_a_step_between_coalitions_of_nearly_the_same_weight_is_met():
    pairs = draw_pairs(VOTE, 1986, "leverage", np.random.default_rng(0))
    fitted = single_index_of(pairs, np.random.default_rng(1))
    left = pairs.odd_part - fitted.odd_part(np.where(pairs.coalitions, 1.0, -1.0))
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
    position = rng.uniform(-np.pi, np.pi, size=60)
    values = np.tanh(2 * position) + 0.1 * rng.standard_normal(60)
    at_once = smooth_sines(position, values, 6)
    function = SingleIndex(np.ones(1), at_once)
    odd = function.odd_part(position[:, None])
    monkeypatch.setattr(single_index, "AT_ONCE", 25)
    np.testing.assert_allclose(smooth_sines(position, values, 6), at_once, rtol=1e-9)
    np.testing.assert_allclose(function.odd_part(position[:, None]), odd, rtol=1e-12)
    assert function.odd_part(np.empty((0, 1))).shape == (0,)


@pytest.mark.parametrize("pairs", [20, 29, 60])
def test_with_fewer_pairs_than_harmonics_the_function_stays_bounded(pairs):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        game = AirportGame(rng.exponential(size=14) ** 2)
        fitted = single_index_of(draw_pairs(game, 2 + 2 * pairs, "leverage", rng), rng)
        values = game.shapley_values()
        assert np.linalg.norm(fitted.shapley() - values) < 2.0 * np.linalg.norm(values)
