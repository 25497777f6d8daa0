"""Surrogates with exact Shapley values, corrected by what they leave."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from ..samplers.sizes import SIZES
from ..samplers.without_replacement import pairs_of_size
from .base import Card, Names
from .pairs import PairEstimator, Pairs
from .surrogates import Surrogate, fit_surrogate

LEAST = 2  # draws per size, so that each fold of two has one
MOST_TRIPLES = 2048


@dataclass(frozen=True)
class RegressionAdjusted(PairEstimator):
    """Shapley values of a surrogate of the game, and an estimate of those of the difference.

    Distinct coalitions are drawn with their complements, a fixed number of each size, and dealt
    into folds. To each fold belongs a surrogate that is fitted to the others. Given those, the
    fold is a uniform sample, size by size, of the coalitions outside them; so the mean of the
    differences on the fold stands for these, and the other folds' differences are known. Each
    fold's estimate is unbiased, hence their mean. Without ``split`` there is one surrogate,
    fitted to all pairs, and the mean of its own residuals: they are too small where it fits
    noise, and the estimate is biased towards the surrogate.

    With f the odd part, phi_i = (v(D) - v(empty)) / d + the sum over pairs {S, D minus S} of
    2 f(S) u_i(S) / C(d, |S|), where u_i(S) is 1/|S| for members and -1/(d - |S|) for the others.

    Parameters
    ----------
    surrogate : "trees", boosted (Witter, Liu & Musco 2025); "polynomial", all interactions of
        three players; "fourier", the regression of `OddFourier`
    sizes : as in `StratifiedLeastSquares`
    folds : number of folds, fewer where some size has fewer draws
    split : whether the surrogates are fitted to other folds than they are corrected on
    """

    id: ClassVar[str] = "regression-adjusted"
    names: ClassVar[Names] = {"RegressionMSR": {"surrogate": "trees"}}

    surrogate: Surrogate = "trees"
    folds: int = 5
    split: bool = True

    def __post_init__(self) -> None:
        """Raise ValueError for unknown choices or fewer than two folds."""
        super().__post_init__()
        if self.folds < LEAST:
            raise ValueError(f"{self.id}: folds must be at least {LEAST}.")

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        kinds = {
            "trees": "boosted trees",
            "polynomial": "a polynomial of order 3",
            "fourier": "an odd Fourier regression",
        }
        folds = f", {self.folds} folds" if self.split else ", unsplit"
        return Card(
            family="surrogate",
            definition=f"Exact Shapley values of {kinds[self.surrogate]}, and the stratified mean "
            f"of the residuals{folds}.",
            evaluations="2 m + 2",
            cost="O(d^2)",
            source="Witter, Liu & Musco 2025",
            aliases=self.aliases,
            unbiased=self.split,
            bias="" if self.split else "towards the surrogate; none once all coalitions are known",
            efficient=True,
        )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and two pairs of every size, or all coalitions."""
        sizes = np.arange(1, n_players // 2 + 1)
        if not len(sizes):
            return 2
        # Until a size is enumerated, it has its share of the draws.
        shares = SIZES[self.sizes](n_players)[sizes - 1]
        shares = np.where(2 * sizes == n_players, 0.5, 1.0) * shares
        pairs = int(np.ceil(LEAST * shares.sum() / shares.min() - 1e-9))
        return min(2 + 2 * pairs, 1 << n_players)

    def check_budget(self, n_players: int, budget: int) -> None:
        """Raise `BudgetTooSmall`, or ValueError for more interactions than can be fitted."""
        super().check_budget(n_players, budget)
        triples = int(scipy.special.comb(n_players, 3))
        if self.surrogate == "polynomial" and triples > MOST_TRIPLES:
            raise ValueError(
                f"{self.id}: {n_players} players have {triples} interactions of three, more than "
                f"{MOST_TRIPLES}; choose another surrogate."
            )

    def from_pairs(self, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
        """Shapley values (d,): the mean over folds, or the exact ones of all coalitions."""
        m, d = pairs.coalitions.shape
        if 2 * m + 2 == 1 << d:
            return pairs.total / d + stratified_mean(pairs.coalitions, pairs.odd_part)
        if not self.split:
            return self._corrected(pairs, None, rng)
        fold_of = deal(pairs.coalitions.sum(axis=1), d, self.folds, rng)
        estimates = [self._corrected(pairs, fold_of == k, rng) for k in range(fold_of.max() + 1)]
        return np.mean(estimates, axis=0)

    def _corrected(
        self, pairs: Pairs, fold: np.ndarray | None, rng: np.random.Generator
    ) -> np.ndarray:
        """The estimate of one fold (m,) bool, or without folds."""
        others = pairs if fold is None else pairs.part(~fold)
        fitted = fit_surrogate(self.surrogate, others, rng)
        d = pairs.coalitions.shape[1]
        left = pairs.odd_part - fitted.odd_part(pairs.coalitions)
        rest = (pairs.total - fitted.shapley.sum()) / d
        return fitted.shapley + rest + stratified_mean(pairs.coalitions, left, fold)


def deal(sizes: np.ndarray, n_players: int, folds: int, rng: np.random.Generator) -> np.ndarray:
    """A fold for each pair: within every size at random, in numbers that differ by one at most.

    Every size that is not enumerated is in every fold, so there may be fewer folds. ``sizes``
    (m,) are sorted.
    """
    drawn_sizes, starts, counts = np.unique(sizes, return_index=True, return_counts=True)
    sampled = counts < np.round(pairs_of_size(drawn_sizes, n_players))
    folds = min(folds, int(counts[sampled].min(initial=folds)))
    fold_of = np.empty(len(sizes), dtype=np.int64)
    for start, count in zip(starts, counts, strict=True):
        labels = (np.arange(count) + rng.integers(folds)) % folds
        fold_of[start : start + count] = rng.permutation(labels)
    return np.unique(fold_of, return_inverse=True)[1]


def stratified_mean(
    coalitions: np.ndarray, odd_part: np.ndarray, fold: np.ndarray | None = None
) -> np.ndarray:
    """Shapley values (d,) of an odd part (m,), up to the same share of v(D) - v(empty) for all.

    Of each size, coalitions outside ``fold`` (m,) bool count themselves; those inside count for
    all that are not among these. Without a fold all count for all.
    """
    d = coalitions.shape[1]
    sizes = coalitions.sum(axis=1)
    fold = np.ones(len(sizes), dtype=bool) if fold is None else fold
    # Pairs are counted in shares of the coalitions of a size, which may exceed the largest float.
    total, pairs = scipy.special.comb(d, sizes), np.where(2 * sizes == d, 0.5, 1.0)
    inside, outside = (np.bincount(sizes[part], minlength=d)[sizes] for part in (fold, ~fold))
    counts = np.where(fold, (pairs - outside / total) / np.maximum(inside, 1), 1.0 / total)
    shares = 2.0 * counts * odd_part
    return (shares / sizes) @ coalitions - (shares / (d - sizes)) @ ~coalitions
