"""Evidence on claims 16c and 18f: contributions along a permutation, and errors at equal cost."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations
from math import factorial

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions

LARGEST = 5  # players whose permutations are enumerated
BUDGETS = {16: (33, 1616, 32_000), 300: (601, 3300, 60_000)}  # evaluations, those of the paper last

Orders = Callable[[int], Iterable[tuple[int, ...]]]


def all_orders(n_players: int) -> Iterable[tuple[int, ...]]:
    """All permutations."""
    return permutations(range(n_players))


def walked(values: np.ndarray, n_players: int, orders: Orders) -> list[dict[Fraction, Fraction]]:
    """Return the law of each player's contribution along a uniform one of some orders."""
    laws: list[dict[Fraction, int]] = [{} for _ in range(n_players)]
    count = 0
    for order in orders(n_players):
        count, prefix = count + 1, 0
        for player in order:
            longer = prefix | 1 << player
            gain = values[longer] - values[prefix]
            laws[player][gain] = laws[player].get(gain, 0) + 1
            prefix = longer
    return [{gain: Fraction(k, count) for gain, k in law.items()} for law in laws]


def single_draw(values: np.ndarray, n_players: int, player: int) -> dict[Fraction, Fraction]:
    """Return the law of a player's contribution to a random coalition S of the others.

    S has the probability |S|! (d - 1 - |S|)! / d!.
    """
    law: dict[Fraction, Fraction] = {}
    for members in range(1 << n_players):
        if not members >> player & 1:
            size = members.bit_count()
            chance = Fraction(factorial(size) * factorial(n_players - 1 - size))
            gain = values[members | 1 << player] - values[members]
            law[gain] = law.get(gain, 0) + chance / factorial(n_players)
    return law


def gather_walk(context: Context, orders: Orders = all_orders) -> Evidence:
    """Return the laws of contributions in a walk and in a single draw."""
    cases, games = [], 0
    dimensions = small_dimensions(context, LARGEST)
    for label, d, values in integer_games(context, "gt20-18f", dimensions=dimensions):
        games += 1
        for player, law in enumerate(walked(values, d, orders)):
            drawn = single_draw(values, d, player)
            for gain in sorted(law.keys() | drawn.keys()):
                name = f"{label}, player {player + 1}, contribution {gain}"
                cases.append(Case(name, Fraction(law.get(gain, 0)), Fraction(drawn.get(gain, 0))))
    return {"cases": cases, "games": games, "max_dimension": dimensions[-1]}


def gather_gain(context: Context, orders: Orders = all_orders) -> Evidence:
    """Return the laws, and how many permutations and draws there are for equal evaluations.

    At B evaluations the walk has (B - 1)/d permutations, v(r) kept, and classical Monte Carlo
    B/(2 d) draws for each player, both rounded down.
    """
    rows = [
        {"players": d, "evaluations": budget, "draws": budget // (2 * d)}
        | {"permutations": (budget - 1) // d}
        for d, budgets in BUDGETS.items()
        for budget in budgets
    ]
    return gather_walk(context, orders) | {"rows": rows}
