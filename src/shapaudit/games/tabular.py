"""Games given by a table of all 2^d values."""

from collections.abc import Sequence

import numpy as np
from numba import njit

from .base import Game, GameError, checked_values, coalitions_from_index

MAX_TABULATED_PLAYERS = 24


@njit(cache=True, nogil=True)
def _walk_table(values: np.ndarray, permutations: np.ndarray, contributions: np.ndarray) -> None:
    for t in range(permutations.shape[0]):
        index = 0
        before = values[0]
        for k in range(permutations.shape[1]):
            player = permutations[t, k]
            index |= 1 << player
            after = values[index]
            contributions[t, player] = after - before
            before = after


@njit(cache=True, nogil=True)
def _look_up(values: np.ndarray, coalitions: np.ndarray, out: np.ndarray) -> None:
    for row in range(coalitions.shape[0]):
        index = 0
        for player in range(coalitions.shape[1]):
            index |= coalitions[row, player] << player
        out[row] = values[index]


class TabularGame:
    """Game with values (2^d,) float64 in the order of `coalition_index`.

    ``players`` are the names of its d players, where these have some.

    Raises `GameError` when the length is no power of two, a value is not finite, or there are
    not as many distinct names as players.
    """

    def __init__(self, values: np.ndarray, name: str = "table", players: Sequence[str] = ()):
        values = np.ascontiguousarray(values, dtype=np.float64)
        n_players = max(values.size.bit_length() - 1, 0)
        if values.ndim != 1 or values.size != 1 << n_players or n_players < 1:
            raise GameError(f"a table needs 2^d values, d >= 1; {name} has shape {values.shape}.")
        if not np.isfinite(values).all():
            index = int(np.argmin(np.isfinite(values)))
            checked_values(
                values[index : index + 1],
                coalitions_from_index(np.array([index]), n_players),
                name,
            )
        self.n_players = n_players
        self.values = values
        self.name = name
        self.players = tuple(players)
        if self.players and len({*self.players}) != n_players:
            raise GameError(
                f"{name} has {n_players} players and the names {self.players}; give each its own."
            )

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        out = np.empty(len(coalitions))
        _look_up(self.values, coalitions, out)
        return out

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        contributions = np.empty(permutations.shape)
        _walk_table(self.values, permutations, contributions)
        return contributions


def tabulate(game: Game, chunk: int = 1 << 14) -> TabularGame:
    """Evaluate all 2^d coalitions of a game, ``chunk`` at a time.

    Raises `GameError` for more than 24 players, or when the game's values are not finite.
    """
    d = game.n_players
    name = getattr(game, "name", type(game).__name__)
    if d > MAX_TABULATED_PLAYERS:
        raise GameError(
            f"game {name} has {d} players; a table of 2^{d} values is out of reach "
            f"(at most {MAX_TABULATED_PLAYERS}). Use a reference by permutations instead."
        )
    values = np.empty(1 << d)
    for start in range(0, values.size, chunk):
        stop = min(start + chunk, values.size)
        coalitions = coalitions_from_index(np.arange(start, stop), d)
        values[start:stop] = checked_values(game(coalitions), coalitions, name)
    return TabularGame(values, name)
