"""Least-squares fits of games by sums of small interactions, in exact arithmetic.

Fumagalli, Witter & Musco 2026 (PolySHAP). Tables are in the order of `games.coalition_index`.
"""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals, solve


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
