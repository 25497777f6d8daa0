"""A game with more players, who never contribute."""

import numpy as np

from .base import Game, walk
from .foreign import guarded


class PaddedGame:
    """w(T) = v(T among the players of v): the ``null`` players behind them change nothing.

    Their Shapley values are 0, the others' those of v. An evaluation of w is one of v, and a walk
    of w is one of v.
    """

    def __init__(self, game: Game, null: int):
        self.game = game
        self.n_players = game.n_players + null
        self.name = f"{getattr(game, 'name', type(game).__name__)} and {null} null players"

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return guarded(self.game)(np.ascontiguousarray(coalitions[:, : self.game.n_players]))

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        k, contributions = self.game.n_players, np.zeros(permutations.shape)
        own = permutations[permutations < k].reshape(-1, k)
        contributions[:, :k] = walk(guarded(self.game), own)
        return contributions
