"""Pairs that are chosen: by what they tell, distinct, within the budget, reproducible."""

import numpy as np
import pytest

from shapaudit.estimators import create, informative
from shapaudit.estimators.fits.product_process import covariance, process_of
from shapaudit.estimators.informative import (
    BATCH,
    LEAST_FIRST,
    MOST_PAIRS,
    NUGGET,
    informative_pairs,
    most_informative,
)
from shapaudit.estimators.pairs import draw_pairs
from shapaudit.games import CountedGame, TabularGame, all_coalitions
from shapaudit.truth import shapley_from_table
from solved_games import entry


def chosen(game, budget, seed=0):
    return informative_pairs(game, budget, "leverage", np.random.default_rng(seed))


def random_game(d, seed=0):
    members = all_coalitions(d).astype(float)
    weights = np.random.default_rng(seed).standard_normal((d, 2))
    return TabularGame(np.sin(members @ weights).sum(axis=1))


def shapley_matrix(d):
    """A (d, 2^d): the Shapley values of a game are A times its table."""
    return np.array([shapley_from_table(row) for row in np.eye(1 << d)]).T


def left_of(process, rows, d):
    """Sum of the posterior variances of the Shapley values given the odd part at rows."""
    signs = np.where(all_coalitions(d), 1.0, -1.0)
    odd = 0.5 * (
        covariance(process.lengths, signs, signs) - covariance(process.lengths, signs, -signs)
    )
    known = odd[np.ix_(rows, rows)] + NUGGET * np.eye(len(rows))
    across, shapley = odd[:, rows], shapley_matrix(d)
    posterior = odd - across @ np.linalg.solve(known, across.T)
    return np.trace(shapley @ posterior @ shapley.T)


def test_each_choice_leaves_the_least_variance_of_the_shapley_values():
    d, powers = 5, 1 << np.arange(5)
    pairs = draw_pairs(random_game(d), 14, "leverage", np.random.default_rng(0))
    process = process_of(pairs)
    rows = [*(pairs.coalitions @ powers), (1 << d) - 1]
    others = all_coalitions(d)[[k for k in range(1, 16) if not {k, 31 - k} & set(rows)]]
    for number in most_informative(process, others, 3):
        left = [left_of(process, [*rows, each @ powers], d) for each in others]
        assert left[number] == pytest.approx(min(left), rel=1e-6)
        rows.append(others[number] @ powers)


@pytest.mark.parametrize(("d", "budget"), [(8, 30), (9, 61), (12, 100), (5, 16), (5, 24)])
def test_pairs_are_distinct_and_their_values_right(d, budget):
    game = random_game(d)
    pairs = chosen(CountedGame(game, budget), budget)
    m = len(pairs.values)
    assert m == (budget - 2) // 2
    both = np.concatenate([pairs.coalitions, ~pairs.coalitions])
    assert len({row.tobytes() for row in both}) == 2 * m
    assert np.all(both.any(axis=1) & ~both.all(axis=1))
    np.testing.assert_array_equal(np.append(pairs.values, pairs.opposite), game(both))
    assert (np.diff(pairs.coalitions.sum(axis=1)) >= 0).all()
    assert pairs.coalitions.sum(axis=1).max() <= d // 2


def test_the_generator_determines_them():
    first, again, other = (chosen(random_game(9), 60, seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first.coalitions, again.coalitions)
    assert not np.array_equal(first.coalitions, other.coalitions)


@pytest.mark.parametrize(
    ("d", "budget"), [(9, 2 * LEAST_FIRST + 2), (9, 2 * MOST_PAIRS + 4), (6, 64), (200, 130)]
)
def test_few_many_and_all_pairs_are_drawn(d, budget, monkeypatch):
    monkeypatch.setattr(informative, "most_informative", None)
    game = create_game(d)
    drawn = draw_pairs(game, budget, "leverage", np.random.default_rng(0))
    found = chosen(game, budget)
    np.testing.assert_array_equal(found.coalitions, drawn.coalitions)
    np.testing.assert_array_equal(found.weights, drawn.weights)


def create_game(d):
    class Counts:
        n_players = d

        def __call__(self, coalitions):
            return coalitions.sum(axis=1).astype(float)

    return Counts()


def test_values_are_asked_for_in_batches():
    game, calls = random_game(10), []

    class Asked:
        n_players = 10

        def __call__(self, coalitions):
            calls.append(len(coalitions))
            return game(coalitions)

    chosen(Asked(), 60)
    inner = [size for size in calls if size > 1]
    assert sum(inner) == 58
    assert max(inner) <= 2 * BATCH
    assert len(inner) == 1 + -(-(29 - 6) // BATCH)


@pytest.mark.parametrize("name", ["friedman-booster-baseline", "wine-kernel-baseline"])
def test_chosen_pairs_tell_more_than_drawn_ones(name):
    solved, estimator, errors = entry(name).solved, create("auto"), []
    for pick in (informative_pairs, draw_pairs):
        squares = []
        for seed in range(6):
            pairs = pick(solved.game, 60, "leverage", np.random.default_rng(seed))
            values = estimator.estimate_from(pairs, np.random.default_rng(seed)).values
            squares.append(np.square(values - solved.values).sum())
        errors.append(np.mean(squares))
    assert errors[0] < errors[1]
