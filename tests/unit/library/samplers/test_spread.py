"""Pairs that are spread: each tells most of what is left, and all players are alike."""

import numpy as np
import pytest

from shapaudit import create
from shapaudit.estimators.pairs import draw_pairs, spread_pairs
from shapaudit.games import CountedGame, TabularGame, all_coalitions
from shapaudit.samplers import spread
from shapaudit.samplers.sizes import leverage_sizes
from shapaudit.samplers.spread import (
    LENGTH,
    MOST_PAIRS,
    NOISE,
    Spread,
    candidates,
    pays,
    shapley_covariances,
    spread_coalitions,
)
from shapaudit.samplers.without_replacement import pairs_of_size, stratified_coalitions
from shapaudit.truth import shapley_from_table
from solved_games import entry


def odd_covariance(d):
    """Covariances (2^d, 2^d) of the odd parts of all coalitions."""
    members = all_coalitions(d)
    apart = (members[:, None] != members).sum(axis=2)
    return 0.5 * (np.exp(-LENGTH * apart) - np.exp(-LENGTH * (d - apart)))


def shapley_matrix(d):
    """A (d, 2^d): the Shapley values of a game are A times its table."""
    return np.array([shapley_from_table(row) for row in np.eye(1 << d)]).T


def left_of(rows, d):
    """Sum of the posterior variances of the Shapley values given the odd part at some rows."""
    odd, shapley = odd_covariance(d), shapley_matrix(d)
    noise = np.where(np.array(rows) == (1 << d) - 1, 0.0, NOISE)
    known, across = odd[np.ix_(rows, rows)] + np.diag(noise), odd[:, rows]
    posterior = odd - across @ np.linalg.solve(known, across.T)
    return np.trace(shapley @ posterior @ shapley.T)


def chosen(d, draws, seed=0):
    return spread_coalitions(leverage_sizes(d), draws, d, np.random.default_rng(seed))


def drawn(d, draws, seed=0):
    rng = np.random.default_rng(seed)
    return stratified_coalitions(leverage_sizes(d), draws, d, rng, paired=True)


@pytest.mark.parametrize("d", [2, 5, 6, 9])
def test_covariances_with_the_shapley_values_are_those_of_the_definition(d):
    members = all_coalitions(d)
    inside, outside = shapley_covariances(d)
    sizes = members.sum(axis=1)[:, None]
    expected = odd_covariance(d) @ shapley_matrix(d).T
    found = np.where(members, inside[sizes], outside[sizes])
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("counts", [(0, 2, 3), (0, 5, 4), (0, 0, 6)])
def test_each_choice_leaves_the_least_variance_of_those_that_are_wanted(counts):
    d, powers = 5, 1 << np.arange(5)
    members = all_coalitions(d)
    given = np.random.default_rng(1).permutation(members[np.isin(members.sum(axis=1), (1, 2))])
    order, left, rows = Spread(given), np.array(counts), [(1 << d) - 1]
    found = order.first(left)
    order_of_choice = given[np.argsort(given.sum(axis=1), kind="stable")][order._chosen]
    for sizes in ((1,), (2,)) if counts[1] == 5 else ((1, 2),):  # a whole size comes first
        while left[list(sizes)].any():
            wanted = [row for row in given if row.sum() in sizes and left[row.sum()]]
            wanted = [row for row in wanted if row @ powers not in rows]
            least = min(left_of([*rows, row @ powers], d) for row in wanted)
            taken = order_of_choice[len(rows) - 1]
            assert left_of([*rows, taken @ powers], d) == pytest.approx(least, rel=1e-8)
            rows.append(taken @ powers)
            left[taken.sum()] -= 1
    assert set(found @ powers) == set(rows[1:])


@pytest.mark.parametrize(
    ("d", "draws"), [(8, 14), (9, 29), (12, 49), (5, 7), (3, 2), (30, 40), (12, MOST_PAIRS)]
)
def test_as_many_of_each_size_as_drawn_and_with_the_same_weights(d, draws):
    (coalitions, weights), (others, expected) = chosen(d, draws), drawn(d, draws)
    assert len(coalitions) == draws
    assert not np.array_equal(coalitions, others)
    np.testing.assert_array_equal(coalitions.sum(axis=1), others.sum(axis=1))
    np.testing.assert_array_equal(weights, expected)
    both = np.concatenate([coalitions, ~coalitions])
    assert len(np.unique(both, axis=0)) == 2 * draws


@pytest.mark.parametrize(
    ("d", "draws"), [(12, MOST_PAIRS + 1), (6, 31), (2, 1), (200, 99), (2000, 300)]
)
def test_many_all_and_very_few_pairs_are_drawn(d, draws):
    for found, expected in zip(chosen(d, draws), drawn(d, draws), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_it_pays_from_two_players_for_each_pair_to_the_most_pairs():
    assert [pays(pairs, 21) for pairs in (10, 11, MOST_PAIRS, MOST_PAIRS + 1)] == [
        *(False, True),
        *(True, False),
    ]


@pytest.mark.parametrize("d", [7, 8, 11])
def test_all_players_are_alike(d):
    rng = np.random.default_rng(d)
    counts = np.bincount(drawn(d, 25)[0].sum(axis=1), minlength=d // 2 + 1)
    given, order = candidates(counts, d, rng), rng.permutation(d)
    found = Spread(given).first(counts)
    renamed = Spread(given[:, order]).first(counts)
    np.testing.assert_array_equal(renamed, found[:, order])


def test_a_coalition_is_as_likely_as_any_of_its_size():
    d, runs = 6, 500
    seen = np.concatenate([chosen(d, 9, seed)[0] for seed in range(runs)])
    keys = np.minimum(seen @ (1 << np.arange(d)), ~seen @ (1 << np.arange(d)))
    for size in (2, 3):
        counts = np.unique(keys[seen.sum(axis=1) == size], return_counts=True)[1]
        expected = counts.sum() / pairs_of_size(size, d)
        assert len(counts) == pairs_of_size(size, d)
        assert (np.abs(counts - expected) < 4.5 * np.sqrt(expected)).all()


@pytest.mark.parametrize(("d", "draws"), [(9, 60), (13, 2000)])
def test_the_first_are_contained_in_those_that_follow(d, draws):
    order = Spread(np.random.default_rng(0).permutation(drawn(d, draws)[0]))
    whole = np.bincount(drawn(d, draws)[0].sum(axis=1), minlength=d // 2 + 1)
    before = set()
    for part in (0.05, 0.2, 0.3, 0.7, 1.0):
        counts = np.ceil(part * whole).astype(int)
        rows = order.first(counts)
        np.testing.assert_array_equal(np.bincount(rows.sum(axis=1)), counts)
        keys = {row.tobytes() for row in rows}
        assert len(keys) == counts.sum()
        assert before <= keys
        before = keys


@pytest.mark.parametrize(("d", "draws"), [(10, 14), (10, 300), (40, 21), (300, 150), (7, 62)])
def test_there_are_candidates_enough_of_each_size(d, draws):
    counts = np.bincount(drawn(d, draws)[0].sum(axis=1), minlength=d // 2 + 1)
    given = candidates(counts, d, np.random.default_rng(0))
    sizes = np.arange(d // 2 + 1)
    available = np.bincount(given.sum(axis=1), minlength=len(sizes))
    assert (available >= counts).all()
    assert (available <= np.round(pairs_of_size(sizes, d))).all()
    wanted = pairs_of_size(np.flatnonzero(counts), d).sum()
    assert available.sum() >= min(max(512, 2 * draws), wanted)
    assert len(np.unique(np.concatenate([given, ~given]), axis=0)) == 2 * len(given)


def test_the_generator_determines_them():
    (first, _), (again, _), (other, _) = (chosen(9, 29, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_auto_evaluates_them_within_its_budget():
    game = CountedGame(TabularGame(np.random.default_rng(0).standard_normal(1 << 9)), 60)
    pairs = spread_pairs(game, 60, "leverage", np.random.default_rng(5))
    coalitions, weights = chosen(9, 29, 5)
    np.testing.assert_array_equal(pairs.coalitions, coalitions)
    np.testing.assert_array_equal(pairs.weights, weights)
    expected = create("auto").estimate_from(pairs, np.random.default_rng(1)).values
    rng = np.random.default_rng(5)
    chosen_again = spread_pairs(game.game, 60, "leverage", rng)
    whole = create("auto").estimate(game.game, 60, np.random.default_rng(5)).values
    np.testing.assert_array_equal(create("auto").estimate_from(chosen_again, rng).values, whole)
    np.testing.assert_allclose(expected, whole, atol=0.2 * np.abs(whole).max())


@pytest.mark.parametrize("name", ["friedman-booster-baseline", "wine-kernel-baseline"])
def test_spread_pairs_tell_more_than_drawn_ones(name):
    solved, estimator, errors = entry(name).solved, create("auto"), []
    for pick in (spread_pairs, draw_pairs):
        squares = []
        for seed in range(6):
            pairs = pick(solved.game, 60, "leverage", np.random.default_rng(seed))
            values = estimator.estimate_from(pairs, np.random.default_rng(seed)).values
            squares.append(np.square(values - solved.values).sum())
        errors.append(np.mean(squares))
    assert errors[0] < errors[1]


def test_rounding_decides_on_no_choice(monkeypatch):
    counts = np.array([0, 4, 8, 8])
    given = candidates(counts, 7, np.random.default_rng(2))
    expected = Spread(given).first(counts)
    gains, noise = spread._Known.gains, np.random.default_rng(3)

    def rounded(known):
        exact = gains(known)
        return exact * (1.0 + 1e-13 * noise.standard_normal(len(exact)))

    monkeypatch.setattr(spread._Known, "gains", rounded)
    np.testing.assert_array_equal(Spread(given).first(counts), expected)
