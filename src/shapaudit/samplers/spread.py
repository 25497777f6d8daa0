"""Pairs of complements that are spread over all coalitions: each tells much beside the others.

Let v be a Gaussian process in which the values of two coalitions have the covariance exp(-l h),
where h is the number of players that only one of them has. The values of a coalition S and of its
complement differ by twice the odd part f(S), and the Shapley values phi depend on f alone. Given
the pairs so far, one more reduces the expected squared error of phi by

    |cov(phi, f(S))|^2 / var(f(S)),

whatever its values are. Pairs can therefore be chosen before any is evaluated, and the same pairs
suit all games with so many players. ShaplEIG (Rundel et al. 2026) estimates a length l_j for each
player from the values and chooses single coalitions one after the other.

All players have the same length here. The covariance of two odd parts is then a function of h, and

    cov(phi_i, f(S)) = (1 - e) times the integral over q from 0 to 1 of a^(s - 1) c^(d - s)

for the s members i of S, e = exp(-l), a = q + (1 - q) e, c = q e + 1 - q (Owen 1972). For the
others it is minus the integral of a^s c^(d - s - 1) times the same factor.
"""

from functools import cached_property

import numpy as np

from ..threads import one_blas_thread
from .without_replacement import (
    capped_shares,
    distinct_pairs,
    pairs_of_size,
    stratified_coalitions,
)

LENGTH = 0.3  # l
NOISE = 1e-3  # variance of an odd part beyond the process, in units of the variance of a value
MOST_PAIRS = 512  # that are chosen: the time grows with the cube of their number
LEAST_CANDIDATES = 512  # pairs to choose from, or
CANDIDATES = 2  # times as many as are chosen
TIE = 1e-9  # relative difference of gains that counts as none, since rounding decides on it


def spread_coalitions(
    probabilities: np.ndarray, draws: int, n_players: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """As `stratified_coalitions` in pairs without replacement, but chosen where it pays.

    As many of each size, with the same weights. All players are alike in the choice, so that each
    coalition is as likely as without it.
    """
    drawn, weights = stratified_coalitions(probabilities, draws, n_players, rng, paired=True)
    if not pays(len(drawn), n_players) or 2 * len(drawn) + 2 >= 1 << n_players:
        return drawn, weights
    counts = np.bincount(drawn.sum(axis=1), minlength=n_players // 2 + 1)
    return Spread(candidates(counts, n_players, rng)).first(counts), weights


def pays(pairs: int, n_players: int) -> bool:
    """Whether so many pairs are chosen: there is time, and two players or fewer for each of them.

    Fewer pairs than that were no better chosen than drawn.
    """
    return n_players <= 2 * pairs and pairs <= MOST_PAIRS


def candidates(counts: np.ndarray, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Coalitions (k, d) bool, one of each pair, in random order, to choose ``counts`` of.

    Of each size in proportion to its count (d // 2 + 1,), or all there are.
    """
    sizes, most = np.flatnonzero(counts), max(LEAST_CANDIDATES, CANDIDATES * counts.sum())
    shares = capped_shares(counts[sizes], pairs_of_size(sizes, n_players), most)
    blocks = [
        distinct_pairs(size, int(np.ceil(share)), n_players, rng)
        for size, share in zip(sizes.tolist(), shares, strict=True)
    ]
    return rng.permutation(np.concatenate(blocks))


class Spread:
    """An order of coalitions (k, d) bool, distinct and one of each pair, in which they are chosen.

    Of those given, the one that reduces the expected squared error most is chosen next, and the
    first of those that are equally good. Their own order should be random therefore. Of many, only
    the first of each size are looked at.
    """

    def __init__(self, coalitions: np.ndarray) -> None:
        order = np.argsort(coalitions.sum(axis=1), kind="stable")
        self._coalitions = coalitions[order]
        self._sizes = self._coalitions.sum(axis=1)
        self._available = np.bincount(self._sizes, minlength=coalitions.shape[1] // 2 + 1)
        starts = np.cumsum(self._available) - self._available
        self._place = np.arange(len(order)) - starts[self._sizes]  # within the own size
        most = max(LEAST_CANDIDATES, CANDIDATES * MOST_PAIRS)
        shares = capped_shares(np.ones(len(starts)), self._available, most)
        self._few = np.flatnonzero(self._place < np.ceil(shares)[self._sizes])
        self._chosen: list[int] = []  # of these few

    def first(self, counts: np.ndarray) -> np.ndarray:
        """Coalitions (m, d), as many of each size as ``counts`` (d // 2 + 1,), sorted by size.

        They contain those for smaller counts. Sizes of which all are wanted are chosen first.
        Beyond `MOST_PAIRS` the others follow in their own order.
        """
        if counts.sum() <= MOST_PAIRS and (counts < self._available).any():
            with one_blas_thread():
                self._extend(counts)
        chosen = self._few[self._chosen]
        order = np.concatenate([chosen, np.delete(np.arange(len(self._sizes)), chosen)])
        order = order[np.argsort(self._sizes[order], kind="stable")]
        return self._coalitions[order[self._place < counts[self._sizes]]]

    @cached_property
    def _known(self) -> "_Known":
        return _Known(self._coalitions[self._few])

    def _extend(self, counts: np.ndarray) -> None:
        sizes = self._sizes[self._few]
        left = counts - np.bincount(sizes[self._chosen], minlength=len(counts))
        free = np.ones(len(sizes), dtype=bool)
        free[self._chosen] = False
        whole = counts >= self._available
        for eligible in (whole[sizes], ~whole[sizes]):
            while (open_now := free & eligible & (left[sizes] > 0)).any():
                gains = np.where(open_now, self._known.gains(), 0.0)
                number = int(np.argmax(gains >= (1.0 - TIE) * gains.max()))
                self._known.add(number)
                self._chosen.append(number)
                free[number] = False
                left[sizes[number]] -= 1


class _Known:
    """What the odd part at the grand coalition and at some others tells about the Shapley values.

    Given these, for each of the coalitions (k, d) and, last, the grand one: the covariances of the
    odd part there with the Shapley values (k + 1, d), and its variances (k + 1,).
    """

    def __init__(self, coalitions: np.ndarray) -> None:
        k, d = coalitions.shape
        members = np.vstack([coalitions, np.ones((1, d), dtype=bool)])
        signs, apart = np.where(members, 1.0, -1.0), np.arange(d + 1.0)
        by_distance = 0.5 * (np.exp(-LENGTH * apart) - np.exp(-LENGTH * (d - apart)))
        self._odd = by_distance[np.rint(0.5 * (d - signs @ signs.T)).astype(np.intp)]
        inside, outside = (table[members.sum(axis=1), None] for table in shapley_covariances(d))
        self._told = np.where(members, inside, outside)
        self._variances = by_distance[0] + np.append(np.full(k, NOISE), 0.0)
        self._factor = np.empty((MOST_PAIRS + 1, k + 1))  # rows of a Cholesky factor
        self._count = 0
        self.add(k)

    def gains(self) -> np.ndarray:
        """By how much each of the coalitions (k,) reduces the sum of the variances."""
        return np.square(self._told[:-1]).sum(axis=1) / self._variances[:-1]

    def add(self, number: int) -> None:
        """The odd part at one more coalition becomes known."""
        before = self._factor[: self._count]
        root = np.sqrt(self._variances[number])
        row = (self._odd[number] - before[:, number] @ before) / root
        self._told -= np.outer(row, self._told[number] / root)
        self._variances -= np.square(row)
        self._factor[self._count] = row
        self._count += 1


def shapley_covariances(n_players: int) -> tuple[np.ndarray, np.ndarray]:
    """Covariances (d + 1,) of the odd part at a coalition of s players with Shapley values.

    First with that of a member, 0 at s = 0, then with that of another player, 0 at s = d.
    """
    nodes, shares = np.polynomial.legendre.leggauss(n_players // 2 + 1)
    q, far, sizes = 0.5 * (nodes + 1.0), np.exp(-LENGTH), np.arange(n_players)[:, None]
    one, other = q + (1.0 - q) * far, q * far + 1.0 - q
    sections = one**sizes * other ** (n_players - 1.0 - sizes)  # s of the players but one
    integrals = (1.0 - far) * sections @ (0.5 * shares)
    return np.append(0.0, integrals), np.append(-integrals, 0.0)
