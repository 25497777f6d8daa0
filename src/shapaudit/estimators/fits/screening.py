"""Sets of players that a fitted process asks for: those with which its dual agrees too much.

For a product z of signs over a set, z'dual / sqrt(scale z'P z) is standard normal if the process is
right; of N sets the largest is about sqrt(2 log N) then. Sets beyond that are taken. Among few
players all sets are looked at, by one transform; among many all sets of three of the most relevant
ones, those of five and seven that extend what was found, and those that boosted trees propose.
Trees have seen the rows, so that these agree more than by chance: pairs left out decide about them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from ...games import coalition_index
from ...games.leaves import leaf_terms
from ..walsh import transform
from .fourier import OddFeatures
from .supports import ODD_ORDERS, sets_of_trees
from .trees import fit_trees

if TYPE_CHECKING:
    from .kriging import Kriging  # which imports this module

PLAYERS = 64  # the most relevant ones, whose sets are looked at
CANDIDATES = 128  # per round, or a quarter of the rows
PROPOSED = 256  # sets of trees, or half of the rows
STEMS, OWN_STEMS = 6, 64  # new sets, and those of the fit, that are extended by two players
CAUTION = 0.5  # of the variance that is most likely for a set alone
MOST_TABLED = 16  # players up to which all sets are looked at
CHUNK = 8  # first candidates, twice as many next; where none of some is taken there are no more
# Sets by order, which of them a fit asks for, and their variances.
Proposal = tuple[list[np.ndarray], np.ndarray, np.ndarray]


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


def _strongest(fit: "Kriging", size: int) -> np.ndarray:
    """Places among the most relevant players of the fit's own sets of this size.

    Those of largest coefficients: what extends a set is found when the set is known already.
    """
    coefficients = np.abs(fit.sets.variances * (fit.products @ fit.dual))
    ends = np.cumsum([len(one) for one in fit.sets.members], dtype=int)
    for sets, own in zip(fit.sets.members, np.split(coefficients, ends)[:-1], strict=True):
        if sets.shape[1] == size:
            rows = np.sort(sets[np.argsort(-own, kind="stable")[:OWN_STEMS]], axis=1)
            inside = np.isin(rows, fit.pairs.players).all(axis=1)
            return np.searchsorted(fit.pairs.players, rows[inside])
    return np.empty((0, size), dtype=int)


def looks_at_all(fit: "Kriging") -> bool:
    """Whether the players are so few that all sets are looked at."""
    return fit.rows.signs.shape[1] <= MOST_TABLED


def asked_for(fit: "Kriging") -> tuple[list[np.ndarray], np.ndarray]:
    """Sets by order that the fit has not and asks for, and their first variances."""
    return _gathered(_looked_at(fit))


def asked_of_trees(fit: "Kriging") -> tuple[list[np.ndarray], np.ndarray]:
    """As `asked_for`, of the sets that boosted trees propose, which are fitted without the slopes.

    None where all sets are looked at.
    """
    return _gathered(_proposed(fit))


def _gathered(groups: Iterable[Proposal]) -> tuple[list[np.ndarray], np.ndarray]:
    members, variances = [], []
    for sets, taken, found in groups:
        ends = np.cumsum([len(one) for one in sets], dtype=int)
        for rows, own in zip(sets, np.split(taken, ends)[:-1], strict=True):
            if own.any():
                members.append(rows[own])
        variances.append(found[taken])
    return members, np.concatenate(variances) if variances else np.empty(0)


def asks_for_any(fit: "Kriging") -> bool:
    """Whether there are sets that the fit asks for: it looks no further than the first of them."""
    return any(taken.any() for _, taken, _ in chain(_looked_at(fit), _proposed(fit)))


def _looked_at(fit: "Kriging") -> Iterator[Proposal]:
    """Sets by order, which of them the fit asks for, and their variances; group after group."""
    for sets, numbers in every_set(fit) if looks_at_all(fit) else candidates(fit):
        yield sets, *_taken(fit, sets, numbers)


def _proposed(fit: "Kriging") -> Iterator[Proposal]:
    """As `_looked_at`, the sets of largest Walsh coefficient in boosted trees."""
    signs = fit.rows.signs[:-1]
    m, d = signs.shape
    if looks_at_all(fit):
        return
    left = fit.rows.values[:-1] - signs @ fit.slopes
    terms = leaf_terms(fit_trees(signs > 0, left, -left), np.ones(d), np.zeros(d))
    found = (np.sort(one, axis=1) for one in sets_of_trees(terms, d, min(m // 2, PROPOSED)))
    sets = [one for one in (_unknown(fit, one) for one in found) if len(one)]
    if sets:
        number = sum(map(len, sets))
        yield sets, *_taken(fit, sets, np.full(number, max(number, 2.0)))


def _taken(
    fit: "Kriging", sets: Sequence[np.ndarray], numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which of the sets the fit asks for, and the variances of these; ``numbers`` looked at."""
    products = OddFeatures(fit.rows.signs.shape[1], sets).products(fit.rows.signs)
    agreed = np.square(products @ fit.dual) / fit.scale
    thresholds = 2.0 * np.log(numbers)
    known = np.concatenate([fit.kernel.relevance[members].prod(axis=1) for members in sets])
    ranking = _foremost(agreed / thresholds, agreed * _spread(fit, known) / thresholds)
    taken, variances = np.zeros(len(agreed), dtype=bool), np.zeros(len(agreed))
    start, size = 0, CHUNK
    while start < len(ranking):
        part = ranking[start : start + size]
        start, size = start + size, 2 * size
        information = fit.information(products[part])
        information = np.where(information > 0, information, np.inf)
        strength = agreed[part] / information
        taken[part] = strength > thresholds[part]
        if not taken[part].any():
            break
        variances[part] = CAUTION * (strength - 1.0) / information
    return taken, variances


def _foremost(*measures: np.ndarray) -> np.ndarray:
    """Places in the order of the best rank that one of the measures (p,) gives them."""
    ranks = [np.argsort(np.argsort(-one, kind="stable")) for one in measures]
    return np.argsort(np.min(ranks, axis=0), kind="stable")


def _spread(fit: "Kriging", products: np.ndarray) -> np.ndarray:
    """About one over the information of sets (p,): their variances beside the noise of n rows.

    By the ``products`` (p,) of their members' relevances alone. Without noise, sets that nobody
    asks for agree as much as the others; one of small variance is found by agreement alone.
    """
    variances = fit.hyper.interactions * products / fit.kernel.variance
    return variances + fit.nugget.mean() / len(fit.nugget)


def _unknown(fit: "Kriging", rows: np.ndarray) -> np.ndarray:
    """Those of the sets (k, order) that the fit has not."""
    known = [one for one in fit.sets.members if one.shape[1] == rows.shape[1]]
    if not known:
        return rows
    masks = set(map(tuple, np.concatenate(known).tolist()))
    return rows[[tuple(row) not in masks for row in rows.tolist()]]


def candidates(fit: "Kriging") -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
    """Sets by order with which the dual agrees most, and for each the number of those looked at."""
    pairs = fit.pairs
    few, count = len(pairs.players), min(CANDIDATES, len(fit.dual) // 4)
    if few < 3 or count < 2:
        return
    found, number = pairs.triples(fit.dual, count), max(comb(few, 3), 2)
    for size in ODD_ORDERS:
        if size > 3:
            if few < size:
                return
            own = _strongest(fit, size - 2)
            stems = np.unique(np.concatenate([found[:STEMS], own]), axis=0)
            found, number = pairs.extended(fit.dual, stems, count // 2), len(stems) * comb(few, 2)
        rows = _unknown(fit, pairs.players[found])
        yield [rows], np.full(len(rows), float(number))


@lru_cache(maxsize=4)
def _odd_sets(n_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Masks of all sets of three, and of all larger ones of an odd number of players."""
    masks = np.arange(1 << n_players)
    orders = np.bitwise_count(masks)
    return masks[orders == 3], masks[(orders > 3) & (orders % 2 == 1)]


def every_set(fit: "Kriging") -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
    """As `candidates`, where all sets are looked at: agreements are one Walsh transform."""
    signs = fit.rows.signs
    d, count = signs.shape[1], min(CANDIDATES, len(fit.dual) // 4)
    powers = 1 << np.arange(d)
    table = np.bincount(coalition_index(signs < 0), weights=fit.dual, minlength=1 << d)
    transform(table)
    fresh = np.ones(1 << d, dtype=bool)
    for rows in fit.sets.members:
        fresh[powers[rows].sum(axis=1)] = False
    spread = np.ones(1)
    for relevance in fit.kernel.relevance:
        spread = np.concatenate([spread, relevance * spread])
    spread = _spread(fit, spread)
    numbers = np.array([max(comb(d, order), 2.0) for order in range(d + 1)])
    for masks in _odd_sets(d):
        masks = masks[fresh[masks]]
        if not len(masks) or count < 2:
            return
        sizes = np.bitwise_count(masks)
        agreed, most = np.square(table[masks]) / np.log(numbers[sizes]), min(count, len(masks))
        best = np.union1d(_largest(agreed, most), _largest(agreed * spread[masks], most))
        sizes, chosen = sizes[best], masks[best]
        order = np.argsort(sizes, kind="stable")
        inside = (chosen[order, None] & powers) > 0
        sizes = sizes[order]
        sets = [np.nonzero(inside[sizes == k])[1].reshape(-1, k) for k in np.unique(sizes).tolist()]
        yield sets, numbers[sizes]
