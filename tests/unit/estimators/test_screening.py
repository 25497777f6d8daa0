"""Which sets are looked at."""

import numpy as np

from shapaudit.estimators.screening import _foremost, products_of


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
    monkeypatch.setattr("shapaudit.estimators.screening.PLAYERS", 3)
    products = products_of(np.ones((4, 5)), np.array([0.1, 0.5, 0.2, 0.4, 0.3]))
    assert products.players.tolist() == [1, 3, 4]
    assert products.products.shape == (3, 4)
