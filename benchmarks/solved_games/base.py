"""A game of the suite: with exact Shapley values, and the part of the suite that it is in."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shapaudit.games import Game
from shapaudit.seeding import generator

SEED = 20260  # of the data, the models and the random games of the suite
FEW = 16  # players up to which a game is a table
PARTS = ("development", "held out")


@dataclass(frozen=True)
class Solved:
    """A game with its exact Shapley values (d,)."""

    game: Game
    values: np.ndarray


@dataclass(frozen=True)
class Entry:
    """A game by name, built when it is asked for.

    Attributes
    ----------
    name : what it is of, with hyphens: data, model, removal of features
    kind : the model, or "synthetic"
    n_players : d
    build : function of a generator, which is its own, to the game and its values
    """

    name: str
    kind: str
    n_players: int
    build: Callable[[np.random.Generator], Solved]

    @property
    def part(self) -> str:
        """One of `PARTS`, by a hash of the name: no result can have chosen it."""
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
