"""Enumeration against the definition, the axioms, and what it may ask of a game."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from shapaudit.games import GameError, ParityGame, RadialGame, TabularGame, tabulate
from shapaudit.truth import shapley_exact, shapley_from_table, size_weights


def shapley_by_definition(table):
    """Mean marginal contribution over all d! orders, in rational arithmetic."""
    d = len(table).bit_length() - 1
    table = [Fraction(value) for value in np.asarray(table, dtype=float).tolist()]
    totals, count = [Fraction(0)] * d, 0
    for order in permutations(range(d)):
        index, count = 0, count + 1
        for player in order:
            totals[player] += table[index | 1 << player] - table[index]
            index |= 1 << player
    return np.array([float(total / count) for total in totals])


def shapley_by_size(table):
    """Weighted marginal contributions over all coalitions, one player at a time."""
    d = len(table).bit_length() - 1
    index = np.arange(len(table))
    weights = size_weights(d)[1:]
    phi = []
    for player in range(d):
        without = index[index >> player & 1 == 0]
        steps = table[without | 1 << player] - table[without]
        phi.append(weights[np.bitwise_count(without)] @ steps)
    return np.array(phi)


def lambda_game(n_players, function, name="custom"):
    def game(coalitions):
        return function(coalitions)

    game.n_players = n_players
    game.name = name
    return game


@pytest.mark.parametrize("d", range(1, 7))
def test_table_values_are_the_definition(d):
    for seed in range(4):
        table = np.random.default_rng([seed, d]).normal(size=2**d)
        expected = shapley_by_definition(table)
        np.testing.assert_allclose(shapley_from_table(table), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("d", [9, 10, 11, 13, 16])
def test_table_values_around_the_block_size(d):
    table = np.random.default_rng(d).normal(size=2**d)
    np.testing.assert_allclose(
        shapley_from_table(table), shapley_by_size(table), rtol=0, atol=1e-14
    )


def test_tables_are_batched_over_leading_axes():
    tables = np.random.default_rng(0).normal(size=(3, 2, 2**11))
    phi = shapley_from_table(tables)
    assert phi.shape == (3, 2, 11)
    for i in range(3):
        for j in range(2):
            np.testing.assert_array_equal(phi[i, j], shapley_from_table(tables[i, j]))
    assert shapley_from_table(np.zeros((0, 8))).shape == (0, 3)


def test_tables_of_other_types_layouts_and_read_only_ones():
    table = np.random.default_rng(0).normal(size=2**5).astype(np.float32)
    expected = shapley_from_table(table.astype(np.float64))
    np.testing.assert_array_equal(shapley_from_table(table), expected)
    strided = np.repeat(table, 2)[::2]
    np.testing.assert_array_equal(shapley_from_table(strided), expected)
    kept = table.astype(np.float64)
    kept.flags.writeable = False
    np.testing.assert_array_equal(shapley_from_table(kept), expected)
    np.testing.assert_array_equal(shapley_from_table(kept.tolist()), expected)


def test_axioms_hold_for_tables():
    rng = np.random.default_rng(1)
    d, index = 12, np.arange(2**12)
    first, second = rng.normal(size=(2, 2**d))
    phi = shapley_from_table(first)
    assert phi.sum() == pytest.approx(first[-1] - first[0], abs=1e-13)
    mixed = shapley_from_table(3 * first - 2 * second)
    np.testing.assert_allclose(mixed, 3 * phi - 2 * shapley_from_table(second), atol=1e-13)
    for dummy in (0, 5, 11):
        # player adds exactly 0.75 to everything
        table = first[index & ~(1 << dummy)] + 0.75 * (index >> dummy & 1)
        assert shapley_from_table(table)[dummy] == pytest.approx(0.75, abs=1e-14)
    for i, j in ((0, 11), (3, 4), (9, 10)):
        swap = (index >> i ^ index >> j) & 1
        swapped = index ^ (swap << i) ^ (swap << j)
        phi_symmetric = shapley_from_table(first + first[swapped])
        assert phi_symmetric[i] == pytest.approx(phi_symmetric[j], abs=1e-14)


def test_large_offset_costs_no_digits():
    table = np.random.default_rng(2).integers(-50, 50, size=2**10).astype(float)
    shifted = shapley_from_table(table + 2.0**40)
    np.testing.assert_allclose(shifted, shapley_from_table(table), rtol=0, atol=1e-12)
    assert shapley_from_table(np.full(2**12, 1e17)).tolist() == [0.0] * 12


@pytest.mark.parametrize("d", [20, 24])
def test_size_weights_sum_to_one_over_coalitions(d):
    counts = [Fraction(1)]
    for s in range(d):
        counts.append(counts[-1] * (d - 1 - s) / (s + 1))
    weights = size_weights(d)
    assert weights[0] == weights[-1] == 0
    total = sum(count * Fraction(w) for count, w in zip(counts, weights[1:-1], strict=False))
    assert float(total) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("index", [0, 1, 700, 4095])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_value_in_a_table_names_table_and_coalition(index, value):
    tables = np.zeros((3, 2**12))
    tables[1, index] = value
    members = [j for j in range(12) if index >> j & 1]
    with pytest.raises(GameError, match=rf"table 1 returned {value} .*players \[") as caught:
        shapley_from_table(tables)
    assert f"players {members};" in str(caught.value)


def test_overflow_is_named():
    table = np.array([-1e308, 1e308, 1e308, -1e308] * 4)
    with pytest.raises(GameError, match="overflow"):
        shapley_from_table(table)
    with pytest.raises(GameError, match="overflow"):
        shapley_exact(lambda_game(4, lambda coalitions: table[: len(coalitions)]))


@pytest.mark.parametrize("shape", [(6,), (1,), (4, 0)])
def test_table_of_another_length_is_refused(shape):
    with pytest.raises(GameError, match="2\\^d values"):
        shapley_from_table(np.zeros(shape))


@pytest.mark.parametrize("chunk", [1, 3, 64, 1000, 1 << 14])
def test_enumeration_asks_for_each_coalition_once_in_chunks(chunk):
    table = np.random.default_rng(0).normal(size=2**11)
    tabular, asked = TabularGame(table), []

    def values(coalitions):
        assert len(coalitions) <= chunk
        asked.extend(np.packbits(coalitions, axis=1).tolist())
        coalitions_values = tabular(coalitions)
        coalitions[:] = False  # a game may do as it likes with its argument
        return coalitions_values

    truth = shapley_exact(lambda_game(11, values), chunk)
    assert len(asked) == len({tuple(row) for row in asked}) == 2**11
    assert (truth.certificate, truth.method) == ("exact", "enumeration")
    np.testing.assert_allclose(truth.values, shapley_by_size(table), rtol=0, atol=1e-14)


def test_enumeration_of_a_table_and_of_the_same_callable():
    game = tabulate(RadialGame(*np.random.default_rng(5).normal(size=(2, 16))))
    called = shapley_exact(lambda_game(16, game))
    np.testing.assert_allclose(shapley_exact(game).values, called.values, rtol=0, atol=1e-15)


def test_enumeration_refuses_too_many_players_and_bad_values():
    with pytest.raises(GameError, match="parity has 25 players"):
        shapley_exact(ParityGame(25))
    bad = lambda_game(3, lambda c: np.where(c.sum(axis=1) == 2, np.nan, 1.0), "bad")
    with pytest.raises(GameError, match=r"bad returned nan for the coalition of players \[0, 1\]"):
        shapley_exact(bad)
    with pytest.raises(GameError, match=r"bad returned shape \(1,\) for 8"):
        shapley_exact(lambda_game(3, lambda c: np.zeros(1), "bad"))
