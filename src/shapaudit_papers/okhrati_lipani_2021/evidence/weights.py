"""Evidence on claim 2: how the algorithms and the appendix weight the levels of q."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions, vector_cases
from shapaudit_papers.theory.grids import Grid, ends_law, grid_law, size_law_of, worst_bias

from .common import algorithm_1, algorithm_2, appendix_sum

GAPS = (2, 3, 4, 5, 8, 9)  # values of Q, even and odd
FIXED = (1, 2, 4, 8, 16, 32)  # values of Q where M grows
GROWING = (4, 16, 64, 256)
PLAYERS = 4  # of the additive game, whose mean contributions are 1 at every level

Loop = Callable[[int], Grid]


def gather_weights(
    context: Context, first: Loop = algorithm_1, second: Loop = algorithm_2
) -> Evidence:
    """What the two algorithms divide by; their size laws, and the closed form of the first.

    The law of the second less that of the first is set beside e(1/2)/Q for even Q, and that of the
    first beside the trapezoid rule with (e(0) + e(1))/(2Q), the limit for M at fixed Q.
    """
    division = [
        {
            "Q": q,
            "levels": len(first(q).nodes),
            "divided_by": first(q).parts,
            "additive_game": sum(size_law_of(first(q), PLAYERS)),
        }
        for q in GAPS
    ]
    halving = []
    for (d, q), difference in law_differences(second, first, context).items():
        middle = Grid([1], 2, [1], q) if q % 2 == 0 else Grid([0], 1, [0], 1)
        wanted = np.array(size_law_of(middle, d))
        halving += vector_cases(f"d = {d}, Q = {q}", difference, wanted)
    ends, worst = [], {}
    for d in exact_dimensions(context):
        for q in FIXED:
            law = np.array(size_law_of(first(q), d))
            closed = np.array(grid_law("trapezoid", q + 1, d))
            closed = closed + np.array(ends_law(d)) / Fraction(q)
            ends += vector_cases(f"d = {d}, Q = {q}", law, closed)
            worst[d, q] = worst_bias(law)
    return {"division": division, "halving": halving, "ends": ends, "worst": worst}


def law_differences(loop: Loop, other: Loop, context: Context) -> dict[tuple[int, int], np.ndarray]:
    """Difference of two size laws by d and Q."""
    return {
        (d, q): np.array(size_law_of(loop(q), d)) - np.array(size_law_of(other(q), d))
        for d in exact_dimensions(context)
        for q in GAPS
    }


def sign_flipped(q: int) -> Grid:
    """The sum of the appendix's equation (5), with its minus."""
    half = range(q // 2 + 1)
    nodes = [*half, *(q - k for k in half)]
    return Grid(nodes, q, [1] * len(half) + [-1] * len(half), q)


def gather_appendix(
    context: Context,
    fifth: Loop = sign_flipped,
    last: Loop = appendix_sum,
    factor: Callable = lambda q: Fraction(1),
    loop: Loop = algorithm_2,
) -> Evidence:
    """What the sums of the appendix are on an additive game, and what Algorithm 2 draws.

    ``factor`` is what of 1/Q stands inside the limits of Equation 4. Half of the nodes of Algorithm
    2 are drawn, each by two coalitions, the others are complements.
    """
    sign = [{"Q": q, "sum": sum(size_law_of(fifth(q), PLAYERS))} for q in GAPS]
    differences = law_differences(last, loop, context)
    outer = [
        {"Q": q, "sum": Fraction(len(algorithm_1(q).nodes)) * factor(q), "shapley": 1}
        for q in GROWING
    ]
    draws = []
    for q in GROWING:
        coalitions = len(loop(q).nodes)
        row = {"Q": q, "coalitions": coalitions, "bits": coalitions * PLAYERS}
        draws.append(row | {"first": q, "second": q * PLAYERS})
    return {
        "sign": sign,
        "unequal": sum((x != 0).any() for x in differences.values()),
        "of": len(differences),
        "outer": outer,
        "draws": draws,
        "players": PLAYERS,
    }


def gather_random_numbers(context: Context, loop: Loop = algorithm_1) -> Evidence:
    """Bits and levels of Algorithm 1 as Q grows at M = 2, and as M grows at Q = 4."""
    rows = []
    for q, m in [*((q, 2) for q in GROWING), *((GROWING[0], m) for m in (2, 4, 8))]:
        levels = len(loop(q).nodes)
        rows.append({"Q": q, "M": m, "levels": levels, "bits": levels * m * PLAYERS})
    return {"rows": rows}
