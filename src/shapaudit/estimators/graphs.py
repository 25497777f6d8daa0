"""Graphs of players, their neighbourhoods, and the connected sets in them."""

from collections.abc import Iterable
from math import isqrt

Neighbours = tuple[frozenset[int], ...]


def chain(n_players: int) -> Neighbours:
    """Players in a row, each linked to the next."""
    return from_edges(n_players, ((i, i + 1) for i in range(n_players - 1)))


def grid(n_players: int, width: int = 0) -> Neighbours:
    """Players row by row on a grid of ``width`` columns, each linked to those beside and below.

    0 stands for the grid that is nearest to a square. Raises ValueError where the players do not
    fill the rows.
    """
    columns = width or min(
        k for k in range(isqrt(n_players - 1) + 1, n_players + 1) if n_players % k == 0
    )
    if n_players % columns:
        raise ValueError(
            f"{n_players} players do not fill rows of {width}; give a width that divides "
            f"{n_players}."
        )
    beside = ((i, i + 1) for i in range(n_players - 1) if (i + 1) % columns)
    below = ((i, i + columns) for i in range(n_players - columns))
    return from_edges(n_players, (*beside, *below))


def from_edges(n_players: int, edges: Iterable[tuple[int, int]]) -> Neighbours:
    """Neighbours of each player; raises ValueError naming an edge that is none."""
    neighbours: list[set[int]] = [set() for _ in range(n_players)]
    for edge in edges:
        ends = tuple(edge)
        if len(ends) != 2 or len(set(ends)) < 2 or not all(0 <= end < n_players for end in ends):
            raise ValueError(
                f"edge {list(ends)} does not link two of the players 0 to {n_players - 1}."
            )
        neighbours[ends[0]].add(ends[1])
        neighbours[ends[1]].add(ends[0])
    return tuple(map(frozenset, neighbours))


def ball(neighbours: Neighbours, player: int, radius: int) -> tuple[int, ...]:
    """Players at most ``radius`` links away, the player itself among them, in order."""
    reached = edge = {player}
    for _ in range(radius):
        edge = {j for i in edge for j in neighbours[i]} - reached
        reached = reached | edge
    return tuple(sorted(reached))


def connected_sets(
    neighbours: Neighbours, player: int, within: tuple[int, ...]
) -> list[tuple[frozenset[int], int]]:
    """Connected sets inside ``within`` with the player, and how many neighbours each has there.

    Sets grow by one neighbour at a time; a neighbour that was passed over stays out, so that each
    set is met once.
    """
    allowed = frozenset(within)
    sets = []

    def grow(members: frozenset[int], out: frozenset[int]) -> None:
        around = {j for i in members for j in neighbours[i] if j in allowed} - members
        sets.append((members, len(around)))
        passed = out
        for j in sorted(around - out):
            grow(members | {j}, passed)
            passed = passed | {j}

    grow(frozenset({player}), frozenset())
    return sets
