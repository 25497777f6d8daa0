"""Least squares on the players and on interactions that are selected by residuals."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from ..samplers.sizes import Sizes
from .base import Card, Names
from .kernel import RANK_TOLERANCE
from .least_squares import StratifiedSample
from .ridge import cross_validated

PLAYERS = 64  # with the largest coefficients, whose interactions of three are looked at
MOST_SETS = 512
SHARES = (1 / 16, 1 / 8, 1 / 4, 1 / 2)  # sets per coalition that are tried
ROUNDS = 2  # in which sets are taken, the later ones by what the earlier ones leave


@dataclass(frozen=True)
class ScreenedPolynomial(StratifiedSample):
    """Weighted least squares on the players and a few interactions that are chosen.

    PolySHAP (Fumagalli, Witter & Musco 2026) fits any family of interactions beside the players
    and returns the Shapley values of the fitted game. Here the family has interactions of one
    order, those whose features agree most with the residuals of the additive game of least
    squares, in two rounds, and as many as halves of the sample predict each other best with;
    none, where that is best. Their coefficients have a ridge by generalised cross-validation.

    An interaction of order 2 has the feature s_i s_j - 1, one of order 3 s_i s_j s_k - (s_i + s_j
    + s_k) / 3, with signs s_i = 1 for members and -1 for the others: both vanish at the empty and
    the grand coalition and have no Shapley values, by symmetry, so that the players' coefficients
    are all there is to the estimate, as in `PolynomialLeastSquares`. Being unpenalised these are
    consistent whatever is chosen.

    Parameters
    ----------
    order : of the interactions; 3 comes with pairs of complements, of which the even interactions
        cancel, and 2 without
    sizes : as in `StratifiedLeastSquares`
    """

    id: ClassVar[str] = "screened-polynomial"
    names: ClassVar[Names] = {"PolySHAP, partial": {}}
    distinct: ClassVar[bool] = True

    order: Literal[2, 3] = 3
    sizes: Sizes = "leverage"

    @property
    def paired(self) -> bool:
        """Whether each coalition comes with its complement."""
        return self.order == 3

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        return Card(
            family="least squares",
            definition=f"Least squares on the players and some of their interactions of order "
            f"{self.order}, chosen by the residuals"
            f"{'; each coalition is joined by its complement' if self.paired else ''}.",
            evaluations="2 m + 2" if self.paired else "m + 2",
            cost="O(d^2)",
            source="after Fumagalli, Witter & Musco 2026, Section 4",
            aliases=self.aliases,
            bias="no bound is known; none once all coalitions are covered",
            efficient=True,
        )

    def fit(
        self, coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray, total: float
    ) -> np.ndarray:
        """Choose the interactions, fit them beside the players, and keep the players' share."""
        m, d = coalitions.shape
        signs, start = np.where(coalitions, 1.0, -1.0), 0.5 * total / d
        rows = SampledDeviations(
            signs, weights / weights.mean(), rewards - 0.5 * total - start * signs.sum(axis=1)
        )
        counts = [0, *sorted({min(int(share * m), MOST_SETS) for share in SHARES} - {0})]
        if m < 2 * d or d < self.order + 1:
            counts = [0]
        sets = chosen(rows, self.order, counts)
        return 2.0 * (start + rows.fitted(sets)[0])


@dataclass(frozen=True, eq=False)
class SampledDeviations:
    """Signs (m, d), weights (m,) of mean 1 and deviations (m,) from the equal split."""

    signs: np.ndarray
    weights: np.ndarray
    deviations: np.ndarray

    def part(self, rows: np.ndarray) -> "SampledDeviations":
        """Some of the rows."""
        return SampledDeviations(self.signs[rows], self.weights[rows], self.deviations[rows])

    def fitted(self, sets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients (d,) of the players, of sum 0, and (k,) of the interactions ``sets``.

        With fewer independent rows than players the players' are those of least norm.
        """
        m, d = self.signs.shape
        linear, inverse, moment, level = self._additive
        if not len(sets):
            return level, np.empty(0)
        columns = features(self.signs, sets)
        weighted = self.weights[:, None] * columns
        cross = linear.T @ weighted
        slopes = inverse @ cross
        inner = columns.T @ weighted - cross.T @ slopes
        target = weighted.T @ self.deviations - cross.T @ level
        residual = self.weights @ np.square(self.deviations) - moment @ level
        coefficients = cross_validated(inner, target, residual, m - (d - 1), RANK_TOLERANCE * m)
        if coefficients is None:  # no ridge is best
            coefficients = np.linalg.pinv(inner, rcond=RANK_TOLERANCE, hermitian=True) @ target
        return level - slopes @ coefficients, coefficients

    @cached_property
    def _additive(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Centred signs (m, d), inverse (d, d), moment and solution (d,) of the players alone."""
        linear = self.signs - self.signs.mean(axis=1, keepdims=True)
        gram = (linear.T * self.weights) @ linear
        inverse = np.linalg.pinv(gram, rcond=RANK_TOLERANCE, hermitian=True)
        moment = linear.T @ (self.weights * self.deviations)
        return linear, inverse, moment, inverse @ moment

    def left(self, sets: np.ndarray, fit: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        """Residuals (m,) of a fit."""
        players, interactions = fit
        left = self.deviations - self.signs @ players
        return left - features(self.signs, sets) @ interactions if len(sets) else left


def features(signs: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """The features (m, k) of interactions (k, 2) or (k, 3), see `ScreenedPolynomial`."""
    members = signs[:, sets]
    return members.prod(axis=2) - (1.0 if sets.shape[1] == 2 else members.mean(axis=2))


def chosen(rows: SampledDeviations, order: int, counts: list[int]) -> np.ndarray:
    """The sets (k, order), k the one of ``counts`` with which halves predict each other best."""
    best = 0
    if len(counts) > 1:
        seen = np.arange(len(rows.deviations)) % 2 == 0
        scores = np.zeros(len(counts))
        for half in (seen, ~seen):
            own, other = rows.part(half), rows.part(~half)
            taken = screened(own, order, counts[-1])
            for place, count in enumerate(counts):
                sets = taken[:count]
                left = other.left(sets, own.fitted(sets))
                scores[place] += other.weights @ np.square(left)
        best = counts[int(np.argmin(scores))]
    return screened(rows, order, best)


def screened(rows: SampledDeviations, order: int, count: int) -> np.ndarray:
    """The ``count`` sets (k, order) whose features agree most with residuals, in rounds."""
    sets = np.empty((0, order), dtype=np.int64)
    fit = rows.fitted(sets)
    players = np.sort(np.argsort(-np.abs(fit[0]), kind="stable")[:PLAYERS])
    for wanted in np.linspace(0, count, ROUNDS + 1).astype(int)[1:]:
        if wanted == len(sets):
            continue
        dual = rows.weights * rows.left(sets, fit)
        more = (
            pairs_of(rows.signs, dual, wanted)
            if order == 2
            else players[triples(rows.signs[:, players], dual, wanted)]
        )
        known = set(map(tuple, sets.tolist()))
        fresh = np.array([row for row in map(tuple, more.tolist()) if row not in known], dtype=int)
        sets = np.concatenate([sets, fresh.reshape(-1, order)[: wanted - len(sets)]])
        if wanted < count:
            fit = rows.fitted(sets)
    return sets


def triples(signs: np.ndarray, dual: np.ndarray, count: int) -> np.ndarray:
    """The ``count`` sets of three (k, 3) with the largest |z'dual|, signs (n, d)."""
    signs, dual = signs.astype(np.float32), dual.astype(np.float32)
    d = signs.shape[1]
    sets, sizes = [], []
    for j in range(d - 2):
        later = signs[:, j + 1 :]
        sums = np.abs((later * (dual * signs[:, j])[:, None]).T @ later)
        places = np.triu_indices(d - j - 1, 1)
        values = sums[places]
        best = np.argpartition(-values, min(count, len(values)) - 1)[:count]
        sizes.append(values[best])
        sets.append(np.stack([np.full(len(best), j), *(p[best] + j + 1 for p in places)], axis=1))
    order = np.argsort(-np.concatenate(sizes))[:count]
    return np.concatenate(sets)[order]


def pairs_of(signs: np.ndarray, dual: np.ndarray, count: int) -> np.ndarray:
    """The ``count`` pairs (k, 2) with the largest |z'dual|, most first; signs (m, d)."""
    d = signs.shape[1]
    places = np.triu_indices(d, 1)
    values = np.abs((signs.T * dual) @ signs - dual.sum())[places]
    best = np.argsort(-values, kind="stable")[:count]
    return np.stack([place[best] for place in places], axis=1)
