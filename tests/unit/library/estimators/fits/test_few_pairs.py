"""Fits to fewer pairs than players."""

import numpy as np
import pytest

from shapaudit.estimators.fits.few_pairs import (
    LEAST_PLAYERS,
    additive_with_relevances,
    fit_relevant,
    fit_sparse,
)
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import UnanimityGame


def seen(values, m, seed=0):
    """Signs (m, d) and the odd part of an additive game with these values (d,)."""
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random((m, len(values))) < 0.5, 1.0, -1.0)
    return signs, 0.5 * signs @ values


def test_players_that_matter_are_found_and_the_others_keep_nothing():
    values = np.zeros(60)
    values[[4, 17, 33]] = [2.0, -1.0, 0.5]
    fitted, _ = additive_with_relevances(*seen(values, 20), np.ones(20), values.sum())
    np.testing.assert_allclose(fitted, values, atol=1e-3)


def test_values_add_up_and_residuals_are_those_of_pairs_left_out():
    rng = np.random.default_rng(1)
    values = rng.standard_normal(12)
    signs, odd = seen(values, 9)
    odd = odd + rng.standard_normal(9)
    fitted, left = additive_with_relevances(signs, odd, 1.0 + rng.random(9), 3.0)
    assert fitted.sum() == pytest.approx(3.0)
    assert np.linalg.norm(left) > np.linalg.norm(odd - 0.5 * signs @ fitted)


def test_a_game_of_zeros_has_values_of_zero():
    fitted, left = additive_with_relevances(*seen(np.zeros(8), 4), np.ones(4), 0.0)
    assert (fitted == 0).all()
    assert (left == 0).all()


def test_interactions_of_the_most_relevant_players_are_fitted():
    rng = np.random.default_rng(2)
    players = rng.permutation(90)[:6]
    masks = np.zeros((12, 90), dtype=bool)
    for mask in masks[6:]:
        mask[rng.permutation(players)[:3]] = True
    masks[np.arange(6), players] = True
    game = UnanimityGame(rng.uniform(1.0, 3.0, size=12), masks)
    pairs = draw_pairs(game, 2 + 2 * 80, "leverage", rng)
    sparse = fit_sparse(pairs)
    fits = fit_relevant(pairs, sparse, rng)
    assert len(fits) == 2
    exact = game.shapley_values()
    errors = [np.linalg.norm(own.values - exact) for own in (sparse, *fits)]
    assert max(errors[1:]) < 0.6 * errors[0]
    for fit in fits:
        assert fit.values.sum() == pytest.approx(pairs.total)
        assert (fit.left == 0).all()
        assert fit.chosen == 40 + 4
        assert np.min(fit.doubt) >= 1.0
        _, times = np.unique(fit.values.round(12), return_counts=True)
        assert times.max() == 50  # those that are not among the forty


def test_no_process_is_fitted_to_too_few_players():
    game = UnanimityGame(np.ones(1), np.ones((1, 60), dtype=bool))
    rng = np.random.default_rng(0)
    pairs = draw_pairs(game, 2 + 2 * (2 * LEAST_PLAYERS - 1), "leverage", rng)
    assert fit_relevant(pairs, fit_sparse(pairs), rng) == []
