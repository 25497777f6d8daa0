"""Sets of players that a fitted process asks for: those with which its dual agrees too much.

For a product z of signs over a set, z'dual / sqrt(scale z'P z) is standard normal if the process is
right; of N sets the largest is about sqrt(2 log N) then. Sets beyond that are taken. All sets of
three are looked at, and those of five and seven that extend what was found.
"""

from collections.abc import Iterator
from math import comb

import numpy as np

from .fourier import OddFeatures
from .supports import ODD_ORDERS

PLAYERS = 64  # the most relevant ones, whose sets are looked at
CANDIDATES = 128  # per round, or a quarter of the rows
STEMS = 6  # sets that are extended by two players
CAUTION = 0.5  # of the variance that is most likely for a set alone


def triples(signs: np.ndarray, dual: np.ndarray, count: int) -> np.ndarray:
    """The ``count`` sets of three (k, 3) with the largest |z'dual|, signs (n, d)."""
    signs, dual = signs.astype(np.float32), dual.astype(np.float32)
    d = signs.shape[1]
    found, sizes = [], []
    for j in range(d - 2):
        later = signs[:, j + 1 :]
        sums = np.abs((later * (dual * signs[:, j])[:, None]).T @ later)
        places = np.triu_indices(d - j - 1, 1)
        values = sums[places]
        best = np.argpartition(-values, min(count, len(values)) - 1)[:count]
        sizes.append(values[best])
        found.append(np.stack([np.full(len(best), j), *(p[best] + j + 1 for p in places)], axis=1))
    order = np.argsort(-np.concatenate(sizes))[:count]
    return np.concatenate(found)[order]


def extended(signs: np.ndarray, dual: np.ndarray, stems: np.ndarray, count: int) -> np.ndarray:
    """The ``count`` sets of two more players than the ``stems`` (k, size), by |z'dual|."""
    d = signs.shape[1]
    places = np.triu_indices(d, 1)
    found, sizes = [], []
    for members in stems:
        sums = np.abs((signs * (dual * signs[:, members].prod(axis=1))[:, None]).T @ signs)
        sums[members], sums[:, members] = 0.0, 0.0
        values = sums[places]
        best = np.argpartition(-values, min(count, len(values)) - 1)[:count]
        best = best[values[best] > 0]
        grown = np.column_stack([np.tile(members, (len(best), 1)), *(p[best] for p in places)])
        found.append(np.sort(grown, axis=1))
        sizes.append(values[best])
    every, first = np.unique(np.concatenate(found), axis=0, return_index=True)
    return every[np.argsort(-np.concatenate(sizes)[first])[:count]]


def asked_for(fit) -> tuple[list[np.ndarray], np.ndarray]:
    """Sets by order that the fit has not and asks for, and their first variances."""
    signs, d = fit.rows.signs, fit.rows.signs.shape[1]
    known = {one.shape[1]: set(map(tuple, one.tolist())) for one in fit.sets.members}
    members, variances = [], []
    for rows, number in candidates(fit):
        known_rows = known.get(rows.shape[1], ())
        rows = rows[[tuple(row) not in known_rows for row in rows.tolist()]]
        products = OddFeatures(d, [rows]).products(signs).astype(np.float64)
        information = np.maximum(fit.information(products), 1e-300)
        strength = np.square(products @ fit.dual) / (fit.scale * information)
        taken = strength > 2.0 * np.log(number)
        if taken.any():
            members.append(rows[taken])
            variances.append(CAUTION * (strength[taken] - 1.0) / information[taken])
    return members, np.concatenate(variances) if variances else np.empty(0)


def candidates(fit) -> Iterator[tuple[np.ndarray, int]]:
    """Sets (k, order) with which the dual agrees most, and the number of those looked at."""
    signs = fit.rows.signs
    players = np.sort(np.argsort(-fit.hyper.relevance, kind="stable")[:PLAYERS])
    seen, few = signs[:, players], len(players)
    count = min(CANDIDATES, len(signs) // 4)
    if few < 3 or count < 2:
        return
    found, number = triples(seen, fit.dual, count), comb(few, 3)
    yield players[found], max(number, 2)
    for size in ODD_ORDERS[1:]:
        if few < size:
            return
        stems = found[:STEMS]
        found = extended(seen, fit.dual, stems, count // 2)
        yield players[found], len(stems) * comb(few, 2)
