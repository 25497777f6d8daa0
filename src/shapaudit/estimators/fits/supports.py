"""Sets of players whose Walsh functions enter a regression on the odd part of a game."""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np
from numba import njit

from ...games.leaves import LeafTerms

ODD_ORDERS = (3, 5, 7)


def heaviest_sets(weights: np.ndarray, count: int) -> list[np.ndarray]:
    """The ``count`` sets of 3, 5 or 7 players with the largest products of their weights.

    ``weights`` (d,) are positive. Returns one array (n, order) per order, members in any order.
    """
    d = len(weights)
    ranking = np.argsort(-weights, kind="stable")
    costs = -np.log(weights[ranking])
    first = [k for k in ODD_ORDERS if k <= d]
    sizes = np.zeros(len(first) + 2 * count, dtype=np.int64)
    places = np.tile(np.arange(ODD_ORDERS[-1]), (len(sizes), 1))
    sizes[: len(first)] = first
    totals = np.array([costs[:k].sum() for k in first])
    taken = np.zeros(len(sizes), dtype=bool)
    _best_first(costs, sizes, places, totals, taken, count)
    chosen = ((places[taken & (sizes == k)], k) for k in first)
    return [ranking[members[:, :k]] for members, k in chosen if len(members)]


@njit(cache=True, nogil=True)
def _best_first(
    costs: np.ndarray,
    sizes: np.ndarray,
    places: np.ndarray,
    totals: np.ndarray,
    taken: np.ndarray,
    count: int,
) -> None:
    """Mark the ``count`` sets of least total cost, starting from the first ones with ``totals``.

    From each set that is taken, further ones follow: its first member that is not at the i-th place
    of the ranking, or the member before it, moves one place down. So each set follows from exactly
    one other.
    """
    end = totals.size
    waiting = [(totals[row], row) for row in range(end)]
    heapify(waiting)
    for _ in range(count):
        if not waiting:
            return
        total, row = heappop(waiting)
        k, taken[row] = sizes[row], True
        moved = 0
        while moved < k and places[row, moved] == moved:
            moved += 1
        for i in range(max(moved - 1, 0), min(moved + 1, k)):
            place = places[row, i]
            if place + 1 < (places[row, i + 1] if i + 1 < k else costs.size):
                for j in range(k):
                    places[end, j] = places[row, j]
                places[end, i] = place + 1
                sizes[end] = k
                heappush(waiting, (total + costs[place + 1] - costs[place], end))
                end += 1


def sets_of_trees(terms: LeafTerms, n_players: int, count: int) -> list[np.ndarray]:
    """The ``count`` sets of three or more players, odd in number, of largest Walsh coefficient.

    A term u 1{A in S} 1{B and S disjoint} is u 2^-k prod_A (1 + s_j) prod_B (1 - s_j) with
    k = |A| + |B|: every T within A and B has the coefficient u 2^-k (-1)^|T and B|.
    """
    signs = _bits(terms.present, n_players).astype(np.int8) - _bits(terms.absent, n_players)
    sizes = np.abs(signs).sum(axis=1)
    parts: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    for k in range(3, sizes.max(initial=0) + 1):
        rows = signs[sizes == k]
        if not len(rows):
            continue
        members = np.nonzero(rows)[1].reshape(-1, k)
        sides = np.take_along_axis(rows, members, axis=1)
        shares = terms.values[sizes == k] * 0.5**k
        for order in range(3, k + 1, 2):
            for places in map(list, combinations(range(k), order)):
                coefficients = shares * sides[:, places].prod(axis=1)
                parts.setdefault(order, []).append((members[:, places], coefficients))
    merged = [_merged(terms_of_order) for terms_of_order in parts.values()]
    if not merged:
        return []
    strengths = np.concatenate([np.abs(coefficients) for _, coefficients in merged])
    least = np.partition(strengths, -count)[-count] if count < len(strengths) else 0.0
    chosen = [sets[np.abs(coefficients) >= max(least, 1e-12)] for sets, coefficients in merged]
    return [sets for sets in chosen if len(sets)]


def _bits(masks: np.ndarray, n_players: int) -> np.ndarray:
    octets = np.ascontiguousarray(masks, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little", count=n_players)


def _merged(terms: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Distinct sets, with the sums of the coefficients of equal ones."""
    sets, place = np.unique(
        np.concatenate([members for members, _ in terms]), axis=0, return_inverse=True
    )
    coefficients = np.concatenate([values for _, values in terms])
    return sets, np.bincount(place.ravel(), weights=coefficients, minlength=len(sets))
