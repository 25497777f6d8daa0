"""The contract of a game, coalitions as bit patterns, and walks along permutations."""

from typing import Protocol, runtime_checkable

import numpy as np


class GameError(ValueError):
    """A game broke its contract: wrong shape, or a value that is no finite real number."""


@runtime_checkable
class Game(Protocol):
    """Value function of a cooperative game.

    Any callable with ``n_players`` works. Values are raw: v(empty) need not be 0. A game is pure:
    the same coalition always has the same value.

    Attributes
    ----------
    n_players : number of players d; column j of the coalitions says whether player j is in
    """

    n_players: int

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) float64 of the coalitions (m, n_players) bool."""
        ...


def realisation(game: Game, rng: np.random.Generator) -> Game:
    """A game of one fresh draw of a game's noise; the game itself where it has none."""
    drawn = getattr(game, "realisation", None)
    return game if drawn is None else drawn(rng)


def coalition_index(coalitions: np.ndarray) -> np.ndarray:
    """Index (m,) int64 of each coalition (m, d) in a table: bit j is set when player j is in."""
    d = coalitions.shape[1]
    if d > 62:
        raise GameError(f"{d} players: a coalition index needs at most 62; do not tabulate.")
    packed = np.packbits(coalitions, axis=1, bitorder="little")
    padded = np.zeros((len(coalitions), 8), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<i8")[:, 0].astype(np.int64, copy=False)


def coalitions_from_index(index: np.ndarray, n_players: int) -> np.ndarray:
    """Coalitions (m, d) bool with the given table indices (m,); inverse of `coalition_index`."""
    octets = np.ascontiguousarray(index, dtype="<i8")[:, None].view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little", count=n_players)
    return bits.view(bool)


def all_coalitions(n_players: int) -> np.ndarray:
    """All 2^d coalitions (2^d, d) bool in the order of their index."""
    return coalitions_from_index(np.arange(1 << n_players), n_players)


def checked_values(values: object, coalitions: np.ndarray, name: str) -> np.ndarray:
    """Return the values as float64 (m,), or raise `GameError` naming the game and coalition."""
    values = _array(values, name)
    if values.shape != (len(coalitions),):
        raise GameError(
            f"game {name} returned shape {values.shape} for {len(coalitions)} coalitions; "
            f"return one value per row, shape ({len(coalitions)},)."
        )
    finite = np.isfinite(values)
    if not finite.all():
        row = int(np.argmin(finite))
        members = np.flatnonzero(coalitions[row]).tolist()
        raise GameError(
            f"game {name} returned {values[row]} for the coalition of players {members}; "
            "check the model's output and the data for missing or infinite values."
        )
    return values


def _array(values: object, name: str) -> np.ndarray:
    """Values of any real type as float64; raises `GameError` naming the game."""
    try:
        array = np.asarray(values)
    except Exception as error:  # of rows of several lengths, or of another library's arrays
        raise GameError(
            f"game {name} returned a {type(values).__name__} that makes no array: {error}"
        ) from error
    if array.dtype.kind not in "biuf":
        raise GameError(
            f"game {name} returned a {type(values).__name__} of type {array.dtype}; "
            "return real numbers, an array of float64."
        )
    return array.astype(np.float64, copy=False)


def prefixes(permutations: np.ndarray) -> np.ndarray:
    """Coalitions (m, d, d): row k of walk t holds the first k + 1 players of its permutation."""
    m, d = permutations.shape
    position = np.empty_like(permutations)
    np.put_along_axis(position, permutations, np.broadcast_to(np.arange(d), (m, d)), axis=1)
    return position[:, None, :] <= np.arange(d)[None, :, None]


def values_of(game: Game, coalitions: np.ndarray) -> np.ndarray:
    """Values (m,) float64 of the coalitions (m, d) bool, checked; raises `GameError`."""
    return checked_values(game(coalitions), coalitions, getattr(game, "name", type(game).__name__))


def empty_value(game: Game) -> float:
    """v(empty): one evaluation."""
    return float(values_of(game, np.zeros((1, game.n_players), dtype=bool))[0])


def grand_value(game: Game) -> float:
    """v of the grand coalition: one evaluation."""
    return float(values_of(game, np.ones((1, game.n_players), dtype=bool))[0])


def walk(game: Game, permutations: np.ndarray) -> np.ndarray:
    """Marginal contributions (m, d), indexed by player, along the permutations (m, d).

    A game with structure offers its own ``walk``; otherwise every prefix is evaluated: d rows per
    permutation and one more for the empty coalition.
    """
    if hasattr(game, "walk"):
        return game.walk(permutations)
    m, d = permutations.shape
    along = np.empty((m, d + 1))
    along[:, 0] = empty_value(game)
    along[:, 1:] = values_of(game, prefixes(permutations).reshape(m * d, d)).reshape(m, d)
    contributions = np.empty((m, d))
    np.put_along_axis(contributions, permutations, np.diff(along, axis=1), axis=1)
    return contributions


def with_threads(game: Game, threads: int) -> Game:
    """The game, its walks on so many threads where it can do that; no value depends on it."""
    return game.with_threads(threads) if hasattr(game, "with_threads") else game


def gains(game: Game, coalitions: np.ndarray) -> np.ndarray:
    """v(S + i) - v(S - i), shape (m, d), for each player i and coalition S (m, d) bool.

    A game with structure offers its own ``gains``; otherwise each coalition is evaluated,
    and with each player moved in or out of it: d + 1 rows.
    """
    if hasattr(game, "gains"):
        return game.gains(coalitions)
    d = game.n_players
    rows = np.repeat(coalitions[:, None], d + 1, axis=1)
    rows[:, np.arange(d), np.arange(d)] ^= True
    values = values_of(game, rows.reshape(-1, d)).reshape(-1, d + 1)
    return np.where(coalitions, values[:, d:] - values[:, :d], values[:, :d] - values[:, d:])
