"""Exact values of a case, by enumeration of coalitions in fractions.

Every floating-point number is a fraction, so that nothing is rounded after the model has given its
outputs. The Shapley value is the mean marginal contribution over all orders (Shapley 1953).
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial, lcm
from typing import Any

import numpy as np

from .case import INTERVENTIONAL, Case, Raw, chosen
from .trees import Tree, mean_value

Members = tuple[int, ...]
Worths = dict[Members, Fraction]
Values = list[list[Fraction]]


def coalitions(players: Sequence[int]) -> list[Members]:
    """All subsets of the players, by size."""
    return [members for size in range(len(players) + 1) for members in combinations(players, size)]


def shapley(worths: Worths, players: Sequence[int]) -> list[Fraction]:
    """Shapley values of the players from the worth of every coalition, in whole numbers."""
    d = len(players)
    common = lcm(*(worth.denominator for worth in worths.values()))
    whole = {key: worth.numerator * (common // worth.denominator) for key, worth in worths.items()}
    orders = [factorial(size) * factorial(d - 1 - size) for size in range(d)]
    values = []
    for player in players:
        others = [other for other in players if other != player]
        total = sum(
            orders[len(members)] * (whole[tuple(sorted((*members, player)))] - whole[members])
            for members in coalitions(others)
        )
        values.append(Fraction(total, common * factorial(d)))
    return values


def exact_values(case: Case, question: str) -> dict[str, np.ndarray]:
    """Exact values (m, players), rounded once to float64, by the name of the convention."""
    if question != INTERVENTIONAL:
        assert case.trees is not None
        kinds = {"": case.trees} | dict(case.other_trees)
        found = {name: _floats(path_dependent(case, trees)) for name, trees in kinds.items()}
    elif case.values is not None:
        found = {"": _floats(case.values)}
    else:
        found = {"": _floats(interventional(case, case.raw))}
        found |= {name: _floats(interventional(case, raw)) for name, raw in case.others.items()}
    values = found[""]
    found |= {name: values * float(factor) for name, factor in case.multiples.items()}
    if not case.orders:
        return found
    return {name: values[:, list(order)] for name, order in case.orders.items()}


def interventional(case: Case, raw: Raw) -> Values:
    """Values where absent players have the entries of background rows, and outputs are averaged."""
    players = _enumerated(case)
    return [_spread(case, shapley(worths, players)) for worths in _marginal(case, raw, players)]


def path_dependent(case: Case, read: Callable[[Any], Sequence[Tree]]) -> Values:
    """Values where a split on an absent column is averaged by the covers of its branches."""
    trees, players = read(case.model), _enumerated(case)
    found = []
    for row in entries(case):
        worths = {
            members: sum((mean_value(tree, row, frozenset(members)) for tree in trees), Fraction(0))
            for members in coalitions(players)
        }
        found.append(_spread(case, shapley(worths, players)))
    return found


def interaction_order(case: Case) -> int:
    """Size of the largest set of players with an effect of their own, beyond rounding of outputs.

    By the Möbius transform of the marginal game of each row; of a closed form all players.
    """
    if case.values is not None:
        return len(case.players)
    players = _enumerated(case)
    largest = 0
    for worths in _marginal(case, case.raw, players):
        spread = max(abs(worth - worths[()]) for worth in worths.values())
        for members in reversed(list(worths)):
            effect = sum(
                ((-1) ** (len(members) - len(part)) * worths[part] for part in coalitions(members)),
                Fraction(0),
            )
            if members and abs(effect) > spread * Fraction(1, 2**18):
                largest = max(largest, len(members))
                break
    return largest


def _enumerated(case: Case) -> list[int]:
    return list(range(len(case.players))) if case.used is None else list(case.used)


def _marginal(case: Case, raw: Raw, players: Sequence[int]) -> list[Worths]:
    """The worth of every coalition for each row, from one call of the model."""
    subsets = coalitions(players)
    if case.worth is not None:
        return [{members: case.worth(members) for members in subsets}]
    outputs = chosen(raw(case.model, hybrids(case, subsets)), case.output)
    count = len(case.background)
    shares = outputs.reshape(len(case.rows), len(subsets), count)
    return [
        {
            members: sum(map(Fraction, shares[i, k].tolist()), Fraction(0)) / count
            for k, members in enumerate(subsets)
        }
        for i in range(len(case.rows))
    ]


def hybrids(case: Case, subsets: Sequence[Members]) -> Any:
    """Rows (m s n, d): of each row, coalition and background row, in the form of the background."""
    players = case.players
    present = np.zeros((len(subsets), case.background.shape[1]), dtype=bool)
    for k, members in enumerate(subsets):
        present[k, [column for player in members for column in players[player]]] = True
    m, s, n = len(case.rows), len(subsets), len(case.background)
    mask = np.tile(np.repeat(present, n, axis=0), (m, 1))
    own, other = np.repeat(np.arange(m), s * n), np.tile(np.arange(n), m * s)
    if isinstance(case.background, np.ndarray):
        return np.where(mask, np.asarray(case.rows)[own], case.background[other])
    frame = case.background.iloc[other].reset_index(drop=True)
    rows = case.rows[list(frame.columns)].iloc[own].reset_index(drop=True)
    columns = {
        name: frame[name].where(~mask[:, j], rows[name]).astype(frame[name].dtype)
        for j, name in enumerate(frame.columns)
    }
    return type(frame)(columns)


def entries(case: Case) -> list[list[Any]]:
    """Entries of the rows, categories by their codes."""
    if isinstance(case.rows, np.ndarray):
        return case.rows.tolist()
    frame = case.rows[list(case.background.columns)]
    columns = [
        [None if code < 0 else code for code in frame[name].cat.codes.tolist()]
        if hasattr(frame[name], "cat")
        else frame[name].tolist()
        for name in frame.columns
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _spread(case: Case, values: list[Fraction]) -> list[Fraction]:
    """Values of all players, where some are known to have none."""
    if case.used is None:
        return values
    own = dict(zip(case.used, values, strict=True))
    return [own.get(player, Fraction(0)) for player in range(len(case.players))]


def _floats(values: Sequence[Sequence[Fraction]]) -> np.ndarray:
    return np.array([[float(value) for value in row] for row in values])
