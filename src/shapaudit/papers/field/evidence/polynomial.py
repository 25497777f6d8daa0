"""Evidence on claim 7.

With pairs, an even order of PolySHAP adds nothing to the odd order below it.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Case, Evidence
from shapaudit.audit.exact import random_integers, vector_cases
from shapaudit.theory.least_squares import rationals, solve

ORDERS = {2: (4, 5), 4: (5,)}  # numbers of players by even order
MOST_DRAWS = 3  # of one coalition


def polynomial_shapley(values: np.ndarray, counts: np.ndarray, order: int) -> np.ndarray:
    """Shapley values (d,) of the weighted least-squares fit of an order-additive game, exactly.

    The fit is a sum of unanimity games of 1 to ``order`` players and agrees with the game at the
    empty and the grand coalition; a coalition weighs ``counts`` (2^d,) times the Shapley kernel.
    Raises ValueError when the fit is not unique.
    """
    d = len(values).bit_length() - 1
    terms = [c for size in range(1, order + 1) for c in combinations(range(d), size)]
    masks = [sum(1 << j for j in term) for term in terms]
    sample = np.flatnonzero(counts[1:-1]) + 1
    design = np.array([[Fraction(int(s & mask == mask)) for mask in masks] for s in sample])
    sizes = [int(s).bit_count() for s in sample]
    kernel = [Fraction(1, size * (d - size) * comb(d, size)) for size in sizes]
    weights = counts[sample] * rationals(kernel)
    system = np.full((len(terms) + 1, len(terms) + 1), Fraction(1), dtype=object)
    system[:-1, :-1] = design.T @ (weights[:, None] * design)
    system[-1, -1] = Fraction(0)
    right = design.T @ (weights * (values[sample] - values[0]))
    fitted = solve(system, np.append(right, values[-1] - values[0]))[:-1]
    phi = rationals([0] * d)
    for term, coefficient in zip(terms, fitted, strict=True):
        for player in term:
            phi[player] += coefficient / len(term)
    return phi


def samples(context: Context, paired: bool) -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Label, order, values and counts (2^d,) of random integer games and samples.

    A sample that leaves the fit open is drawn again.
    """
    for order, players in ORDERS.items():
        for d in players:
            rng = context.generator("field26-07", "sample", order, d)
            for k in range(context.settings.random_games if order == 2 else 1):
                values = random_integers(context, "field26-07", "game", order, d, k, count=1 << d)
                counts = rng.integers(1, MOST_DRAWS + 1, size=1 << d)
                if order == 2:
                    counts *= rng.random(1 << d) < 0.9
                yield (
                    f"order {order}, d = {d}, game {k + 1}",
                    order,
                    values,
                    (counts + counts[::-1] if paired else counts),
                )


def gather_orders(context: Context, paired: bool = True) -> Evidence:
    """Shapley values of the fits of an even order and of the odd order below it."""
    cases: list[Case] = []
    games = 0
    for label, order, values, counts in samples(context, paired):
        upper, lower = (polynomial_shapley(values, counts, k) for k in (order, order - 1))
        cases += vector_cases(label, upper, lower)
        games += 1
    return {"cases": cases, "games": games}
