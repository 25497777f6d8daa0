"""Random orders on games with noise, drawn anew for every unit: IME and CES.

A game of a removal that samples has its noise frozen, and a value costs as many rows of the model
as there are draws. Its `realisation` is one fresh draw of it, whose values have the game's as their
expectation and cost one row: marginal contributions to it are unbiased, and the noise of one is
independent of that of the next.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..games import Game, realisation
from ..samplers import uniform_permutations
from .base import Card, SampleMean
from .monte_carlo import own_coalitions


@dataclass(frozen=True)
class RealisedMonteCarlo(SampleMean):
    """Each player joins the players before it in an order and a realisation of its own.

    Strumbelj & Kononenko 2014, Algorithm 1, with a fresh row of the background for each draw: IME.
    T draws per player cost 2 d T evaluations. On a game without noise this is Monte Carlo over
    random orders for each player.
    """

    id: ClassVar[str] = "realised-monte-carlo"
    card: ClassVar[Card] = Card(
        family="random order",
        definition="Each player joins the players before it in random orders, with fresh noise.",
        evaluations="2 d T",
        cost="O(d)",
        source="Strumbelj & Kononenko 2014, Algorithm 1; Chen et al. 2023, Table 1 (IME)",
        unbiased=True,
        additive=True,
    )

    def unit_cost(self, n_players: int) -> int:
        """With and without each player: 2 d."""
        return 2 * n_players

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Marginal contributions (units, d), each to a coalition and a realisation of its own."""
        d = game.n_players
        both = np.moveaxis(own_coalitions(units, d, rng), 0, 2).reshape(-1, 2, d)
        values = values_on_fresh(game, both, rng).reshape(units, d, 2)
        return values[..., 1] - values[..., 0]


@dataclass(frozen=True)
class RealisedWalks(SampleMean):
    """Walks along uniform permutations, each on a realisation of its own.

    With the removal exact-match this is CES by sampling: a walk follows the first rows, in a random
    order, that match the explicand on its prefixes. T walks cost (d + 1) T evaluations, since every
    realisation has an empty coalition of its own. With noise the estimates sum to v(grand) -
    v(empty) in expectation only.
    """

    id: ClassVar[str] = "realised-walks"
    card: ClassVar[Card] = Card(
        family="random order",
        definition="Walks along random orders, each with fresh noise.",
        evaluations="(d + 1) T",
        cost="O(d)",
        source="Sundararajan & Najmi 2020; Chen et al. 2023, Table 1 (CES)",
        unbiased=True,
        efficient=True,
        additive=True,
    )

    def unit_cost(self, n_players: int) -> int:
        """The prefixes of size 0 to d."""
        return n_players + 1

    def draw(self, game: Game, units: int, rng: np.random.Generator) -> np.ndarray:
        """Marginal contributions (units, d) along walks."""
        permutations = uniform_permutations(units, game.n_players, rng)
        places = np.argsort(permutations, axis=1)
        prefixes = places[:, None] < np.arange(game.n_players + 1)[:, None]
        steps = np.diff(values_on_fresh(game, prefixes, rng), axis=1)
        return np.take_along_axis(steps, places, axis=1)


def values_on_fresh(game: Game, coalitions: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Values (m, k) of groups of coalitions (m, k, d), each group on a realisation of its own.

    Of a game without noise all are asked for at once.
    """
    m, k, d = coalitions.shape
    first = realisation(game, rng)
    if first is game:
        return game(coalitions.reshape(-1, d)).reshape(m, k)
    rest = (realisation(game, rng) for _ in range(m - 1))
    return np.array([game(group) for game, group in zip((first, *rest), coalitions, strict=True)])
