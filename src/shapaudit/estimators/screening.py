"""Sets of players that a fitted process asks for: those with which its dual agrees too much.

For a product z of signs over a set, z'dual / sqrt(scale z'P z) is standard normal if the process is
right; of N sets the largest is about sqrt(2 log N) then. Sets beyond that are taken. All sets of
three are looked at, and those of five and seven that extend what was found.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from .fourier import OddFeatures
from .supports import ODD_ORDERS

PLAYERS = 64  # the most relevant ones, whose sets are looked at
CANDIDATES = 128  # per round, or a quarter of the rows
STEMS = 6  # sets that are extended by two players
CAUTION = 0.5  # of the variance that is most likely for a set alone
CHUNK = 32  # candidates, the strongest first; after some of which none is taken there are no more


@dataclass(frozen=True, eq=False)
class Products:
    """Products of the signs of all two of some players, at n rows.

    Attributes
    ----------
    players : (few,) in increasing order
    signs : (n, few)
    first, second : (p,) places among the players, p = few (few - 1) / 2
    products : (p, n), in single precision
    """

    players: np.ndarray
    signs: np.ndarray
    first: np.ndarray
    second: np.ndarray
    products: np.ndarray

    def triples(self, dual: np.ndarray, count: int) -> np.ndarray:
        """The ``count`` sets of three places (k, 3) with the largest |z'dual|."""
        few = len(self.players)
        sums = np.abs(self.products @ (self.signs.T * dual.astype(np.float32)).T)
        sums[np.arange(few) <= self.second[:, None]] = -1.0  # a set once, in its order
        rows, last = np.divmod(_largest(sums.ravel(), min(count, comb(few, 3))), few)
        return np.stack([self.first[rows], self.second[rows], last], axis=1)

    def extended(self, dual: np.ndarray, stems: np.ndarray, count: int) -> np.ndarray:
        """The ``count`` sets of two more places than the ``stems`` (k, size), by |z'dual|."""
        few, size = len(self.players), stems.shape[1]
        of_stems = self.signs[:, stems].prod(axis=2) * dual.astype(np.float32)[:, None]
        sums = np.abs(self.products @ of_stems)
        within = np.zeros((few, len(stems)), dtype=bool)
        np.put_along_axis(within, stems.T, True, axis=0)
        sums[within[self.first] | within[self.second]] = -1.0
        found = []
        for stem, own in zip(stems, sums.T, strict=True):
            best = _largest(own, min(count, comb(few - size, 2)))
            pairs = self.first[best], self.second[best]
            grown = np.column_stack([np.tile(stem, (len(best), 1)), *pairs])
            found.append((np.sort(grown, axis=1), own[best]))
        grown, sums = (np.concatenate(parts) for parts in zip(*found, strict=True))
        every, place = np.unique(grown, axis=0, return_index=True)
        return every[np.argsort(-sums[place])[:count]]


def products_of(signs: np.ndarray, relevance: np.ndarray) -> Products:
    """Those of the most relevant players."""
    players = np.sort(np.argsort(-relevance, kind="stable")[:PLAYERS])
    seen = signs[:, players].astype(np.float32)
    first, second = np.triu_indices(len(players), 1)
    return Products(players, seen, first, second, (seen[:, first] * seen[:, second]).T)


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Places of the ``count`` largest values, the largest first."""
    best = np.argpartition(-values, count - 1)[:count]
    return best[np.argsort(-values[best])]


def asked_for(fit) -> tuple[list[np.ndarray], np.ndarray]:
    """Sets by order that the fit has not and asks for, and their first variances."""
    signs, d = fit.rows.signs, fit.rows.signs.shape[1]
    known = {one.shape[1]: set(map(tuple, one.tolist())) for one in fit.sets.members}
    members, variances = [], []
    for rows, number in candidates(fit):
        known_rows = known.get(rows.shape[1], ())
        rows = rows[[tuple(row) not in known_rows for row in rows.tolist()]]
        products = OddFeatures(d, [rows]).products(signs).astype(np.float64)
        agreed = np.square(products @ fit.dual) / fit.scale
        for start in range(0, len(rows), CHUNK):
            part = slice(start, start + CHUNK)
            information = np.maximum(fit.information(products[part]), 1e-300)
            strength = agreed[part] / information
            taken = strength > 2.0 * np.log(number)
            if not taken.any():
                break
            members.append(rows[part][taken])
            variances.append(CAUTION * (strength[taken] - 1.0) / information[taken])
    return members, np.concatenate(variances) if variances else np.empty(0)


def candidates(fit) -> Iterator[tuple[np.ndarray, int]]:
    """Sets (k, order) with which the dual agrees most, and the number of those looked at."""
    pairs = fit.pairs
    few, count = len(pairs.players), min(CANDIDATES, len(fit.dual) // 4)
    if few < 3 or count < 2:
        return
    found, number = pairs.triples(fit.dual, count), comb(few, 3)
    yield pairs.players[found], max(number, 2)
    for size in ODD_ORDERS[1:]:
        if few < size:
            return
        stems = found[:STEMS]
        found = pairs.extended(fit.dual, stems, count // 2)
        yield pairs.players[found], len(stems) * comb(few, 2)
