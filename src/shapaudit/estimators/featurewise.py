"""Multilinear extension sampling with coalitions of its own for each player."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from ..games import Game
from ..samplers.allocation import Allocation, StageSummary, allocate, pool
from ..samplers.quadrature import draw_levels, least_draws, plan
from .base import Card, Estimate, Estimator, Names
from .multilinear import BIAS, CHEN, cell_moments, in_blocks

TWO_STAGES = "the second stage's draws depend on the first's"


def own_contributions(
    game: Game, players: np.ndarray, q: np.ndarray, halved: bool, rng: np.random.Generator
) -> np.ndarray:
    """Contribution (m,) of each player (m,) to a coalition that others join at q (m,).

    Costs two evaluations each; halved, the means over the coalition and its complement, four.
    """
    d = game.n_players
    without = rng.random((len(q), d)) < q[:, None]
    if halved:
        without = np.concatenate([without, ~without])
        players = np.concatenate([players, players])
    rows = np.arange(len(players))
    without[rows, players] = False
    joined = without.copy()
    joined[rows, players] = True
    values = game(np.concatenate([without, joined]))
    gains = values[len(rows) :] - values[: len(rows)]
    return gains.reshape(2, -1).mean(axis=0) if halved else gains


@dataclass(frozen=True)
class FeaturewiseMultilinear(Estimator):
    """Owen's integral for each player from coalitions of its own (MEF and its variants).

    n coalitions cost 2 n evaluations in all; halved, each is joined by its complement and n pairs
    cost 4 n. With a random q, every draw has the law of `PlainMonteCarlo`. Standard errors come
    from the spread within each level of q: they leave out the bias of the grid. Not efficient.

    Parameters
    ----------
    grid : a rule of `samplers.quadrature.quadrature_rule`, of as many levels as two draws at each
        allow within a player's share of the budget
    halved : each coalition joined by its complement, at q and 1 - q
    allocation : "uniform", or half of the budget uniformly and the other half by the "variance"
        (MEF_ADAPT) or the standard "deviation" found in the first
    """

    id: ClassVar[str] = "featurewise-multilinear"
    names: ClassVar[Names] = {
        "MEF": {"grid": "equal", "halved": False, "allocation": "uniform"},
        "MEF_ANTI": {"grid": "equal", "halved": True, "allocation": "uniform"},
        "MEF_ADAPT": {"grid": "equal", "halved": False, "allocation": "variance"},
        "MEF_RAND": {"grid": "random", "halved": False, "allocation": "uniform"},
    }
    grid: Literal["equal", "trapezoid", "midpoint", "gauss-legendre", "stratified", "random"] = (
        "equal"
    )
    halved: bool = False
    allocation: Allocation = "uniform"

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        one_stage = self.allocation == "uniform"
        known = [BIAS[self.grid]] if self.grid in BIAS else []
        return Card(
            family="multilinear",
            definition="Marginal contributions of each player to coalitions of its own, drawn at "
            "each level of a grid of inclusion probabilities.",
            cost="O(d)",
            source=f"{CHEN} and 5.2.2",
            additive=True,
            evaluations="4 n" if self.halved else "2 n",
            aliases=self.aliases,
            unbiased=one_stage and not known,
            bias="; ".join(known if one_stage else [*known, TWO_STAGES]),
        )

    @property
    def _unit_cost(self) -> int:
        return 4 if self.halved else 2

    def minimum_budget(self, n_players: int) -> int:
        """One draw per player and level; in two stages, two draws per player in the first."""
        least = least_draws(self.grid, self.halved) if self.allocation == "uniform" else 4
        return least * n_players * self._unit_cost

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        one_stage = self.allocation == "uniform"
        each = (budget if one_stage else budget // 2) // (d * self._unit_cost)
        stage, spreads = self._sample(game, np.full(d, each), rng)
        if not one_stage:
            left = budget // self._unit_cost - stage.counts.sum()
            known = replace(stage, variances=spreads) if self.allocation == "variance" else stage
            counts = allocate(self.allocation, known, left)
            stage = pool(stage, self._sample(game, counts, rng)[0])
        spent = self._unit_cost * int(stage.counts.sum())
        return Estimate(stage.means, spent, stage.standard_errors())

    def _sample(
        self, game: Game, counts: np.ndarray, rng: np.random.Generator
    ) -> tuple[StageSummary, np.ndarray]:
        """Stage of at most ``counts`` (d,) draws, and the variance (d,) over all draws.

        The stage's variances are those within the levels of q; the published allocation goes by
        the variance over all draws, which has the spread between the levels as well.
        """
        d = game.n_players
        plans = {n: plan(self.grid, n, d, self.halved) for n in set(counts.tolist()) - {0}}
        drawn = np.flatnonzero(counts)
        if len(drawn) == 0:
            return StageSummary(np.zeros(d), counts, np.full(d, np.nan)), np.zeros(d)
        rules, cells = zip(*(plans[n] for n in counts[drawn].tolist()), strict=True)
        owners = np.repeat(drawn, [len(n) for n in cells])
        weights = np.concatenate([rule.weights for rule in rules])
        certain = np.concatenate([rule.certain for rule in rules])
        q = np.concatenate([draw_levels(*pair, rng) for pair in zip(rules, cells, strict=True)])
        draws = np.concatenate(cells)
        players = np.repeat(owners, draws)
        contributions = in_blocks(
            lambda block: own_contributions(game, players[block], q[block], self.halved, rng),
            len(q),
            self._unit_cost * d,
        )
        means, variances = cell_moments(contributions, draws, certain)

        def total(of: np.ndarray, values: np.ndarray) -> np.ndarray:
            return np.bincount(of, values, minlength=d)

        spent = np.bincount(players, minlength=d)
        some = np.maximum(spent, 1)
        squared = np.where(spent > 0, total(owners, np.square(weights) * variances), np.nan)
        centred = contributions - (total(players, contributions) / some)[players]
        spreads = total(players, np.square(centred)) / some
        return StageSummary(total(owners, weights * means), spent, squared * spent), spreads
