"""Monte Carlo over permutations: plain, along whole walks, and with reversed partners."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game, walk
from ..samplers import uniform_permutations, uniform_subsets
from .base import WALK_COST, Card, Names, SampleMean


def own_coalitions(units: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Coalitions (2, units, d, d) without and with each player, of its own in every unit.

    The others are those before the player in a uniform permutation: of uniform size, and uniform
    given the size.
    """
    d = n_players
    others = uniform_subsets(rng.integers(d, size=units * d), d - 1, rng).reshape(units, d, d - 1)
    both = np.zeros((2, units, d, d), dtype=bool)
    without, joined = both
    for player in range(d):
        without[:, player, :player] = others[:, player, :player]
        without[:, player, player + 1 :] = others[:, player, player:]
    np.logical_or(without, np.eye(d, dtype=bool), out=joined)
    return both


@dataclass(frozen=True)
class PlainMonteCarlo(SampleMean):
    """One independent permutation per player and draw (Strumbelj & Kononenko 2014, Algorithm 1).

    The players before player j in a uniform permutation are a uniform subset of uniform size.
    T draws per player cost 2 d T evaluations. Unbiased; not efficient; standard errors from the
    spread of the draws. "Classical Monte Carlo" of Grah & Thouvenot 2020, Section 5.
    """

    id: ClassVar[str] = "plain-monte-carlo"
    names: ClassVar[Names] = {"IME": {}, "ROF": {}, "SamplingExplainer": {}}
    card: ClassVar[Card] = Card(
        family="random order",
        definition="Each player joins the players before it in random orders of its own.",
        evaluations="2 d T",
        cost="O(d)",
        source="Castro et al. 2009, Section 3; Strumbelj & Kononenko 2014, Algorithm 1",
        unbiased=True,
        additive=True,
    )

    def unit_cost(self, n_players: int) -> int:
        """With and without each player: 2 d."""
        return 2 * n_players

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Marginal contributions (units, d), each to a coalition of its own."""
        d = game.n_players
        both = own_coalitions(units, d, rng)
        values = game(both.reshape(-1, d)).reshape(2, units, d)
        return values[1] - values[0]


@dataclass(frozen=True)
class OptimisedMonteCarlo(SampleMean):
    """Walks along uniform permutations (Grah & Thouvenot 2020, Algorithm 1).

    Known since Castro, Gomez & Tejada 2009. T permutations cost d T + 1 evaluations. Unbiased,
    efficient; standard errors are the algorithm's online variances divided by T.
    """

    id: ClassVar[str] = "optimised-monte-carlo"
    names: ClassVar[Names] = {"ApproShapley": {}, "RO": {}}
    card: ClassVar[Card] = Card(
        family="random order",
        definition="Walks along random orders; each evaluation serves two players.",
        evaluations="d T + 1",
        cost=WALK_COST,
        source="Castro et al. 2009, Section 3; Grah & Thouvenot 2020, Algorithm 1",
        unbiased=True,
        efficient=True,
        additive=True,
    )
    fixed_cost: ClassVar[int] = 1

    def unit_cost(self, n_players: int) -> int:
        """The prefixes of size 1 to d."""
        return n_players

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Marginal contributions (units, d) along uniform permutations."""
        return walk(game, uniform_permutations(units, game.n_players, rng))


@dataclass(frozen=True)
class AntitheticMonteCarlo(SampleMean):
    """Each permutation walked forwards and backwards (Lomeli et al. 2019; Mitchell et al. 2022).

    T pairs cost 2 d T + 1 evaluations. Unbiased, efficient; the pair is the independent unit of
    the standard errors.
    """

    id: ClassVar[str] = "antithetic-monte-carlo"
    names: ClassVar[Names] = {
        "RO_ANTI": {}, "PermutationExplainer": {}, "Permutation SHAP": {}, "PermutationSHAP": {},
    }  # fmt: skip
    card: ClassVar[Card] = Card(
        family="random order",
        definition="Each random order is walked forwards and backwards.",
        evaluations="2 d T + 1",
        cost=WALK_COST,
        source="Lomeli et al. 2019; Mitchell et al. 2022, Section 3",
        unbiased=True,
        efficient=True,
        additive=True,
    )
    fixed_cost: ClassVar[int] = 1

    def unit_cost(self, n_players: int) -> int:
        """Two walks."""
        return 2 * n_players

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Means (units, d) over a permutation and its reverse."""
        forwards = uniform_permutations(units, game.n_players, rng)
        both = np.concatenate([forwards, forwards[:, ::-1]])
        return walk(game, both).reshape(2, units, -1).mean(axis=0)
