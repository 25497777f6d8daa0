"""The game among some of the players, the others staying out."""

import numpy as np

from .base import Game, GameError, walk
from .foreign import guarded


class RestrictedGame:
    """w(T) = v(T) for coalitions T of the given players only.

    Leaving out null players does not change the Shapley values of the others; leaving out other
    players does. An evaluation of w is one of v, and a walk costs what the walk of v costs, so
    count evaluations outside: CountedGame(RestrictedGame(game, players)).

    Parameters
    ----------
    game : Game of d players
    players : ndarray (k,) of distinct indices, in the order of the new players, or mask (d,) bool

    Raises
    ------
    GameError
        When the players are none, repeated or not among those of the game.
    """

    def __init__(self, game: Game, players: np.ndarray):
        name = getattr(game, "name", type(game).__name__)
        players = np.asarray(players)
        if players.dtype == bool and players.shape == (game.n_players,):
            players = np.flatnonzero(players)
        known = np.isin(players, np.arange(game.n_players)).all()
        distinct = players.ndim == 1 and len(np.unique(players)) == len(players) > 0
        if players.dtype == bool or not (known and distinct):
            raise GameError(
                f"game {name} cannot be restricted to the players {players.tolist()}: give "
                f"distinct indices from 0 to {game.n_players - 1}, or a mask of {game.n_players}."
            )
        self.game = game
        self.players = players.astype(np.int64)
        self.n_players = len(players)
        self.name = f"{name} among {self.n_players}"
        if hasattr(game, "walk"):
            self.walk = self._walk

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, k) bool."""
        full = np.zeros((len(coalitions), self.game.n_players), dtype=bool)
        full[:, self.players] = coalitions
        return guarded(self.game)(full)

    def _walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, k): walks of v that the other players join at the end."""
        others = np.setdiff1d(np.arange(self.game.n_players), self.players)
        last = np.broadcast_to(others, (len(permutations), len(others)))
        walked = walk(guarded(self.game), np.hstack([self.players[permutations], last]))
        return walked[:, self.players]
