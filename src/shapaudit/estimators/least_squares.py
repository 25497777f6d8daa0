"""Least squares on coalitions of all sizes: enumerated, or drawn without replacement."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..bits import sums_over_coalitions, weighted_joint_counts
from ..games import Game, empty_value, grand_value
from ..samplers.sizes import SIZES, Sizes
from ..samplers.without_replacement import stratified_coalitions
from .base import Card, Estimate, Estimator, Names
from .kernel import solve_efficient

EXACT_PLAYERS = 62  # beyond, the number of coalitions is nobody's budget


class StratifiedSample(Estimator):
    """A regression on a sample in which each size has its share of the coalitions.

    The share follows the size distribution ``sizes``. A size whose share exceeds its coalitions
    is enumerated; of the others, each coalition is drawn at most once if ``distinct``, or
    independently. The weights are the Shapley kernel over the expected number of draws.
    """

    @property
    @abstractmethod
    def sizes(self) -> Sizes:
        """Name of the distribution of the sizes."""

    @property
    @abstractmethod
    def paired(self) -> bool:
        """Whether each coalition comes with its complement."""

    @property
    @abstractmethod
    def distinct(self) -> bool:
        """Whether each coalition is drawn at most once."""

    def minimum_budget(self, n_players: int) -> int:
        """The end points and one draw; one player needs the end points only."""
        return 2 + (0 if n_players == 1 else 1 + self.paired)

    def exact_budget(self, n_players: int) -> int | None:
        """All coalitions: every size is enumerated."""
        return 1 << n_players if n_players <= EXACT_PLAYERS else None

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        empty = empty_value(game)
        total = grand_value(game) - empty
        if d == 1:
            return Estimate(np.array([total]), 2)
        draws = (budget - 2) // (1 + self.paired)
        coalitions, weights = stratified_coalitions(
            SIZES[self.sizes](d), draws, d, rng, self.paired, self.distinct
        )
        m = len(coalitions)
        if self.paired:
            # The even part of the game cancels in the normal equations of a pair.
            values = game(np.concatenate([coalitions, ~coalitions]))
            rewards = 0.5 * (values[:m] - values[m:] + total)
        else:
            rewards = game(coalitions) - empty
        fitted = self.fit(coalitions, weights, rewards, total)
        return Estimate(fitted, 2 + m * (1 + self.paired))

    @abstractmethod
    def fit(
        self, coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray, total: float
    ) -> np.ndarray:
        """Shapley values (d,) from the rewards (m,): v(S) - v(empty), or its odd part."""


@dataclass(frozen=True)
class StratifiedLeastSquares(StratifiedSample):
    """Weighted least squares on a stratified sample of the coalitions.

    Leverage SHAP (Musco & Witter 2025, Algorithm 1) has sizes "leverage", pairs, distinct
    coalitions, and the same inclusion probabilities; there each coalition enters independently,
    so the number of evaluations is random and that of a size too. Here both are fixed, the size's
    up to rounding. With kernel sizes and ``distinct`` off it is the scheme of the shap and
    kernelshap packages: the outer sizes enumerated, the middle sampled.

    Parameters
    ----------
    sizes : "kernel", "leverage" or "projected", as in `ImportanceLeastSquares`
    paired : whether each coalition comes with its complement
    distinct : whether the sizes that are not enumerated are drawn without replacement
    """

    id: ClassVar[str] = "stratified-least-squares"
    names: ClassVar[Names] = {
        "Leverage SHAP": {"sizes": "leverage", "paired": True, "distinct": True},
        "KernelExplainer": {"sizes": "kernel", "paired": True, "distinct": False},
    }

    sizes: Sizes = "leverage"
    paired: bool = True
    distinct: bool = True

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        joined = "each joined by its complement, " if self.paired else ""
        drawn = "without replacement" if self.distinct else "with replacement"
        return Card(
            family="least squares",
            definition=f"Least squares on coalitions with {self.sizes} sizes, {joined}"
            f"sizes enumerated where the budget allows, the others sampled {drawn}.",
            evaluations="2 m + 2" if self.paired else "m + 2",
            cost="O(d^2)",
            source="Musco & Witter 2025, Algorithm 1; Olsen & Jullum 2024",
            aliases=self.aliases,
            bias="of order 1/m; none once all coalitions are covered",
            efficient=True,
        )

    def fit(
        self, coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray, total: float
    ) -> np.ndarray:
        """Minimise the weighted squared residuals under the efficiency constraint."""
        gram = weighted_joint_counts(weights, coalitions)
        return solve_efficient(gram, sums_over_coalitions(weights * rewards, coalitions), total)
