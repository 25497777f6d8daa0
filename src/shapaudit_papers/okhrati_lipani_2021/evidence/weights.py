"""Evidence on claim 2: how the algorithms and the appendix weight the levels of q."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions, vector_cases
from shapaudit_papers.theory.grids import Grid, size_law_of

from .common import algorithm_1, algorithm_2, appendix_sum

GAPS = (2, 3, 4, 5, 8, 9)  # values of Q, even and odd

Loop = Callable[[int], Grid]


def gather_division(context: Context, loop: Loop = algorithm_1) -> Evidence:
    """Levels run through and the number divided by; what becomes of an additive game."""
    rows = [
        {
            "Q": q,
            "levels": len(loop(q).nodes),
            "divided_by": loop(q).parts,
            "additive_game": sum(size_law_of(loop(q), 4)),
        }
        for q in GAPS
    ]
    return {"rows": rows}


def law_differences(loop: Loop, other: Loop, context: Context) -> dict[tuple[int, int], np.ndarray]:
    """Difference of two size laws by d and Q."""
    return {
        (d, q): np.array(size_law_of(loop(q), d)) - np.array(size_law_of(other(q), d))
        for d in exact_dimensions(context)
        for q in GAPS
    }


def gather_halved(context: Context, loop: Loop = algorithm_2) -> Evidence:
    """Expectation of Algorithm 2 less that of Algorithm 1, against e(1/2)/Q for even Q."""
    cases = []
    for (d, q), difference in law_differences(loop, algorithm_1, context).items():
        middle = Grid([1], 2, [1], q) if q % 2 == 0 else Grid([0], 1, [0], 1)
        wanted = np.array(size_law_of(middle, d))
        cases += vector_cases(f"d = {d}, Q = {q}", difference, wanted)
    return {"cases": cases}


def sign_flipped(q: int) -> Grid:
    """The sum of the appendix's equation (5), with its minus."""
    half = range(q // 2 + 1)
    nodes = [*half, *(q - k for k in half)]
    return Grid(nodes, q, [1] * len(half) + [-1] * len(half), q)


def gather_sign(context: Context, loop: Loop = sign_flipped) -> Evidence:
    """What the sum of equation (5) makes of an additive game, whose e(q) is constant."""
    rows = [{"Q": q, "sum": sum(size_law_of(loop(q), 4)), "shapley": Fraction(1)} for q in GAPS]
    return {"rows": rows}


def gather_same(context: Context, loop: Loop = appendix_sum) -> Evidence:
    """Size laws of the appendix's last estimator and of Algorithm 2."""
    differences = law_differences(loop, algorithm_2, context)
    rows = [
        {"Q": q, "players": d, "weights_that_differ": int(sum(x != 0 for x in differences[d, q]))}
        | {"of_an_additive_game": sum(size_law_of(loop(q), d))}
        for d in (2, 4)
        for q in GAPS
    ]
    return {
        "rows": rows,
        "unequal": sum((x != 0).any() for x in differences.values()),
        "of": len(differences),
    }
