"""All values of a game, put into the order of their coalitions, or refused."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .base import DatasetError

MOST_PLAYERS = 24
ORDERS = ("binary", "size")
ADDITIVE, RATIO = 0.1, 1.5  # of a table that is told from another order, see `check_order`


class GameTable(NamedTuple):
    """The game of a file.

    Attributes
    ----------
    name : what the file calls it, otherwise the name of the file without its suffix
    values : (2^d,) float64; bit j of an index is set when player j is in the coalition
    players : d names, or none
    """

    name: str
    values: np.ndarray
    players: tuple[str, ...] = ()


def members_of(index: int, players: Sequence[object]) -> list[object]:
    """The players of a coalition by its index."""
    return [player for j, player in enumerate(players) if index >> j & 1]


def check_players(n_players: int, where: str) -> None:
    """Raise `DatasetError` for a number of players whose values are no table here."""
    if not 1 <= n_players <= MOST_PLAYERS:
        raise DatasetError(
            f"{where} has {n_players} players, and a table has 1 to {MOST_PLAYERS}; correct the "
            "file, or write the game as a function of coalitions."
        )


def by_coalition(
    coalitions: np.ndarray, values: np.ndarray, players: Sequence[object], where: str
) -> np.ndarray:
    """Values (2^d,) in the order of the index, of coalitions (m, d) bool in any order.

    Raises `DatasetError` where a coalition is missing or there twice, or a value is not finite.
    """
    check_players(len(players), where)
    check_finite(values, where, coalitions, players)
    index = coalitions.astype(np.int64) @ (1 << np.arange(len(players), dtype=np.int64))
    counts = np.bincount(index, minlength=1 << len(players))
    if (twice := np.flatnonzero(counts > 1)).size:
        raise DatasetError(
            f"{where} has the coalition {members_of(int(twice[0]), players)} more than once; leave "
            "one row of each coalition."
        )
    if (missing := np.flatnonzero(counts == 0)).size:
        raise DatasetError(
            f"{where} has {len(values)} of the {counts.size} coalitions of {len(players)} players; "
            f"{members_of(int(missing[0]), players)} is missing. Evaluate the missing ones, or "
            "write the game as a function of coalitions."
        )
    ordered = np.empty(counts.size)
    ordered[index] = values
    return ordered


def in_order(values: np.ndarray, order: str | None, where: str) -> np.ndarray:
    """Values (2^d,) by index, of a list without coalitions that is in some order.

    Raises `DatasetError` for another number of values, a value that is not finite, an order that
    is not known, and without one for values that are likely to be in another (`check_order`).
    """
    if order is not None and order not in ORDERS:
        raise DatasetError(f"{where}: unknown order {order!r}; known are {', '.join(ORDERS)}.")
    n_players = max(values.size.bit_length() - 1, 0)
    if values.ndim != 1 or values.size != 1 << n_players:
        raise DatasetError(
            f"{where} has values of shape {values.shape}; all coalitions of d players have (2^d,). "
            "Write a value for each, or a CSV file with a row for each."
        )
    check_players(n_players, where)
    listed = np.arange(values.size) if order == "binary" else sizes_first(n_players)
    by_size = np.empty(values.size)
    by_size[listed] = values
    if order is not None:
        check_finite(by_size, where)
        return by_size
    check_finite(values, where)
    check_order(values, by_size, where)
    return values


def sizes_first(n_players: int) -> np.ndarray:
    """Indices (2^d,) of coalitions by size, and among equal sizes as `itertools.combinations`."""
    index = np.arange(1 << n_players)
    reverse = sum((index >> j & 1) << (n_players - 1 - j) for j in range(n_players))
    return np.lexsort((-np.asarray(reverse), np.bitwise_count(index)))


def additive_share(values: np.ndarray) -> float:
    """Share of the variance of a table (2^d,) that main effects explain; 0 of a constant one."""
    variance = values.var()
    if variance == 0.0:
        return 0.0
    halves = (values.reshape(-1, 2, 1 << j) for j in range(values.size.bit_length() - 1))
    effects = (half[:, 1].mean() - half[:, 0].mean() for half in halves)
    return float(sum(effect**2 for effect in effects) / 4.0 / variance)


def check_order(values: np.ndarray, by_size: np.ndarray, where: str) -> None:
    """Raise `DatasetError` where a list looks like one by the size of the coalitions.

    Nothing in it says so: in the wrong order, hardly any of the variance of a game is that of main
    effects. Asked is therefore for the order where the other explains `RATIO` times as much, and
    `ADDITIVE` or more. Whether the first player is the lowest or the highest bit cannot be seen.
    """
    binary, other = additive_share(values), additive_share(by_size)
    if other > max(RATIO * binary, ADDITIVE):
        raise DatasetError(
            f"{where} does not name its coalitions, and its values are likely to be listed by the "
            f"size of the coalitions: so read, main effects explain {other:.0%} of their "
            f"variance, and in binary order {binary:.0%}. Say order='size', or order='binary' "
            "where that is meant; or write a CSV file with the coalitions."
        )


def check_finite(
    values: np.ndarray,
    where: str,
    coalitions: np.ndarray | None = None,
    players: Sequence[object] | None = None,
) -> None:
    """Raise `DatasetError` naming the first coalition whose value is not finite.

    Of coalitions (m, d) bool, or of a table by index.
    """
    if np.isfinite(values).all():
        return
    row = int(np.argmin(np.isfinite(values)))
    names: Sequence[object] = players or range(values.size.bit_length())
    if coalitions is None:
        members = members_of(row, names)
    else:
        members = [names[j] for j in np.flatnonzero(coalitions[row]).tolist()]
    raise DatasetError(
        f"{where} has the value {values[row]} for the coalition {members}; a table has a finite "
        "number for each coalition: evaluate it again."
    )
