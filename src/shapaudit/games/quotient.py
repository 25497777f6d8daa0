"""The game among groups of players, each of which joins as a whole."""

from collections.abc import Sequence

import numpy as np

from .base import Game, GameError, walk
from .foreign import guarded


class QuotientGame:
    """w(T) = v(union of the groups in T): the quotient game of a partition (Owen 1977).

    An evaluation of w is one of v, and a walk of w is one of v, along which the players of a group
    follow each other.

    Parameters
    ----------
    game : Game of d players
    groups : numbers of the players of each group; each of 0, ..., d - 1 is in one of them

    Raises
    ------
    GameError
        When the groups are no partition of the players.
    """

    def __init__(self, game: Game, groups: Sequence[Sequence[int]]):
        name = getattr(game, "name", type(game).__name__)
        members = [np.asarray(group, dtype=np.int64) for group in groups]
        self._order = np.concatenate([np.zeros(0, dtype=np.int64), *members])
        sizes = np.array([len(group) for group in members], dtype=np.int64)
        if not (sizes > 0).all() or sorted(self._order.tolist()) != list(range(game.n_players)):
            raise GameError(
                f"game {name}: each of its {game.n_players} players must be in one group, and no "
                f"group may be empty; got {[group.tolist() for group in members]}."
            )
        self.game = game
        self.n_players = len(members)
        self.name = f"{name} among {self.n_players} groups"
        self._starts = np.cumsum(sizes) - sizes
        self._owner = np.empty(game.n_players, dtype=np.int64)
        self._owner[self._order] = np.repeat(np.arange(self.n_players), sizes)
        if hasattr(game, "walk"):
            self.walk = self._walk

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, k) bool of groups."""
        return guarded(self.game)(coalitions[:, self._owner])

    def _walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, k) of the groups along the permutations (m, k) of them."""
        position = np.argsort(permutations, axis=1)[:, self._owner[self._order]]
        players = self._order[np.argsort(position, axis=1, kind="stable")]
        lifts = walk(guarded(self.game), players)
        return np.add.reduceat(lifts[:, self._order], self._starts, axis=1)
