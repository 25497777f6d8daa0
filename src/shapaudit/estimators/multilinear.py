"""Multilinear extension sampling: all players share the coalitions, drawn at probability q.

Owen (1972): the Shapley value of a player is the integral over q in [0, 1] of e(q), the mean
marginal contribution to a coalition that every other player joins with probability q.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..games import Game, gains
from ..samplers.quadrature import draw_levels, least_draws, plan, quadrature_rule
from .base import BLOCK_CELLS, Card, Estimate, Estimator, Names, SampleMean

OKHRATI = "Okhrati & Lipani 2021"
CHEN = "Chen et al. 2023, Section 5.2.1"

# e(q) is the mean contribution at q, phi the Shapley value; L levels, Q = L - 1.
BIAS = {
    "printed": r"$\frac{e(0)+e(1)}{2Q}$ plus that of the trapezoid rule, exactly; a further "
    r"$\frac1Qe(\frac12)$ when halved and $Q$ is even",
    "equal": r"$\frac1L(\frac{e(0)+e(1)}2-\phi)$ plus $1-\frac1L$ times that of the trapezoid "
    "rule, exactly",
    "trapezoid": r"$\frac{e'(1)-e'(0)}{12Q^2}$ to second order",
    "midpoint": r"$-\frac{e'(1)-e'(0)}{24L^2}$ to second order",
    "gauss-legendre": r"none with $\frac d2$ levels or more",
}


def shared_contributions(
    game: Game, q: np.ndarray, halved: bool, rng: np.random.Generator
) -> np.ndarray:
    """Contributions v(E + i) - v(E - i), shape (m, d), to one coalition E for each q (m,).

    Costs d + 1 evaluations for each E: its value, and with each player moved in or out. Halved, E
    is joined by its complement, and the rows are means over both.
    """
    d = game.n_players
    members = rng.random((len(q), d)) < q[:, None]
    if halved:
        members = np.concatenate([members, ~members])
    contributions = gains(game, members)
    return contributions.reshape(2, -1, d).mean(axis=0) if halved else contributions


def in_blocks(evaluate: Callable[[slice], np.ndarray], draws: int, cells: int) -> np.ndarray:
    """Rows of ``evaluate`` for all draws, in blocks that bound the memory of coalitions.

    ``cells`` is the number of (row, player) cells of the coalitions of one draw.
    """
    block = max(1, BLOCK_CELLS // cells)
    return np.concatenate([evaluate(slice(k, k + block)) for k in range(0, draws, block)])


def cell_moments(
    contributions: np.ndarray, counts: np.ndarray, certain: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mean in each of L cells, and the variance of that mean, of contributions sorted by cell.

    ``contributions`` (n, ...) have ``counts`` (L,) rows per cell. The variance is 0 where the
    outcome is ``certain``, otherwise NaN from one draw.
    """
    starts = np.cumsum(counts) - counts
    n = counts.reshape(-1, *[1] * (contributions.ndim - 1))
    means = np.add.reduceat(contributions, starts, axis=0) / n
    squares = np.square(contributions - np.repeat(means, counts, axis=0))
    variances = np.add.reduceat(squares, starts, axis=0) / (np.maximum(n - 1, 1) * n)
    variances[counts == 1] = np.nan
    variances[certain] = 0.0
    return means, variances


@dataclass(frozen=True)
class MultilinearSampling(Estimator):
    """Owen's integral on a grid of q, all players sharing each coalition (ME, Owen sampling).

    n coalitions cost (d + 1) n evaluations; halved, each is joined by its complement and n pairs
    cost 2 (d + 1) n. Standard errors come from the spread of the draws within each level, so they
    leave out the bias of the grid, and need two draws at each level. Not efficient.

    Parameters
    ----------
    grid : a rule of `samplers.quadrature.quadrature_rule`
        "printed" and "equal" draw q = 0 and q = 1 like any other level; "trapezoid" evaluates
        these two sure coalitions once.
    halved : each coalition joined by its complement, at q and 1 - q
    levels : number L of levels of q in [0, 1]; by default as many as the budget allows
    draws : coalitions (pairs) per level when ``levels`` is not given; 2 in both papers
    """

    id: ClassVar[str] = "multilinear"
    names: ClassVar[Names] = {
        "ME": {"grid": "equal", "halved": False},
        "Owen sampling": {"grid": ("equal", "printed"), "halved": False},
        "ME_ANTI": {"grid": "equal", "halved": True},
        "halved Owen sampling": {"grid": ("equal", "printed"), "halved": True},
    }
    grid: Literal["printed", "equal", "trapezoid", "midpoint", "gauss-legendre", "stratified"] = (
        "equal"
    )
    halved: bool = False
    levels: int | None = None
    draws: int = 2

    def __post_init__(self) -> None:
        """Raise ValueError for unknown choices."""
        super().__post_init__()
        if self.draws < 1:
            raise ValueError(f"{self.id}: draws must be at least 1; got {self.draws}.")
        if self.levels is not None:
            quadrature_rule(self.grid, self.levels)

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        return Card(
            family="multilinear",
            definition="Marginal contributions of all players to shared coalitions, drawn at each "
            "level of a grid of inclusion probabilities.",
            evaluations="2 (d + 1) n" if self.halved else "(d + 1) n",
            cost="O(d)",
            source=f"{OKHRATI}, Algorithm {1 + self.halved}; {CHEN}",
            aliases=self.aliases,
            unbiased=self.grid == "stratified",
            bias=BIAS.get(self.grid, ""),
            additive=self.grid != "printed",
            consistent=self.levels is None or self.grid == "stratified",
        )

    def _unit_cost(self, d: int) -> int:
        return (d + 1) * (2 if self.halved else 1)

    def minimum_budget(self, n_players: int) -> int:
        """One draw at each of the fewest levels."""
        least = least_draws(self.grid, self.halved, self.levels, self.draws)
        return least * self._unit_cost(n_players)

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        cost = self._unit_cost(d)
        rule, counts = plan(self.grid, budget // cost, d, self.halved, self.levels, self.draws)
        q = draw_levels(rule, counts, rng)
        contributions = in_blocks(
            lambda block: shared_contributions(game, q[block], self.halved, rng), len(q), cost * d
        )
        means, variances = cell_moments(contributions, counts, rule.certain)
        squared = np.square(rule.weights) @ variances
        errors = None if np.isnan(squared).any() else np.sqrt(squared)
        return Estimate(rule.weights @ means, cost * len(q), errors)


@dataclass(frozen=True)
class RandomMultilinear(SampleMean):
    """Owen's integral by random q, all players sharing each coalition (ME_RAND).

    A unit is one coalition, q uniform: each player's contribution has the law it has along a random
    permutation, but those of one unit do not sum to v(grand) - v(empty). (d + 1) n evaluations,
    twice as many when halved. Unbiased at every budget.

    Parameters
    ----------
    halved : each coalition joined by its complement
    strata : with k > 1, a unit has one q in each of k equal strata, at k times the cost
    """

    id: ClassVar[str] = "random-multilinear"
    names: ClassVar[Names] = {"ME_RAND": {"halved": False, "strata": 1}}
    halved: bool = False
    strata: int = 1

    def __post_init__(self) -> None:
        """Raise ValueError unless there are strata."""
        super().__post_init__()
        if self.strata < 1:
            raise ValueError(f"{self.id}: strata must be at least 1; got {self.strata}.")

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        factor = (2 if self.halved else 1) * self.strata
        return Card(
            family="multilinear",
            definition="Marginal contributions of all players to shared coalitions, drawn at "
            "uniform inclusion probabilities.",
            evaluations=f"{factor} (d + 1) n" if factor > 1 else "(d + 1) n",
            cost="O(d)",
            source=f"{CHEN} and Appendix A.2",
            aliases=self.aliases,
            unbiased=True,
            additive=True,
        )

    def unit_cost(self, n_players: int) -> int:
        """One coalition, or pair, in each stratum, and each player moved in or out of it."""
        return self.strata * (2 if self.halved else 1) * (n_players + 1)

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Contributions (units, d), means over the coalitions of each unit."""
        q = (np.arange(self.strata) + rng.random((units, self.strata))) / self.strata
        if self.halved:
            q = 0.5 * q
        contributions = shared_contributions(game, q.ravel(), self.halved, rng)
        return contributions.reshape(units, self.strata, -1).mean(axis=1)
