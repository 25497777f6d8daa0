"""Exact Shapley values from all 2^d values of a game, in time proportional to 2^d.

Put w(s) = s! (d - 1 - s)! / d! for 0 <= s < d, and w(-1) = w(d) = 0. Splitting the definition into
the coalitions with and without player i, and completing the second sum to all coalitions,

    phi_i = sum_{S with i} v(S) w(|S| - 1) - sum_{S without i} v(S) w(|S|)
          = sum_{S with i} g(S) - b,
    g(S) = v(S) (w(|S| - 1) + w(|S|)),    b = sum_S v(S) w(|S|).

The d sums of g share their additions. Write the index of a coalition as (block, position): the
position holds the low bits, the block the high ones. Sums of g over each block and over each
position are enough, because a player is either a bit of the block or a bit of the position; one
pass over the values gives both. Each of the two short arrays is then folded: the sum of its upper
half is the sum over the coalitions with the player of the highest bit, and adding the upper half to
the lower removes that player.

Constants do not change Shapley values, so v(empty) is subtracted first: a large offset costs no
digits.
"""

from math import comb

import numpy as np
from numba import njit

from ..games.base import Game, GameError, checked_values, coalitions_from_index
from ..games.tabular import MAX_TABULATED_PLAYERS, TabularGame
from ..sums import dot
from .base import Truth

BLOCK_BITS = 10


def size_weights(n_players: int) -> np.ndarray:
    """w(s) = s! (d - 1 - s)! / d! for s = -1, ..., d, in that order (d + 2,); the ends are 0."""
    inner = [1 / (n_players * comb(n_players - 1, s)) for s in range(n_players)]
    return np.array([0.0, *inner, 0.0])


def _block_weights(n_players: int, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights of g and b, (d - bits + 1, 2^bits): rows by the block's size, columns by position."""
    w = size_weights(n_players)
    sizes = np.arange(n_players - bits + 1)[:, None] + np.bitwise_count(np.arange(1 << bits))
    return (w[:-1] + w[1:])[sizes], w[1:][sizes]


@njit(cache=True, nogil=True)
def _accumulate(
    values: np.ndarray,
    offset: float,
    first: int,
    g_weights: np.ndarray,
    b_weights: np.ndarray,
    by_position: np.ndarray,
    by_block: np.ndarray,
) -> float:
    """Add the values of whole blocks, the first of them number ``first``, to the sums; return b."""
    width = by_position.size
    above, b = np.empty(width), 0.0
    for k in range(values.size // width):
        size = 0
        bits = first + k
        while bits:
            size += bits & 1
            bits >>= 1
        block = values[k * width : (k + 1) * width]
        g_row, b_row = g_weights[size], b_weights[size]
        for j in range(width):
            above[j] = block[j] - offset
            by_position[j] += above[j] * g_row[j]
        by_block[first + k] = dot(above, g_row)
        b += dot(above, b_row)
    return b


@njit(cache=True, nogil=True)
def _fold(sums: np.ndarray, with_player: np.ndarray) -> None:
    """Sums over the indices with each bit set; ``sums`` (2^k,) is overwritten."""
    half = sums.size // 2
    for player in range(with_player.size - 1, -1, -1):
        total = 0.0
        for j in range(half):
            total += sums[half + j]
            sums[j] += sums[half + j]
        with_player[player] = total
        half //= 2


class _Enumeration:
    """The running sums of one game; `add` takes the values of consecutive whole blocks."""

    def __init__(self, n_players: int, bits: int):
        self.bits = bits
        self.weights = _block_weights(n_players, bits)
        self.by_position = np.zeros(1 << bits)
        self.by_block = np.zeros(1 << (n_players - bits))
        self.b = 0.0
        self.n_players = n_players
        self.offset = 0.0

    def add(self, values: np.ndarray, start: int) -> None:
        """Add the values of coalitions ``start`` onwards; the first call has start 0."""
        if start == 0:
            self.offset = values[0]
            self.by_position[:] = 0
            self.b = 0.0
        sums = self.by_position, self.by_block
        self.b += _accumulate(values, self.offset, start >> self.bits, *self.weights, *sums)

    def shapley_values(self) -> np.ndarray:
        """Shapley values (d,) once every coalition has been added; NaN if any value is."""
        phi = np.empty(self.n_players)
        _fold(self.by_position, phi[: self.bits])
        _fold(self.by_block, phi[self.bits :])
        with np.errstate(invalid="ignore"):  # the callers name the value to blame
            return phi - self.b


def shapley_from_table(values: np.ndarray) -> np.ndarray:
    """Shapley values (..., d) of the tables of values (..., 2^d), in Theta(2^d) each.

    Coalitions are in the order of `games.coalition_index`; v(empty) need not be 0.
    Raises `GameError` when 2^d is not a power of two >= 2 or a value is not finite.
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    size = values.shape[-1]
    d = size.bit_length() - 1
    if d < 1 or size != 1 << d:
        raise GameError(f"a table needs 2^d values, d >= 1, on its last axis, not {size}.")
    tables = values.reshape(-1, size)
    phi = np.empty((len(tables), d))
    enumeration = _Enumeration(d, min(d, BLOCK_BITS))
    for k, table in enumerate(tables):
        enumeration.add(table, 0)
        phi[k] = enumeration.shapley_values()
        if not np.isfinite(phi[k]).all():
            _name_culprit(table, f"table {k}")
    return phi.reshape(*values.shape[:-1], d)


def _name_culprit(table: np.ndarray, name: str) -> None:
    """Raise the `GameError` of a table whose Shapley values are not finite."""
    index = np.array([np.argmin(np.isfinite(table))])
    checked_values(table[index], coalitions_from_index(index, table.size.bit_length() - 1), name)
    raise _overflow(name)


def _overflow(name: str) -> GameError:
    return GameError(f"the values of game {name} are finite but overflow in sums; rescale them.")


def shapley_exact(game: Game, chunk: int = 1 << 12) -> Truth:
    """Exact Shapley values of a game from all of its 2^d values, ``chunk`` rows at a time.

    Neither the table nor all coalitions are held: the memory is that of one chunk (rounded down to
    a power of two) plus 2^(d - 10) sums. Every coalition is evaluated once.
    Raises `GameError` for more than 24 players, or when a value is not finite.
    """
    d = game.n_players
    name = getattr(game, "name", type(game).__name__)
    if d > MAX_TABULATED_PLAYERS:
        raise GameError(
            f"game {name} has {d} players; enumerating 2^{d} coalitions is out of reach (at most "
            f"{MAX_TABULATED_PLAYERS}). Use a closed form or a reference by permutations."
        )
    if isinstance(game, TabularGame):
        return Truth(shapley_from_table(game.values), "exact", "enumeration")
    chunk_bits = min(d, max(int(chunk), 1).bit_length() - 1)
    enumeration = _Enumeration(d, min(chunk_bits, BLOCK_BITS))
    low = coalitions_from_index(np.arange(1 << chunk_bits), d)
    for start in range(0, 1 << d, len(low)):
        coalitions = low.copy()
        for player in range(chunk_bits, d):
            if start >> player & 1:
                coalitions[:, player] = True
        values = checked_values(game(coalitions), coalitions, name)
        enumeration.add(np.ascontiguousarray(values), start)
    phi = enumeration.shapley_values()
    if not np.isfinite(phi).all():
        raise _overflow(name)
    return Truth(phi, "exact", "enumeration")
