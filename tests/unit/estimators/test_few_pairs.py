"""Additive games from fewer pairs than players."""

import numpy as np
import pytest

from shapaudit.estimators.few_pairs import additive_with_relevances


def seen(values, m, seed=0):
    """Signs (m, d) and the odd part of an additive game with these values (d,)."""
    rng = np.random.default_rng(seed)
    signs = np.where(rng.random((m, len(values))) < 0.5, 1.0, -1.0)
    return signs, 0.5 * signs @ values


def test_players_that_matter_are_found_and_the_others_keep_nothing():
    values = np.zeros(60)
    values[[4, 17, 33]] = [2.0, -1.0, 0.5]
    found, _ = additive_with_relevances(*seen(values, 20), np.ones(20), values.sum())
    np.testing.assert_allclose(found, values, atol=1e-3)


def test_values_add_up_and_residuals_are_those_of_pairs_left_out():
    rng = np.random.default_rng(1)
    values = rng.standard_normal(12)
    signs, odd = seen(values, 9)
    odd = odd + rng.standard_normal(9)
    found, left = additive_with_relevances(signs, odd, 1.0 + rng.random(9), 3.0)
    assert found.sum() == pytest.approx(3.0)
    assert np.linalg.norm(left) > np.linalg.norm(odd - 0.5 * signs @ found)


def test_a_game_of_zeros_has_values_of_zero():
    found, left = additive_with_relevances(*seen(np.zeros(8), 4), np.ones(4), 0.0)
    assert (found == 0).all()
    assert (left == 0).all()
