"""Synthetic games of the suite, against the definitions of their kinds."""

from itertools import combinations

import numpy as np
import pytest

from shapaudit.games import all_coalitions
from solved_games import entries, entry
from solved_games.synthetic import KINDS


def drawn(kind, count, d=None):
    """Games of a kind, with its first number of players."""
    situation = entry(f"{kind}-{d or KINDS[kind][0][0]}")
    return [situation.drawn(k).game for k in range(count)]


def spectrum(values, d):
    """Walsh coefficients of a table (2^d,) and the sizes of their sets."""
    members = all_coalitions(d).astype(int)
    signs = 1 - 2 * (members @ members.T % 2)
    return signs @ values / 2**d, members.sum(axis=1)


def test_kinds_and_players_are_in_the_names():
    names = {listed.name: listed.n_players for listed in entries() if listed.kind == "synthetic"}
    assert names == {f"{kind}-{d}": d for kind, (players, _) in KINDS.items() for d in players}


def test_other_draws_are_other_games():
    situation = entry("range-10")
    first, again, other = (situation.drawn(k).game.values for k in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert not np.isclose(first, other).all()
    assert not np.isclose(situation.solved.game.values, first).all()


def test_votes_need_more_than_half_of_their_weight():
    weights = np.array([game.weights for game in drawn("voting", 300)])
    # 1 and a Poisson number of mean 24 u^2: means 1 + 8, variances 8 + 576 (1/5 - 1/9)
    assert weights.min() >= 1
    assert weights.mean() == pytest.approx(9, abs=4 * np.sqrt(59.2 / weights.size))
    assert weights.var() == pytest.approx(59.2, rel=0.1)
    for game in drawn("voting", 5):
        coalitions = all_coalitions(game.n_players)
        wins = 2 * (coalitions @ game.weights) > game.weights.sum()
        np.testing.assert_array_equal(game(coalitions), wins)


def test_factors_of_products_are_lognormal():
    games = drawn("product", 200)
    logs = np.log([[game.present, game.absent] for game in games])
    assert logs.mean() == pytest.approx(0, abs=4 * logs.std() / np.sqrt(logs.size))
    assert logs.std() == pytest.approx(2.5 / np.sqrt(games[0].n_players), rel=0.06)


@pytest.mark.parametrize(
    ("kind", "d", "smallest", "largest", "terms"),
    [
        ("very-sparse", 12, 2, 6, 12),
        ("second-order", 11, 1, 2, 150),
        ("third-order", 12, 1, 3, 120),
    ],
)
def test_terms_have_the_sizes_of_their_kind(kind, d, smallest, largest, terms):
    sizes = []
    for game in drawn(kind, 5, d):
        members = np.asarray(game.members)
        assert members.shape == (terms, d)
        sizes.append(members.sum(axis=1))
    assert set(np.concatenate(sizes)) == set(range(smallest, largest + 1))


@pytest.mark.parametrize(
    ("kind", "d", "degree"), [("parities-of-3", 10, 3), ("parities-of-5", 11, 5)]
)
def test_parities_have_their_degree_and_main_effects(kind, d, degree):
    coefficients, sizes = [], None
    for game in drawn(kind, 6, d):
        transform, sizes = spectrum(game.values, d)
        coefficients.append(transform)
    coefficients = np.array(coefficients)
    present = (sizes == 1) | (sizes == degree)
    np.testing.assert_allclose(coefficients[:, ~present], 0, atol=1e-12)
    assert coefficients[:, sizes == degree].std() * d == pytest.approx(1, rel=0.15)
    assert coefficients[:, sizes == 1].std() == pytest.approx(1, rel=0.35)


def test_one_parity_is_of_seven_players():
    members = set()
    for k in range(3):
        solved = entry("one-parity-10").drawn(k)
        seven = np.flatnonzero(solved.values > 0.01)
        np.testing.assert_allclose(solved.values[seven], 1 / 7)
        assert len(seven) == 7
        odd = all_coalitions(10)[:, seven].sum(axis=1) % 2
        np.testing.assert_array_equal(solved.game.values, odd)
        members.add(tuple(seven))
    assert len(members) == 3


def test_noise_is_normal_and_smooth_noise_halves_with_each_member():
    noise = np.array([game.values for game in drawn("noise", 20)])
    assert noise.mean() == pytest.approx(0, abs=4 / np.sqrt(noise.size))
    assert noise.std() == pytest.approx(1, rel=0.05)
    (game,) = drawn("smooth-noise", 1)
    transform, sizes = spectrum(game.values, 12)
    for size in range(3, 10):
        chosen = transform[sizes == size]
        assert chosen.std() * 2**size == pytest.approx(1, rel=4 / np.sqrt(2 * len(chosen)))


def test_a_range_is_the_largest_of_its_pairs():
    (game,) = drawn("range", 1)
    values = game.values
    for place in range(2**10):
        members = [j for j in range(10) if place >> j & 1]
        pairs = [values[1 << i | 1 << j] for i, j in combinations(members, 2)]
        assert values[place] == pytest.approx(max(pairs, default=0.0), abs=1e-12)
    along = values[[1 | 1 << j for j in range(1, 10)]]  # |w_j - w_0|, w normal
    assert along.min() > 0
