"""Screening for interaction terms that a fitted process lacks, by score tests.

For a product z of signs over a set, z'dual / sqrt(scale z'P z) is standard normal if the process is
right; among N sets the largest is then about sqrt(2 log N). Sets above this threshold are added.
With few players all sets are screened by one Walsh transform. With many, these are screened: all
sets of three among the most relevant players, the sets of five and seven that extend those with the
largest statistics, and sets that boosted trees propose. Since the trees were fitted to the rows,
their sets have larger statistics than by chance; held-out pairs decide about them.
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

PLAYERS = 64  # the most relevant ones, whose sets are screened
CANDIDATES = 128  # per round, or a quarter of the rows
PROPOSED = 256  # sets of trees, or half of the rows
STEMS, OWN_STEMS = 6, 64  # new sets, and those of the fit, that are extended by two players
CAUTION = 0.5  # factor of the most likely variance of a set on its own
MOST_TABLED = 16  # players up to which all sets are screened
CHUNK = 8  # candidates tested first, then twice as many; a chunk without a success is the last
# Sets by order, which of them are added, and their variances.
Proposal = tuple[list[np.ndarray], np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class Products:
    """Products of the signs of every two of some players, at n rows.

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
        extensions = []
        for stem, own in zip(stems, sums.T, strict=True):
            best = _largest(own, min(count, comb(few - size, 2)))
            pairs = self.first[best], self.second[best]
            grown = np.column_stack([np.tile(stem, (len(best), 1)), *pairs])
            extensions.append((np.sort(grown, axis=1), own[best]))
        grown, sums = (np.concatenate(parts) for parts in zip(*extensions, strict=True))
        every, place = np.unique(grown, axis=0, return_index=True)
        return every[np.argsort(-sums[place])[:count]]


def products_of(signs: np.ndarray, relevance: np.ndarray) -> Products:
    """The products of the most relevant players."""
    players = np.sort(np.argsort(-relevance, kind="stable")[:PLAYERS])
    seen = signs[:, players].astype(np.float32)
    first, second = np.triu_indices(len(players), 1)
    return Products(players, seen, first, second, (seen[:, first] * seen[:, second]).T)


def _largest(values: np.ndarray, count: int) -> np.ndarray:
    """Places of the ``count`` largest values, the largest first."""
    best = np.argpartition(-values, count - 1)[:count]
    return best[np.argsort(-values[best])]


def _strongest(fit: "Kriging", size: int) -> np.ndarray:
    """The sets of this size in the fit with the largest coefficients, as places.

    The places (k, size) are among the most relevant players. Extending sets that are already known
    finds larger ones.
    """
    coefficients = np.abs(fit.sets.variances * (fit.products @ fit.dual))
    ends = np.cumsum([len(rows) for rows in fit.sets.members], dtype=int)
    for sets, own in zip(fit.sets.members, np.split(coefficients, ends)[:-1], strict=True):
        if sets.shape[1] == size:
            rows = np.sort(sets[np.argsort(-own, kind="stable")[:OWN_STEMS]], axis=1)
            inside = np.isin(rows, fit.sign_products.players).all(axis=1)
            return np.searchsorted(fit.sign_products.players, rows[inside])
    return np.empty((0, size), dtype=int)


def looks_at_all(fit: "Kriging") -> bool:
    """Whether the players are so few that all sets are screened."""
    return fit.rows.signs.shape[1] <= MOST_TABLED


def asked_for(fit: "Kriging") -> tuple[list[np.ndarray], np.ndarray]:
    """Sets by order that are to be added to the fit, and their initial variances."""
    return _gathered(_looked_at(fit))


def asked_of_trees(fit: "Kriging") -> tuple[list[np.ndarray], np.ndarray]:
    """As `asked_for`, for the sets that boosted trees on the residuals of the slopes propose.

    Empty where all sets are screened anyway.
    """
    return _gathered(_proposed(fit))


def _gathered(groups: Iterable[Proposal]) -> tuple[list[np.ndarray], np.ndarray]:
    members, variances = [], []
    for sets, taken, own_variances in groups:
        ends = np.cumsum([len(rows) for rows in sets], dtype=int)
        for rows, own in zip(sets, np.split(taken, ends)[:-1], strict=True):
            if own.any():
                members.append(rows[own])
        variances.append(own_variances[taken])
    return members, np.concatenate(variances) if variances else np.empty(0)


def asks_for_any(fit: "Kriging") -> bool:
    """Whether any set is to be added to the fit; stops at the first one."""
    return any(taken.any() for _, taken, _ in chain(_looked_at(fit), _proposed(fit)))


def _looked_at(fit: "Kriging") -> Iterator[Proposal]:
    """Groups of sets by order, which of them are to be added, and their variances."""
    for sets, numbers in every_set(fit) if looks_at_all(fit) else candidates(fit):
        yield sets, *_taken(fit, sets, numbers)


def _proposed(fit: "Kriging") -> Iterator[Proposal]:
    """As `_looked_at`, for the sets of largest Walsh coefficient in boosted trees."""
    signs = fit.rows.signs[:-1]
    m, d = signs.shape
    if looks_at_all(fit):
        return
    left = fit.rows.values[:-1] - signs @ fit.slopes
    terms = leaf_terms(fit_trees(signs > 0, left, -left), np.ones(d), np.zeros(d))
    by_order = (np.sort(rows, axis=1) for rows in sets_of_trees(terms, d, min(m // 2, PROPOSED)))
    sets = [rows for rows in (_unknown(fit, rows) for rows in by_order) if len(rows)]
    if sets:
        number = sum(map(len, sets))
        yield sets, *_taken(fit, sets, np.full(number, max(number, 2.0)))


def _taken(
    fit: "Kriging", sets: Sequence[np.ndarray], numbers: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Which of the sets pass the test, and their variances.

    ``numbers`` (p,) are the sets that were screened along with each, which set the thresholds.
    """
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
    """Places in the order of their best rank in any of the measures (p,)."""
    ranks = [np.argsort(np.argsort(-measure, kind="stable")) for measure in measures]
    return np.argsort(np.min(ranks, axis=0), kind="stable")


def _spread(fit: "Kriging", products: np.ndarray) -> np.ndarray:
    """Approximately one over the information of sets (p,): prior variance plus noise over n rows.

    Computed from the ``products`` (p,) of the relevances of their members. It ranks the sets beside
    their raw statistic: without noise, irrelevant sets have statistics as large as the others,
    while a set of small prior variance is found by its statistic alone.
    """
    variances = fit.hyper.interactions * products / fit.kernel.variance
    return variances + fit.nugget.mean() / len(fit.nugget)


def _unknown(fit: "Kriging", rows: np.ndarray) -> np.ndarray:
    """The sets (k, order) that the fit does not contain."""
    known = [sets for sets in fit.sets.members if sets.shape[1] == rows.shape[1]]
    if not known:
        return rows
    masks = set(map(tuple, np.concatenate(known).tolist()))
    return rows[[tuple(row) not in masks for row in rows.tolist()]]


def candidates(fit: "Kriging") -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
    """Sets by order with the largest |z'dual|, and the number screened along with each."""
    products = fit.sign_products
    few, count = len(products.players), min(CANDIDATES, len(fit.dual) // 4)
    if few < 3 or count < 2:
        return
    strongest, number = products.triples(fit.dual, count), max(comb(few, 3), 2)
    for size in ODD_ORDERS:
        if size > 3:
            if few < size:
                return
            own = _strongest(fit, size - 2)
            stems = np.unique(np.concatenate([strongest[:STEMS], own]), axis=0)
            strongest, number = (
                products.extended(fit.dual, stems, count // 2),
                len(stems) * comb(few, 2),
            )
        rows = _unknown(fit, products.players[strongest])
        yield [rows], np.full(len(rows), float(number))


@lru_cache(maxsize=4)
def _odd_sets(n_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Masks of all sets of three, and of all larger ones of an odd number of players."""
    masks = np.arange(1 << n_players)
    orders = np.bitwise_count(masks)
    return masks[orders == 3], masks[(orders > 3) & (orders % 2 == 1)]


def every_set(fit: "Kriging") -> Iterator[tuple[list[np.ndarray], np.ndarray]]:
    """As `candidates` where all sets are screened: one Walsh transform gives all z'dual."""
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
