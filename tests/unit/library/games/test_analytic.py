"""Closed forms of the analytic games against the definition and enumeration."""

from itertools import permutations

import numpy as np
import pytest

from shapaudit.games import (
    AdditiveGame,
    AirportGame,
    GameError,
    GloveGame,
    PairwiseGame,
    ParityGame,
    SymmetricMajorityGame,
    UnanimityGame,
    WeightedMajorityGame,
    walk,
)
from shapaudit.truth import shapley_exact


def symmetric(rng, d):
    matrix = rng.normal(size=(d, d))
    matrix += matrix.T
    np.fill_diagonal(matrix, 0)
    return matrix


ANALYTIC = {
    "additive": lambda rng, d: AdditiveGame(rng.normal(size=d), rng.normal()),
    "pairwise": lambda rng, d: PairwiseGame(rng.normal(size=d), symmetric(rng, d)),
    "unanimity": lambda rng, d: UnanimityGame(rng.normal(size=7), rng.random((7, d)) < 0.5),
    "airport": lambda rng, d: AirportGame(rng.exponential(size=d).round(1)),
    "glove": lambda rng, d: (lambda left: GloveGame(left, d - left))(int(rng.integers(d + 1))),
    "symmetric-majority": lambda rng, d: SymmetricMajorityGame(d, int(rng.integers(1, d + 1))),
    "weighted-majority": lambda rng, d: WeightedMajorityGame(
        rng.integers(0, 8, size=d), int(rng.integers(1, 4 * d + 1))
    ),
    "parity": lambda rng, d: ParityGame(d),
}


@pytest.mark.parametrize("d", [1, 2, 3, 5, 6])
@pytest.mark.parametrize("kind", ANALYTIC)
def test_closed_form_is_the_mean_over_all_orders(kind, d):
    orders = np.array(list(permutations(range(d))))
    for seed in range(3):
        game = ANALYTIC[kind](np.random.default_rng([seed, d]), d)
        expected = walk(game, orders).mean(axis=0)
        np.testing.assert_allclose(game.shapley_values(), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kind", ANALYTIC)
def test_closed_form_is_the_enumeration_at_eleven_players(kind):
    for seed in range(4):
        game = ANALYTIC[kind](np.random.default_rng(seed), 11)
        expected = shapley_exact(game).values
        np.testing.assert_allclose(game.shapley_values(), expected, rtol=1e-12, atol=1e-13)


def test_values_of_analytic_games():
    one_two = np.array([[False, False, False], [True, False, False], [True, True, True]])
    cases = [
        (AdditiveGame([1.0, 2.0, 4.0], 10.0), [10, 11, 17]),
        (PairwiseGame([1.0, 2.0, 4.0], [[0, 8, 0], [8, 0, 16], [0, 16, 0]]), [0, 1, 31]),
        (UnanimityGame([3.0, 5.0], [[True, False, False], [True, False, True]]), [0, 3, 8]),
        (AirportGame([2.0, 1.0, 7.0]), [0, 2, 7]),
        (GloveGame(2, 1), [0, 0, 1]),
        (SymmetricMajorityGame(3, 1), [0, 1, 1]),
        (WeightedMajorityGame([2, 1, 1], 3), [0, 0, 1]),
        (ParityGame(3), [0, 1, 1]),
    ]
    for game, expected in cases:
        np.testing.assert_array_equal(game(one_two), expected, err_msg=game.name)


def test_weighted_majority_of_fifty_players_is_exact():
    # One player of weight 25 and 50 of weight 1, quota 38: the big one is pivotal after 13 to 37 of
    # the 50 small ones, each number of them equally likely.
    game = WeightedMajorityGame([25] + [1] * 50, 38)
    phi = game.shapley_values()
    assert phi[0] == pytest.approx(25 / 51, rel=1e-15)
    np.testing.assert_allclose(phi[1:], (1 - 25 / 51) / 50, rtol=1e-15)


def test_weight_above_the_quota_and_unreachable_quota():
    np.testing.assert_array_equal(WeightedMajorityGame([9, 1, 1], 3).shapley_values(), [1, 0, 0])
    np.testing.assert_array_equal(WeightedMajorityGame([1, 1], 3).shapley_values(), [0, 0])


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: AdditiveGame([]), "weights"),
        (lambda: AdditiveGame([1.0, np.nan]), "weights must be finite"),
        (lambda: PairwiseGame([1.0, 2.0], np.zeros((3, 3))), r"must be \(2, 2\)"),
        (lambda: PairwiseGame([1.0, 2.0], [[0, 1], [2, 0]]), "symmetric"),
        (lambda: PairwiseGame([1.0, 2.0], np.eye(2)), "zero diagonal"),
        (lambda: UnanimityGame([1.0], np.ones((2, 3), bool)), "a row for each of the 1"),
        (lambda: AirportGame([1.0, -2.0]), "cost -2.0 is negative"),
        (lambda: GloveGame(0, 0), "n_left"),
        (lambda: GloveGame(-1, 3), "n_left must be an integer of at least 0"),
        (lambda: SymmetricMajorityGame(3, 4), "quota 4 is above the 3 players"),
        (lambda: SymmetricMajorityGame(3, 0), "quota must be"),
        (lambda: WeightedMajorityGame([1, 2.5], 2), "weight of player 1"),
        (lambda: WeightedMajorityGame([1, 2], 0), "quota"),
        (lambda: ParityGame(0), "n_players"),
    ],
)
def test_analytic_games_refuse_what_they_cannot_be(build, message):
    with pytest.raises(GameError, match=message):
        build()
