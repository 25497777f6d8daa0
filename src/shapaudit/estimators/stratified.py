"""Marginal contributions stratified by the size of the coalition, for each player apart."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..games import Game
from ..samplers.allocation import StageSummary, allocate, fill_up, pool
from .base import Card, Estimate, Estimator, Names
from .featurewise import TWO_STAGES
from .featurewise_order import gains, moments_by_stratum, subsets_without
from .multilinear import in_blocks
from .strata import border_cost, border_values

CASTRO = "Castro, Gomez, Molina & Tejada 2017"
SOURCES = {
    "uniform": CASTRO,
    "growing": "Maleki, Tran-Thanh, Hines, Rahwan & Rogers 2013",
    "deviation": CASTRO,
}


@dataclass(frozen=True)
class StratifiedSampling(Estimator):
    """phi_i = (1/d) sum_l of the mean contribution of i to coalitions of l other players.

    The sizes 0 and d - 1 have one coalition each and are evaluated once for all players, 2 d + 2
    evaluations; n draws from the d (d - 2) other strata cost 2 n, and each stratum gets one. Not
    efficient; exact up to two players.

    Parameters
    ----------
    allocation : "uniform" over all strata; "growing" as (l + 1)^(2/3), for ranges of contributions
        that grow with the coalition; "deviation", half of the draws uniformly, the other half by
        Neyman's allocation to the standard deviations found in the first, at least two draws each.
        A stratum whose few first draws are alike gets no more of them, which on games of values 0
        and 1 is a bias that can exceed the standard error
    """

    id: ClassVar[str] = "stratified-sampling"
    names: ClassVar[Names] = {
        "St-ApproShapley": {"allocation": "uniform"},
        "two-stage St-ApproShapley-opt": {"allocation": "deviation"},
    }

    allocation: Literal["uniform", "growing", "deviation"] = "uniform"

    @property
    def card(self) -> Card:
        """The card of this allocation."""
        two_stages = self.allocation == "deviation"
        how = {
            "uniform": "as many draws from each",
            "growing": "draws that grow as (l + 1)^(2/3)",
            "deviation": "half of the draws by the standard deviations found before",
        }[self.allocation]
        return Card(
            family="semivalue",
            definition="Marginal contributions of each player, stratified by the size of the "
            f"coalition: {how}.",
            evaluations="2 d + 2 + 2 n",
            cost="O(d)",
            source=SOURCES[self.allocation],
            aliases=self.aliases,
            unbiased=not two_stages,
            bias=f"{TWO_STAGES}; a stratum whose first draws are alike gets no more"
            if two_stages
            else "",
            additive=True,
        )

    @property
    def _least(self) -> int:
        return 2 if self.allocation == "deviation" else 1

    def minimum_budget(self, n_players: int) -> int:
        """The outermost sizes, and one draw in each stratum, two in each with "deviation"."""
        return border_cost(n_players) + 2 * self._least * n_players * max(n_players - 2, 0)

    def exact_budget(self, n_players: int) -> int | None:
        """Up to two players there is nothing to draw."""
        return self.minimum_budget(n_players) if n_players <= 2 else None

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        empty, grand, singles, all_but = border_values(game)
        ends = (singles - empty + grand - all_but) / max(d, 2)
        if d <= 2:
            return Estimate(ends, border_cost(d), np.zeros(d))
        draws = (budget - border_cost(d)) // 2
        stage = self._sample(game, self._first_counts(d, draws), rng)
        if left := draws - stage.counts.sum():
            stage = pool(stage, self._sample(game, allocate("deviation", stage, left), rng))
        errors = stage.standard_errors()
        if errors is not None:
            errors = np.linalg.norm(errors.reshape(d, d - 2), axis=1) / d
        values = ends + stage.means.reshape(d, d - 2).sum(axis=1) / d
        return Estimate(values, border_cost(d) + 2 * draws, errors)

    def _first_counts(self, d: int, draws: int) -> np.ndarray:
        """Draws (d (d - 2),) of the first stage, or of the only one; player by player."""
        strata = d * (d - 2)
        if self.allocation == "deviation":
            draws = max(draws // 2, 2 * strata)
        sizes = np.tile(np.arange(1, d - 1), d)
        weights = (sizes + 1.0) ** (2 / 3) if self.allocation == "growing" else np.ones(strata)
        least = np.full(strata, self._least)
        return least + fill_up(weights, least, draws - least.sum())

    @staticmethod
    def _sample(game: Game, counts: np.ndarray, rng: np.random.Generator) -> StageSummary:
        d = game.n_players
        strata = np.repeat(np.arange(len(counts)), counts)
        players, inner = np.divmod(strata, d - 2)

        def contributions(block: slice) -> np.ndarray:
            coalitions = subsets_without(players[block], inner[block] + 1, d, rng)
            return gains(game, players[block], coalitions)

        return moments_by_stratum(in_blocks(contributions, len(strata), 2 * d), counts)
