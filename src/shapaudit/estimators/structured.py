"""L-Shapley and C-Shapley: contributions to coalitions in the neighbourhood of a player.

Chen, Song, Wainwright & Jordan 2019; Chen, Covert, Lundberg & Lee 2023, Section 5.2.1. Players are
the nodes of a graph; beyond a radius they are all absent, or all present.
"""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, factorial
from typing import ClassVar, Literal

import numpy as np

from ..games import Game
from .base import BLOCK_CELLS, Card, Estimate, Estimator
from .graphs import Neighbours, ball, chain, connected_sets, from_edges, grid

LARGEST = 20  # players of a neighbourhood whose subsets are all looked at
SOURCE = "Chen, Song, Wainwright & Jordan 2019; Chen et al. 2023, Section 5.2.1"
Term = tuple[frozenset[int], Fraction]


@dataclass(frozen=True)
class _Neighbourhood(Estimator):
    """Common part of L-Shapley and C-Shapley: a graph, a radius, and players outside of it."""

    graph: Literal["chain", "grid", "edges"] = "chain"
    radius: int = 1
    outside: Literal["absent", "present"] = "absent"
    width: int = 0
    edges: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError for a parameter outside its choices."""
        super().__post_init__()
        if self.radius < 0:
            raise ValueError(f"{self.id}: the radius must not be negative; got {self.radius}.")
        if bool(self.edges) != (self.graph == "edges"):
            raise ValueError(
                f"{self.id}: graph {self.graph!r} with {len(self.edges)} edges; give edges with "
                "graph 'edges', and with no other."
            )
        object.__setattr__(self, "edges", tuple(tuple(edge) for edge in self.edges))

    def minimum_budget(self, n_players: int) -> int:
        """Its coalitions, each once."""
        return len(_plan(self, n_players)[0])

    def estimate(self, game: Game, budget: int, rng: np.random.Generator) -> Estimate:
        """The same for any budget that allows it; raises `BudgetTooSmall` below the minimum."""
        d = game.n_players
        self.check_budget(d, budget)
        coalitions, rows, weights = _plan(self, d)
        values = _values(game, coalitions)
        owners = np.repeat(np.arange(d), [len(own) for own in weights])
        gains = values[rows[:, 0]] - values[rows[:, 1]]
        values_of_players = np.bincount(owners, np.concatenate(weights) * gains, minlength=d)
        return Estimate(values_of_players, len(coalitions))

    def check(self, player: int, near: tuple[int, ...]) -> None:
        """Raise ValueError where the players ``near`` one have too many coalitions."""

    @abstractmethod
    def terms(self, neighbours: Neighbours, player: int, near: tuple[int, ...]) -> Iterator[Term]:
        """Coalitions of ``near`` with the player, each with the weight of its contribution."""

    def neighbours(self, n_players: int) -> Neighbours:
        """The graph; raises ValueError where the players do not fit it."""
        try:
            if self.graph == "grid":
                return grid(n_players, self.width)
            return from_edges(n_players, self.edges) if self.edges else chain(n_players)
        except ValueError as error:
            raise ValueError(f"{self.id}: {error}") from None


def _values(game: Game, coalitions: np.ndarray) -> np.ndarray:
    block = max(1, BLOCK_CELLS // coalitions.shape[1])
    parts = [game(coalitions[k : k + block]) for k in range(0, len(coalitions), block)]
    return np.concatenate(parts)


@lru_cache(maxsize=8)
def _plan(estimator: _Neighbourhood, d: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Distinct coalitions (m, d), their rows (k, 2) with and without, and weights by player."""
    neighbours = estimator.neighbours(d)
    balls = [ball(neighbours, player, estimator.radius) for player in range(d)]
    for player, near in enumerate(balls):
        estimator.check(player, near)
    index: dict[frozenset[int], int] = {}
    rows, weights = [], []
    for player, near in enumerate(balls):
        far = frozenset() if estimator.outside == "absent" else frozenset(range(d)).difference(near)
        own = []
        for members, weight in estimator.terms(neighbours, player, near):
            pair = (members | far, (members - {player}) | far)
            rows.append([index.setdefault(coalition, len(index)) for coalition in pair])
            own.append(float(weight))
        weights.append(np.array(own))
    coalitions = np.zeros((len(index), d), dtype=bool)
    for members, row in index.items():
        coalitions[row, list(members)] = True
    return coalitions, np.array(rows), weights


@dataclass(frozen=True)
class LShapley(_Neighbourhood):
    """The Shapley value of each player in the game of its neighbourhood alone.

    A deterministic number of evaluations, at most 2^n for a neighbourhood of n players each;
    coalitions that several players need are evaluated once. Exact where interactions do not reach
    beyond the radius: what is left out is, for absent players outside, the sum of a_T / |T| over
    the Moebius coefficients a_T of coalitions T that do.

    Parameters
    ----------
    graph : "chain", "grid" or "edges"
    radius : links from a player to the end of its neighbourhood
    outside : players beyond it are "absent", as in the paper, or "present", as in its public code
    width : columns of the grid; 0 for the grid that is nearest to a square
    edges : pairs of players, for the graph "edges"
    """

    id: ClassVar[str] = "l-shapley"

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        return Card(
            family="semivalue",
            definition="The Shapley value of each player in the game of its neighbourhood.",
            evaluations=r"\le d 2^n",
            cost="O(d)",
            source=SOURCE,
            bias="interactions that reach beyond the neighbourhood are left out",
            additive=True,
            consistent=False,
            deterministic=True,
        )

    def check(self, player: int, near: tuple[int, ...]) -> None:
        """Refuse neighbourhoods of more than `LARGEST` players."""
        if len(near) > LARGEST:
            raise ValueError(
                f"{self.id}: player {player} has {len(near)} players within radius {self.radius}, "
                f"and at most {LARGEST} are looked at; take a smaller radius, or c-shapley."
            )

    def terms(self, neighbours: Neighbours, player: int, near: tuple[int, ...]) -> Iterator[Term]:
        """All coalitions of the neighbourhood with the player."""
        others = [j for j in near if j != player]
        for size in range(len(near)):
            weight = Fraction(1, len(near) * comb(len(others), size))
            for chosen in combinations(others, size):
                yield frozenset((player, *chosen)), weight


@dataclass(frozen=True)
class CShapley(_Neighbourhood):
    """Contributions of each player to the connected coalitions of its neighbourhood.

    The printed weight of a connected coalition of t players is 2 / ((t + 2)(t + 1) t), which is
    right where two neighbours of it are left out, as inside of a chain; at the ends of the
    neighbourhood there are fewer, so that the weights do not sum to one and not even additive games
    are exact. Myerson's is the probability that, in a random order, a player's joining completes
    the coalition before any of its b neighbours there has come: (t - 1)! b! / (t + b)!.

    Parameters
    ----------
    graph, radius, outside, width, edges : as of `LShapley`
    weights : "printed" or "myerson"
    """

    id: ClassVar[str] = "c-shapley"

    weights: Literal["printed", "myerson"] = "printed"

    @property
    def card(self) -> Card:
        """The card of these parameters."""
        printed = self.weights == "printed"
        left_out = "coalitions that are not connected or reach too far are left out"
        return Card(
            family="semivalue",
            definition="Contributions of each player to connected coalitions of its neighbourhood.",
            evaluations=r"\le d (k + 1)^2 + d (2 k + 1) + 1 \text{ (chain, radius $k$)}",
            cost="O(d)",
            source=SOURCE,
            bias=f"{left_out}; the weights do not sum to one" if printed else left_out,
            additive=not printed,
            consistent=False,
            deterministic=True,
        )

    def terms(self, neighbours: Neighbours, player: int, near: tuple[int, ...]) -> Iterator[Term]:
        """Connected coalitions of the neighbourhood with the player."""
        for members, around in connected_sets(neighbours, player, near):
            beside = 2 if self.weights == "printed" else around
            t = len(members)
            yield members, Fraction(factorial(t - 1) * factorial(beside), factorial(t + beside))
