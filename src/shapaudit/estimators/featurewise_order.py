"""Random-order sampling with coalitions of its own for each player: IME and its variants."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game
from ..samplers import uniform_subsets
from ..samplers.allocation import Allocation, StageSummary, allocate, pool
from .base import Card, Estimate, Estimator, Names
from .featurewise import TWO_STAGES
from .multilinear import in_blocks


def subsets_without(
    players: np.ndarray, sizes: np.ndarray, n_players: int, rng: np.random.Generator
) -> np.ndarray:
    """Coalitions (m, d), row i uniform among those of ``sizes[i]`` players without ``players[i]``.

    Sizes are in 0, ..., d - 1. Of uniform sizes, these are the players before ``players[i]`` in a
    uniform permutation: P(S) = |S|! (d - 1 - |S|)! / d!.
    """
    rows = np.arange(len(players))
    without = np.zeros((len(players), n_players), dtype=bool)
    without[:, :-1] = uniform_subsets(sizes, n_players - 1, rng)
    # The last player takes the place of the one who stays out.
    without[:, -1] = without[rows, players]
    without[rows, players] = False
    return without


def gains(game: Game, players: np.ndarray, without: np.ndarray) -> np.ndarray:
    """Contribution (m,) of each player (m,) to a coalition (m, d) without it; 2 m evaluations."""
    joined = without.copy()
    joined[np.arange(len(players)), players] = True
    values = game(np.concatenate([without, joined]))
    return values[len(players) :] - values[: len(players)]


def moments_by_stratum(values: np.ndarray, counts: np.ndarray) -> StageSummary:
    """Means and variances of values (m,) sorted by stratum, ``counts`` (k,) of each."""
    k = len(counts)
    strata = np.repeat(np.arange(k), counts)
    means = np.bincount(strata, values, minlength=k) / np.maximum(counts, 1)
    squares = np.bincount(strata, np.square(values - means[strata]), minlength=k)
    return StageSummary(
        means, counts, np.where(counts > 1, squares / np.maximum(counts - 1, 1), np.nan)
    )


@dataclass(frozen=True)
class FeaturewiseOrder(Estimator):
    """Marginal contributions of each player to the players before it in permutations of its own.

    n draws cost 2 n evaluations in all, n antithetic pairs 4 n. Without pairs and in one stage the
    law is that of `PlainMonteCarlo`. Not efficient; standard errors from the spread of the draws.

    Parameters
    ----------
    antithetic : each permutation joined by its reverse: the player's contributions to the players
        before it and to those after it
    allocation : "uniform", or half of the budget uniformly and the other half by the "variance"
        (ROF_ADAPT) or by the standard "deviation" found in the first, which is where the greedy
        rule of Strumbelj & Kononenko 2014, Algorithm 2, tends to
    """

    id: ClassVar[str] = "featurewise-order"
    names: ClassVar[Names] = {
        "ROF_ANTI": {"antithetic": True, "allocation": "uniform"},
        "ROF_ADAPT": {"antithetic": False, "allocation": "variance"},
    }

    antithetic: bool = True
    allocation: Allocation = "uniform"

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        one_stage = self.allocation == "uniform"
        more = ", and after it" if self.antithetic else ""
        later = "" if one_stage else f"; half of the draws go by the {self.allocation} found before"
        return Card(
            family="random order",
            definition="Marginal contributions of each player to the players before it"
            f"{more}, in permutations of its own{later}.",
            evaluations="4 n" if self.antithetic else "2 n",
            cost="O(d)",
            source="Strumbelj & Kononenko 2014, Algorithm 1; Chen et al. 2023, Section 5.2.1",
            aliases=self.aliases,
            unbiased=one_stage,
            bias="" if one_stage else TWO_STAGES,
            additive=True,
        )

    @property
    def _unit_cost(self) -> int:
        return 4 if self.antithetic else 2

    def minimum_budget(self, n_players: int) -> int:
        """One draw per player; in two stages, two draws per player in the first."""
        return (1 if self.allocation == "uniform" else 4) * n_players * self._unit_cost

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        one_stage = self.allocation == "uniform"
        each = (budget if one_stage else budget // 2) // (d * self._unit_cost)
        stage = self._sample(game, np.full(d, each), rng)
        if not one_stage:
            left = budget // self._unit_cost - each * d
            counts = allocate(self.allocation, stage, left)
            stage = pool(stage, self._sample(game, counts, rng))
        spent = self._unit_cost * int(stage.counts.sum())
        return Estimate(stage.means, spent, stage.standard_errors())

    def _sample(self, game: Game, counts: np.ndarray, rng: np.random.Generator) -> StageSummary:
        d = game.n_players
        players = np.repeat(np.arange(d), counts)

        def contributions(block: slice) -> np.ndarray:
            owners = players[block]
            before = subsets_without(owners, rng.integers(d, size=len(owners)), d, rng)
            first = gains(game, owners, before)
            if not self.antithetic:
                return first
            after = ~before
            after[np.arange(len(owners)), owners] = False
            return 0.5 * (first + gains(game, owners, after))

        drawn = in_blocks(contributions, len(players), self._unit_cost * d)
        return moments_by_stratum(drawn, counts)
