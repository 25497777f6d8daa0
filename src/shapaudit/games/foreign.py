"""Games from outside the package: they are given copies, and what they return is checked."""

from operator import index

import numpy as np

from .base import Game, GameError, checked_values, gains, realisation, walk

PACKAGE = __name__.partition(".")[0]


def guarded(game: Game) -> Game:
    """A game of this package as it is; any other as a `ForeignGame`.

    Raises `GameError` as that does.
    """
    return game if type(game).__module__.partition(".")[0] == PACKAGE else ForeignGame(game)


class ForeignGame:
    """A game that somebody else wrote, held to the contract.

    It may write into what it is given and reuse what it returns: both are copied. What it returns
    is one finite real number per coalition, or for a walk and for gains per coalition and player.

    Raises
    ------
    GameError
        When the number of players is missing or no whole number above 0, when the game cannot be
        called, or when it returns anything else.
    """

    def __init__(self, game: Game):
        self.game = game
        self.name = getattr(game, "name", type(game).__name__)
        self.n_players = _players(game, self.name)

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        values = self.game(np.array(coalitions, order="C"))
        return checked_values(values, coalitions, self.name).copy()

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        contributions = walk(self.game, np.array(permutations, order="C"))
        return self._contributions(contributions, permutations.shape)

    def gains(self, coalitions: np.ndarray) -> np.ndarray:
        """v(S + i) - v(S - i), shape (m, d), of coalitions (m, d) bool."""
        contributions = gains(self.game, np.array(coalitions, order="C"))
        return self._contributions(contributions, coalitions.shape)

    def realisation(self, rng: np.random.Generator) -> Game:
        """A game of one fresh draw of its noise, checked alike; itself where it has none."""
        fresh = realisation(self.game, rng)
        return self if fresh is self.game else guarded(fresh)

    def _contributions(self, given: object, shape: tuple[int, ...]) -> np.ndarray:
        array = np.asarray(given)
        if array.shape != shape or array.dtype.kind not in "biuf":
            raise GameError(
                f"game {self.name} returned marginal contributions of shape {array.shape} and "
                f"type {array.dtype}; return real numbers of shape {shape}."
            )
        return np.array(array, dtype=np.float64)


def _players(game: Game, name: str) -> int:
    if not callable(game):
        raise GameError(f"game {name} cannot be called; a game maps coalitions to values.")
    try:
        players = index(game.n_players)
    except AttributeError:
        raise GameError(
            f"game {name} has no n_players; say of how many players it is, "
            "for a function v by v.n_players = 5."
        ) from None
    except TypeError:
        players = 0
    if players < 1 or isinstance(game.n_players, bool):
        raise GameError(
            f"n_players of game {name} must be a whole number above 0; got {game.n_players!r}."
        )
    return players
