"""A game of the suite: with exact Shapley values, and the part of the suite that it is in."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shapaudit.games import Game, TabularGame
from shapaudit.seeding import generator
from shapaudit.truth import shapley_from_table

SEED = 20260  # of the data, the models and the random games of the suite
FEW = 16  # players up to which a game is a table
WIDER = "wider"  # games of kinds that no estimator was developed on
PARTS = ("development", "held out", WIDER)


@dataclass(frozen=True)
class Solved:
    """A game with its exact Shapley values (d,)."""

    game: Game
    values: np.ndarray


def tabulated(table: np.ndarray, name: str = "table") -> Solved:
    """The game of a table of all values (2^d,)."""
    return Solved(TabularGame(table, name), shapley_from_table(table))


@dataclass(frozen=True)
class Entry:
    """A game by name, built when it is asked for.

    Attributes
    ----------
    name : what it is of, with hyphens: data, model, removal of features
    kind : the model, or "synthetic"; of the wider games what their players are
    n_players : d
    build : function of a generator, which is its own, to the game and its values
    wider : whether it is in the part of games of kinds that no estimator was developed on
    """

    name: str
    kind: str
    n_players: int
    build: Callable[[np.random.Generator], Solved]
    wider: bool = False

    @property
    def part(self) -> str:
        """`WIDER`, or one of the others by a hash of the name: no result can have chosen it."""
        if self.wider:
            return WIDER
        return PARTS[hashlib.sha256(self.name.encode()).digest()[0] % 2]

    @property
    def few(self) -> bool:
        """Whether all coalitions can be tabulated."""
        return self.n_players <= FEW

    @cached_property
    def solved(self) -> Solved:
        """The game and its values, always the same."""
        return self.build(generator(SEED, "suite", self.name))

    def drawn(self, draw: int) -> Solved:
        """Another game of the kind: other rows are explained, other numbers are drawn."""
        return self.build(generator(SEED, "suite", self.name, draw))
