"""Fixed grids of the inclusion probability q, exactly (Chen et al. 2023, Section 5.2.1).

`theory.multilinear` has the bias of any rule on any game in floating point; here the size laws of
grids with rational nodes are rational, so that statements about them can be decided.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import Literal, NamedTuple

import numpy as np

from shapaudit.truth.rational import rationals

GridName = Literal["printed", "equal", "trapezoid", "midpoint"]


class Grid(NamedTuple):
    """Nodes a / n of [0, 1] by their numerators a, with weights w / W by theirs."""

    nodes: Sequence[int]
    denominator: int
    weights: Sequence[int]
    parts: int


def fixed_grid(name: GridName, levels: int) -> Grid:
    """The grids of `samplers.quadrature.quadrature_rule` with L = ``levels`` rational nodes.

    "printed" and "equal" are 0, 1/Q, ..., 1 with Q = L - 1 and weights 1/Q and 1/L.
    """
    if name == "midpoint":
        return Grid(range(1, 2 * levels, 2), 2 * levels, [1] * levels, levels)
    gaps = levels - 1
    if name == "trapezoid":
        return Grid(range(levels), gaps, [1, *[2] * (levels - 2), 1], 2 * gaps)
    return Grid(range(levels), gaps, [1] * levels, levels if name == "equal" else gaps)


@cache
def grid_law(name: GridName, levels: int, n_players: int) -> tuple[Fraction, ...]:
    """Weights (d,) of the sizes 0, ..., d - 1: C(d - 1, s) sum_l w_l q_l^s (1 - q_l)^(d - 1 - s).

    The expected estimate is their sum with a player's mean contributions m_s at size s, whatever
    the number of draws at each node; the Shapley value has 1 / d at every size.
    """
    return size_law_of(fixed_grid(name, levels), n_players)


def size_law_of(grid: Grid, n_players: int) -> tuple[Fraction, ...]:
    """The weights (d,) of `grid_law` for given nodes and weights."""
    degree, n = n_players - 1, grid.denominator
    sums = [
        sum(
            w * a**s * (n - a) ** (degree - s)
            for w, a in zip(grid.weights, grid.nodes, strict=True)
        )
        for s in range(n_players)
    ]
    whole = grid.parts * n**degree
    return tuple(Fraction(comb(degree, s) * total, whole) for s, total in enumerate(sums))


def random_law(n_players: int) -> list[Fraction]:
    """The size law (d,) of a uniform q: C(d - 1, s) B(s + 1, d - s), summed term by term.

    The Beta integral of q^s (1 - q)^(d - 1 - s) is expanded in powers of q.
    """
    degree = n_players - 1
    return [
        comb(degree, s)
        * sum(
            (Fraction((-1) ** k * comb(degree - s, k), s + k + 1) for k in range(degree - s + 1)),
            Fraction(0),
        )
        for s in range(n_players)
    ]


def ends_law(n_players: int) -> list[Fraction]:
    """The size law (d,) of the mean of the two ends q = 0 and q = 1."""
    law = [Fraction(0)] * n_players
    law[0] += Fraction(1, 2)
    law[-1] += Fraction(1, 2)
    return law


def worst_bias(law: Sequence[Fraction] | np.ndarray) -> Fraction:
    """sum_s |law_s - 1/d|: the largest bias of a player in a game with values in [0, 1].

    The bias is sum_s (law_s - 1/d) m_s, and v(S) = 1 exactly for the coalitions with the player
    that have sizes of positive coefficients, and those without that have negative ones, makes
    every m_s the sign of its coefficient.
    """
    return sum((abs(weight - Fraction(1, len(law))) for weight in law), Fraction(0))


def grid_expectation(values: np.ndarray, levels: int) -> np.ndarray:
    """Expected estimates (d,) of multilinear extension sampling on the grid "equal"."""
    d = len(values).bit_length() - 1
    law = grid_law("equal", levels, d)
    expected = rationals([0] * d)
    shares = [Fraction(1, comb(d - 1, size)) for size in range(d)]
    for player in range(d):
        for members in range(1 << d):
            if not members >> player & 1:
                size = members.bit_count()
                gain = values[members | 1 << player] - values[members]
                expected[player] += law[size] * shares[size] * gain
    return expected
