"""Boosted trees as a proxy of the game, plus least squares on their out-of-fold residuals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .base import Card, Names
from .pairs import PairEstimator, Pairs
from .regression_adjusted import deal
from .surrogates import boosted, linear, residual_pairs

LEAST = 2


@dataclass(frozen=True)
class ProxyRegression(PairEstimator):
    """Exact Shapley values of boosted trees, and `StratifiedLeastSquares` on their residuals.

    Pairs of complements are dealt into folds. For each fold, boosted trees are fitted to the odd
    part f of the game on the other folds, minus the additive game of least squares; t(S) is the
    prediction of the trees that were not fitted to S. The values are
    c psi + L(f - c t) = L(f) + c (psi - L(t)). Here psi is the mean of the Shapley values of the
    trees, which are exact (interventional TreeSHAP), L(.) is least squares, and c between 0 and 1
    is the coefficient of f on t by weighted least squares, both minus their additive games.
    Residuals out of fold are not too small, as those on a tree's training rows would be; where the
    trees predict nothing, the estimate is plain least squares. `RegressionAdjusted` has means of
    residuals in the place of L, and c = 1.

    Parameters
    ----------
    sizes : as in `StratifiedLeastSquares`
    folds : number of folds, fewer where some size has fewer draws
    """

    id: ClassVar[str] = "proxy-regression"
    names: ClassVar[Names] = {"ProxySHAP": {}}

    folds: int = 4

    card: ClassVar[Card] = Card(
        family="surrogate",
        definition="Exact Shapley values of boosted trees; least squares on the residuals of "
        "pairs that they have not seen.",
        evaluations="2 m + 2",
        cost="O(d^2)",
        source="after Witter, Liu & Musco 2025, Section 3",
        bias="of order 1/m; none once all coalitions are covered",
        efficient=True,
    )

    def __post_init__(self) -> None:
        """Raise ValueError for fewer than two folds."""
        super().__post_init__()
        if self.folds < LEAST:
            raise ValueError(f"{self.id}: folds must be at least {LEAST}.")

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one pair; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 2)

    def from_pairs(self, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
        """Shapley values (d,): least squares, with the trees where there are enough pairs."""
        m, d = pairs.coalitions.shape
        base = linear(pairs)
        fold_of = deal(pairs.coalitions.sum(axis=1), d, self.folds, rng)
        folds = fold_of.max(initial=0) + 1
        if 2 * m + 2 == 1 << d or folds < LEAST or d < 3 or m < 2 * d:
            return base.shapley
        rest, unseen, own = residual_pairs(pairs, base), np.empty(m), np.zeros(d)
        for fold in (fold_of == k for k in range(folds)):
            proxy = boosted(rest.part(~fold))
            unseen[fold] = proxy.odd_part(pairs.coalitions[fold])
            own += proxy.shapley / folds
        return base.shapley + control(pairs, rest.odd_part, unseen, own)


def control(pairs: Pairs, left: np.ndarray, proxy: np.ndarray, own: np.ndarray) -> np.ndarray:
    """c (psi - L(t)), see `ProxyRegression`.

    ``left`` (m,) is the odd part without its additive game, ``proxy`` (m,) the function t, ``own``
    (d,) its values psi.
    """
    seen = pairs.regressed(proxy, own.sum())
    curved = proxy - np.where(pairs.coalitions, 0.5, -0.5) @ seen
    strength = pairs.weights @ np.square(curved)
    if strength == 0.0:
        return np.zeros(len(own))
    return np.clip(pairs.weights @ (curved * left) / strength, 0.0, 1.0) * (own - seen)
