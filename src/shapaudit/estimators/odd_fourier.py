"""Sparse regression on the odd part of a game, seen on pairs of complements."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..games.leaves import leaf_terms
from .base import Card, Names
from .fits.fourier import SHARE, OddFeatures, OddRegression, fit_odd, likeliest, refit
from .fits.single_index import single_index_of
from .fits.supports import heaviest_sets, sets_of_trees
from .fits.trees import fit_trees
from .pairs import PairEstimator, Pairs

SCALES = (0.15, 0.4, 1.0)
ROUNDS, SETTLED = 4, 1e-3  # of the weights of the joint features
WEIGHT_ROWS = 501  # that settle the weights and whether there is an offset
MOST_SETS = 1024
FLOOR = 0.02  # relevance of the least relevant player, in that of the most relevant one
LINEAR = 1e-10

Support = Literal["products", "trees"]


def fit_odd_part(
    pairs: Pairs, support: str, index: bool, rng: np.random.Generator
) -> OddRegression | None:
    """The regression of `OddFourier` on some pairs; None where the pairs are fitted by a line."""
    m, d = pairs.coalitions.shape
    values = pairs.regressed(pairs.odd_part, pairs.total)
    signs = np.where(pairs.coalitions, 1.0, -1.0)
    rest = pairs.odd_part - 0.5 * signs @ values
    known = 2 * m + 2 == 1 << d
    if (
        known
        or d < 3
        or m < 2 * d
        or np.abs(rest).max() <= LINEAR * np.abs(pairs.odd_part).max(initial=0.0)
    ):
        return None
    rows = np.concatenate([pairs.coalitions, np.ones((1, d), dtype=bool)])
    odd_part = np.append(pairs.odd_part, 0.5 * pairs.total)
    sets = _sets_of_trees(pairs) if support == "trees" else None

    def candidates(weights: np.ndarray, scales: Sequence[float]) -> list[OddFeatures]:
        joint = weights if index else None
        if sets is not None:
            return [OddFeatures(d, sets, np.ones(sum(map(len, sets))), weights=joint)]
        relevance = np.maximum(np.abs(weights) / np.abs(weights).max(), FLOOR)
        return [_by_products(scale * relevance, joint) for scale in scales]

    few = np.unique(np.linspace(0, m, max(WEIGHT_ROWS, 4 * d)).astype(int))
    slopes, weights = values if values.any() else np.ones(d), np.zeros(d)
    scales: Sequence[float] = SCALES  # the first round chooses one of them
    for _ in range(ROUNDS):
        before, weights = weights, _direction(slopes)
        if np.abs(weights - before).max() < SETTLED:
            break
        considered = candidates(weights, scales)
        fitted = fit_odd(considered, rows[few], odd_part[few])
        place = next(i for i, features in enumerate(considered) if features is fitted.features)
        scales = scales[place : place + 1]
        slopes = fitted.linear
        joined = index and fitted.joint_share(rows[few]) > SHARE
        if not joined:
            break
    if joined and m > 4 * d:
        # The index overfits the rows that it was fitted to: the others decide whether it is used.
        seen = np.arange(m) % 2 == 0
        considered = candidates(weights, scales)
        trial = single_index_of(pairs.part(seen), rng)
        unseen = np.append(np.flatnonzero(~seen), m)
        unseen = unseen[np.unique(np.linspace(0, len(unseen) - 1, WEIGHT_ROWS).astype(int))]
        without, having = likeliest(considered, rows[unseen], odd_part[unseen], (None, trial))
        if having[0] > without[0]:
            single = single_index_of(pairs, rng)
            fitted = fit_odd(considered, rows[few], odd_part[few], single)
    return fitted if len(few) == len(rows) else refit(fitted, rows, odd_part)


def _direction(vector: np.ndarray) -> np.ndarray:
    """The vector divided by its norm; scaling by a power of 2 first avoids underflow of squares."""
    scaled = np.ldexp(vector, -np.frexp(np.abs(vector).max())[1])
    return scaled / np.linalg.norm(scaled)


def _sets_of_trees(pairs: Pairs) -> list[np.ndarray]:
    m, d = pairs.coalitions.shape
    terms = leaf_terms(
        fit_trees(pairs.coalitions, pairs.odd_part, -pairs.odd_part), np.ones(d), np.zeros(d)
    )
    return sets_of_trees(terms, d, min(m // 2, MOST_SETS))


def _by_products(relevance: np.ndarray, weights: np.ndarray | None) -> OddFeatures:
    sets = heaviest_sets(relevance, MOST_SETS)
    priors = np.concatenate([np.prod(relevance[members], axis=1) for members in sets])
    everything = 0.5 * (np.prod(1.0 + relevance) - np.prod(1.0 - relevance)) - relevance.sum()
    omitted = max(everything - priors.sum(), 0.0)
    return OddFeatures(len(relevance), sets, priors, omitted, weights)


@dataclass(frozen=True)
class OddFourier(PairEstimator):
    """Ridge regression on the odd part of the game, plus least squares on its residuals.

    Pairs of complements give samples of the odd part, which alone has Shapley values and lies in
    the span of the Walsh functions of odd order. A sparse set of them is fitted, all singletons
    included; Shapley values are a linear functional of the coefficients. `StratifiedLeastSquares`
    on the residuals makes the estimate efficient, consistent whatever was fitted, and exact once
    all coalitions are covered; with fewer than 2 d pairs it is all there is.

    Parameters
    ----------
    sizes : as in `StratifiedLeastSquares`
    support : "products", the sets whose members have the largest product of linear coefficients,
        with these products as prior variances; "trees", those of largest coefficient in boosted
        trees fitted to the odd part (OddSHAP, which has no index)
    index : whether features that join all players are taken, see `fourier`, and the game of one
        number of `single_index`, where these features matter and pairs that it was not fitted to
        are more likely with it
    """

    id: ClassVar[str] = "odd-fourier"
    names: ClassVar[Names] = {
        "OddSHAP": {"support": "trees", "index": False},
        "OddSHAP (trees)": {"support": "trees", "index": False},
    }

    support: Support = "products"
    index: bool = True

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        kinds = {
            "products": "with the largest products of linear coefficients",
            "trees": "of largest coefficient in boosted trees",
        }
        joined = ", functions of one index" if self.index else ""
        return Card(
            family="surrogate",
            definition=f"Ridge regression of the odd part on Walsh functions {kinds[self.support]}"
            f"{joined}; least squares on the residuals.",
            evaluations="2 m + 2",
            cost="O(d^2)",
            source="after OddSHAP (Fumagalli et al. 2026)",
            aliases=self.aliases,
            bias="no bound is known; none once all coalitions are covered",
            efficient=True,
        )

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one pair; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 2)

    def from_pairs(self, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
        """Shapley values (d,) of the regression, and of the residuals by least squares."""
        fitted = fit_odd_part(pairs, self.support, self.index, rng)
        if fitted is None:
            return pairs.regressed(pairs.odd_part, pairs.total)
        values = fitted.shapley()
        left = pairs.odd_part - fitted.odd_part(pairs.coalitions)
        return values + pairs.regressed(left, pairs.total - values.sum())
