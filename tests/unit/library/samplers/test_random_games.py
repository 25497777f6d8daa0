"""Games drawn at random are what their names say."""

import numpy as np
import pytest

from shapaudit.games import tabulate
from shapaudit.samplers.random_games import (
    KINDS,
    LARGEST_TERM,
    TERMS,
    draw_varying,
    majority_table,
    parity_table,
    sparse_game,
    threshold_game,
)
from shapaudit_papers.theory.pairing import split

D = 7


@pytest.mark.parametrize("name", KINDS)
def test_kinds_are_tables_of_spread_one_from_their_generator(name):
    values = draw_varying(KINDS[name], D, np.random.default_rng(1))
    assert values.shape == (1 << D,)
    assert values.std() == pytest.approx(1)
    np.testing.assert_array_equal(values, draw_varying(KINDS[name], D, np.random.default_rng(1)))


def test_a_constant_table_is_drawn_again():
    tables = iter([np.ones(4), np.zeros(4), np.array([0.0, 2.0, 2.0, 0.0])])
    values = draw_varying(lambda d, rng: next(tables), 2, np.random.default_rng(0))
    np.testing.assert_array_equal(values, [0, 2, 2, 0])


@pytest.mark.parametrize("degree", [2, 3])
def test_parities_are_pure_interactions_of_their_degree(degree):
    values = parity_table(D, degree, np.random.default_rng(2))
    odd, even = split(values)
    np.testing.assert_allclose(even if degree % 2 else odd, 0, atol=1e-12)
    signs = 1 - 2 * (np.arange(1 << D)[:, None] >> np.arange(D) & 1)
    np.testing.assert_allclose(signs.T @ values, 0, atol=1e-10)


def test_a_majority_of_an_odd_number_has_no_even_part_but_its_mean():
    _, even = split(majority_table(D))
    np.testing.assert_array_equal(even, 0.5)


def test_a_threshold_game_ends_on_the_side_it_does_not_start_on():
    rng = np.random.default_rng(3)
    for _ in range(20):
        values = tabulate(threshold_game(D, rng)).values
        assert (values[0], values[-1]) == (0.0, 1.0)


def test_sparse_games_have_terms_of_few_players():
    for players in (3, 30):
        game = sparse_game(players, np.random.default_rng(4))
        sizes = game.members.sum(axis=1)
        assert len(sizes) == TERMS
        assert (sizes.min(), sizes.max()) == (1, min(players, LARGEST_TERM))
