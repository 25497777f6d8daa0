"""Which sets are looked at."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np

from shapaudit.estimators.fits.screening import (
    _foremost,
    _spread,
    _taken,
    looks_at_all,
    products_of,
)
from shapaudit.games import all_coalitions


def test_screening_finds_the_largest_sums():
    rng = np.random.default_rng(3)
    signs, dual = np.where(rng.random((30, 7)) < 0.5, 1.0, -1.0), rng.standard_normal(30)
    rows, columns = np.triu_indices(7, 1)
    every = [
        (abs(dual @ (signs[:, i] * signs[:, j] * signs[:, k])), (i, j, k))
        for i in range(7)
        for j, k in zip(rows, columns, strict=True)
        if i < j
    ]
    best = [list(s) for _, s in sorted(every, reverse=True)[:4]]
    products = products_of(signs, np.ones(7))
    assert products.triples(dual, 4).tolist() == best
    grown = products.extended(dual, np.array(best[:1]), 3).tolist()
    assert all(set(best[0]) < set(row) and len(set(row)) == 5 for row in grown)
    others = [
        (abs(dual @ signs[:, [*best[0], i, j]].prod(axis=1)), sorted([*best[0], i, j]))
        for i, j in zip(rows, columns, strict=True)
        if not {i, j} & set(best[0])
    ]
    assert grown == [row for _, row in sorted(others, reverse=True)[:3]]


def test_places_are_in_the_order_of_their_best_rank():
    first, second = np.array([9.0, 5.0, 1.0, 3.0, 0.0]), np.array([0.0, 2.0, 1.0, 3.0, 9.0])
    assert _foremost(first).tolist() == [0, 1, 3, 2, 4]
    assert _foremost(first, second).tolist() == [0, 4, 1, 3, 2]


def test_what_is_searched_is_among_the_most_relevant_players(monkeypatch):
    monkeypatch.setattr("shapaudit.estimators.fits.screening.PLAYERS", 3)
    products = products_of(np.ones((4, 5)), np.array([0.1, 0.5, 0.2, 0.4, 0.3]))
    assert products.players.tolist() == [1, 3, 4]
    assert products.products.shape == (3, 4)


def fit_to(signs, dual, relevance, information):
    """What the screening asks of a fit, each set having the same information."""
    return SimpleNamespace(
        rows=SimpleNamespace(signs=signs),
        dual=dual,
        scale=2.0,
        kernel=SimpleNamespace(relevance=relevance, variance=4.0),
        hyper=SimpleNamespace(interactions=3.0),
        nugget=np.linspace(0.1, 0.5, len(signs)),
        information=lambda features: np.full(len(features), information),
    )


def test_the_spread_is_that_of_the_prior_and_of_the_noise_of_all_rows():
    fit = fit_to(np.ones((10, 3)), None, None, 1.0)
    expected = [0.3 / 10, 0.75 * 0.2 + 0.3 / 10]
    np.testing.assert_allclose(_spread(fit, np.array([0.0, 0.2])), expected)


def test_all_sets_that_agree_more_than_by_chance_are_taken():
    """Also beyond the first of them; there are thirty-five sets of three among seven players."""
    signs = np.where(all_coalitions(7), 1.0, -1.0)
    sets = np.array(list(combinations(range(7), 3)))
    sums = np.linspace(9.0, 10.0, 35)  # of each product times the dual
    dual = signs[:, sets].prod(axis=2) @ sums / 128
    numbers = np.full(35, 35.0)
    taken, variances = _taken(fit_to(signs, dual, np.full(7, 0.5), 1.5), [sets], numbers)
    assert taken.all()
    np.testing.assert_allclose(variances, 0.5 * (sums**2 / 2.0 / 1.5 - 1.0) / 1.5)
    taken, _ = _taken(fit_to(signs, 0.1 * dual, np.full(7, 0.5), 1.5), [sets], numbers)
    assert not taken.any()


def test_all_sets_are_looked_at_with_up_to_sixteen_players():
    assert looks_at_all(fit_to(np.ones((4, 16)), None, None, 1.0))
    assert not looks_at_all(fit_to(np.ones((4, 17)), None, None, 1.0))
