"""Coalitions sampled with their complements, and the odd part of a game that they show.

The odd part of v is f(S) = (v(S) - v(D minus S)) / 2. It has the Shapley values of v: they are
linear, and a game of equal values on complements gives the same to every player, namely nothing.
"""

from abc import abstractmethod
from dataclasses import dataclass, field

import numpy as np

from ..bits import sums_over_coalitions, weighted_joint_counts
from ..games import Game, empty_value, grand_value
from ..samplers.sizes import SIZES, Sizes
from ..samplers.spread import spread_coalitions
from ..samplers.without_replacement import stratified_coalitions
from ..threads import one_blas_thread
from .base import Estimate, Estimator
from .kernel import solve_efficient
from .least_squares import EXACT_PLAYERS


@dataclass(frozen=True, eq=False)
class Pairs:
    """Values of distinct coalitions (m, d) bool and of their complements.

    Attributes
    ----------
    coalitions : of each pair the smaller one, sorted by size
    values, opposite : (m,), of the coalitions and of their complements
    weights : (m,), the Shapley kernel over the expected number of draws
    empty, grand : v at the end points
    """

    coalitions: np.ndarray
    values: np.ndarray
    opposite: np.ndarray
    weights: np.ndarray
    empty: float
    grand: float

    @property
    def odd_part(self) -> np.ndarray:
        """The odd part of the game at the coalitions, (m,)."""
        return 0.5 * (self.values - self.opposite)

    @property
    def total(self) -> float:
        """v(grand) - v(empty)."""
        return self.grand - self.empty

    def part(self, rows: np.ndarray) -> "Pairs":
        """The pairs with these numbers or this mask."""
        return Pairs(
            self.coalitions[rows],
            self.values[rows],
            self.opposite[rows],
            self.weights[rows],
            self.empty,
            self.grand,
        )

    def of_players(self, players: np.ndarray) -> "Pairs":
        """The pairs restricted to the columns of some players; the values stay as they are."""
        columns = self.coalitions[:, players]
        return Pairs(columns, self.values, self.opposite, self.weights, self.empty, self.grand)

    def regressed(self, odd_part: np.ndarray, total: float) -> np.ndarray:
        """Efficient least squares on an odd part (m,) at the coalitions, and ``total`` / 2 at D."""
        gram = weighted_joint_counts(self.weights, self.coalitions)
        shares = self.weights * (odd_part + 0.5 * total)
        return solve_efficient(gram, sums_over_coalitions(shares, self.coalitions), total)


def draw_pairs(game: Game, budget: int, sizes: str, rng: np.random.Generator) -> Pairs:
    """The end points and (budget - 2) // 2 distinct pairs, or all there are."""
    d = game.n_players
    drawn = stratified_coalitions(SIZES[sizes](d), (budget - 2) // 2, d, rng, paired=True)
    return _evaluated(game, *drawn)


def spread_pairs(game: Game, budget: int, sizes: str, rng: np.random.Generator) -> Pairs:
    """As `draw_pairs`, but up to 512 pairs are chosen so that each tells much (`spread`)."""
    d = game.n_players
    return _evaluated(game, *spread_coalitions(SIZES[sizes](d), (budget - 2) // 2, d, rng))


def _evaluated(game: Game, coalitions: np.ndarray, weights: np.ndarray) -> Pairs:
    values = game(np.concatenate([coalitions, ~coalitions]))
    m = len(coalitions)
    return Pairs(coalitions, values[:m], values[m:], weights, empty_value(game), grand_value(game))


@dataclass(frozen=True)
class PairEstimator(Estimator):
    """An estimate from distinct coalitions and their complements, exact where these are all.

    ``sizes`` are as in `StratifiedLeastSquares`. The game may use any number of threads; the
    estimate uses one, since its matrices are small and several threads would slow it down.
    """

    sizes: Sizes = field(default="leverage", kw_only=True)

    @abstractmethod
    def from_pairs(self, pairs: Pairs, rng: np.random.Generator) -> np.ndarray:
        """Shapley values (d,), d > 1."""

    def exact_budget(self, n_players: int) -> int | None:
        """All coalitions."""
        return 1 << n_players if n_players <= EXACT_PLAYERS else None

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """Estimate within ``budget`` evaluations; raises `BudgetTooSmall` below the minimum."""
        self.check_budget(game.n_players, budget)
        if game.n_players == 1:
            ends = game(np.array([[False], [True]]))
            return Estimate(np.diff(ends), 2)
        pairs = draw_pairs(game, budget, self.sizes, rng)
        with one_blas_thread():
            values = self.from_pairs(pairs, rng)
        return Estimate(values, 2 + 2 * len(pairs.values))
