"""One estimator that needs no choice."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game
from .adaptive import adapt
from .base import Card, Estimate
from .pairs import PairEstimator, Pairs, draw_pairs


@dataclass(frozen=True)
class Auto(PairEstimator):
    """An adaptive model of the odd part of the game, and least squares on what it leaves."""

    id: ClassVar[str] = "auto"
    card: ClassVar[Card] = Card(
        family="surrogate",
        definition="A Gaussian process on the odd part.",
        evaluations="2 m + 2",
        cost="O(m^2)",
        source="ours",
        bias="of order 1/m; none once all coalitions are covered",
        efficient=True,
    )

    def minimum_budget(self, n_players):
        """The end points and one pair; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 2)

    def from_pairs(self, pairs, rng):
        """Shapley values (d,)."""
        m, d = pairs.coalitions.shape
        found = None if 2 * m + 2 == 1 << d else adapt(pairs, rng)
        if found is None:
            return pairs.regressed(pairs.odd, pairs.total)
        return found.values + pairs.regressed(found.left, pairs.total - found.values.sum())
