"""Claim 2: how the algorithms and the appendix weight the levels of q."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ...theory.grids import Grid, size_law_of
from ..base import Evidence, Verdict
from ..chen_covert_lundberg_lee.grids import dimensions
from ..context import Context
from ..exact import first_mismatch, vector_cases
from .common import ALGORITHMS, APPENDIX, SYMMETRY, algorithm_1, algorithm_2, appendix_sum, claim

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


def check_division(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent when the number of levels is not what the sum is divided by."""
    rows = tuple(evidence["rows"])
    apart = [row for row in rows if row["levels"] != row["divided_by"]]
    numbers = {"different": len(apart), "cases": len(rows)}
    if not apart:
        return Verdict("proved", "The two numbers agree.", "sound", numbers, rows=rows)
    return Verdict(
        "inconsistent",
        "The loop of line 2 has Q + 1 levels, so QM is not the number of iterations. Dividing by "
        "it multiplies every Shapley value of an additive game by 1 + 1/Q, and the sum of the "
        "values with it. The public code takes the mean instead.",
        "slip",
        numbers,
        rows=rows,
    )


def law_differences(one: Loop, other: Loop, context: Context) -> dict[tuple[int, int], np.ndarray]:
    """Difference of two size laws by d and Q."""
    return {
        (d, q): np.array(size_law_of(one(q), d)) - np.array(size_law_of(other(q), d))
        for d in dimensions(context)
        for q in GAPS
    }


def gather_halved(context: Context, loop: Loop = algorithm_2) -> Evidence:
    """Expectation of Algorithm 2 less that of Algorithm 1, against e(1/2)/Q for even Q."""
    cases = []
    for (d, q), found in law_differences(loop, algorithm_1, context).items():
        middle = Grid([1], 2, [1], q) if q % 2 == 0 else Grid([0], 1, [0], 1)
        wanted = np.array(size_law_of(middle, d))
        cases += vector_cases(f"d = {d}, Q = {q}", found, wanted)
    return {"cases": cases}


def check_halved(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the two expectations differ by the middle level."""
    cases = evidence["cases"]
    unequal = [case for case in cases if case.left != 0]
    numbers = {"cases": len(cases), "unequal": len(unequal)}
    if not unequal:
        return Verdict("proved", "The same.", "sound", numbers, evidence="prop:okhrati-printed")
    if wrong := first_mismatch(cases):
        return Verdict(
            "refuted",
            f"{wrong.label}: they differ by {wrong.left}, which is not the middle level's share.",
            "false",
            numbers,
            evidence="prop:okhrati-printed",
        )
    return Verdict(
        "refuted",
        "For odd Q the expectations agree. For even Q, as in all the experiments, the level q = "
        "1/2 is its own partner and counts twice: Algorithm 2 has a bias of e(1/2)/Q more, by "
        "exact arithmetic and for every game.",
        "slip",
        numbers,
        evidence="prop:okhrati-printed",
    )


def sign_flipped(q: int) -> Grid:
    """The sum of the appendix's equation (5), with its minus."""
    half = range(q // 2 + 1)
    nodes = [*half, *(q - k for k in half)]
    return Grid(nodes, q, [1] * len(half) + [-1] * len(half), q)


def gather_sign(context: Context, loop: Loop = sign_flipped) -> Evidence:
    """What the sum of equation (5) makes of an additive game, whose e(q) is constant."""
    rows = [{"Q": q, "sum": sum(size_law_of(loop(q), 4)), "shapley": Fraction(1)} for q in GAPS]
    return {"rows": rows}


def check_sign(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent when an additive game is given zero."""
    rows = tuple(evidence["rows"])
    lost = sum(row["sum"] == 0 for row in rows)
    numbers = {"zero": lost, "cases": len(rows)}
    if not lost:
        return Verdict("proved", "The sum does not vanish.", "sound", numbers, rows=rows)
    return Verdict(
        "inconsistent",
        "The line above it has a plus: the integral over [0, 1/2] of e(q) + e(1 - q). With the "
        "minus, and n for Q, the sum is zero on every additive game. The plus returns two lines "
        "below.",
        "slip",
        numbers,
        rows=rows,
    )


def gather_same(context: Context, loop: Loop = appendix_sum) -> Evidence:
    """Size laws of the appendix's last estimator and of Algorithm 2."""
    found = law_differences(loop, algorithm_2, context)
    rows = [
        {"Q": q, "players": d, "weights_that_differ": int(sum(x != 0 for x in found[d, q]))}
        | {"of_an_additive_game": sum(size_law_of(loop(q), d))}
        for d in (2, 4)
        for q in GAPS
    ]
    return {"rows": rows, "unequal": sum((x != 0).any() for x in found.values()), "of": len(found)}


def check_same(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent when the two estimators have different expectations."""
    rows = tuple(evidence["rows"])
    numbers = {"unequal": evidence["unequal"], "cases": evidence["of"]}
    if not evidence["unequal"]:
        return Verdict("proved", "They are the same.", "sound", numbers, rows=rows)
    return Verdict(
        "inconsistent",
        "The sum begins at i = 1, Algorithm 2 at q = 0: the pair of the empty and the full "
        "coalition is missing. As it happens this mends the weights for even Q, which then sum to "
        "one, and not for odd Q.",
        "slip",
        numbers,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ol21-02a",
        title="Division by the number of iterations",
        where="Section IV.A, on line 11 of Algorithm 1",
        statement=r"To normalise the sums, we divide them by the total number of iterations, "
        r"$QM$.",
        gather=gather_division,
        check=check_division,
    ),
    claim(
        id="ol21-02b",
        title="Half of the levels do the same",
        where=f"{SYMMETRY}; Algorithm 2",
        statement=r"Using the symmetry of $q$ and $1-q$, Algorithm 1 needs its outer loop for "
        r"$q=0,1/Q,\dots,1/2$ only.",
        gather=gather_halved,
        check=check_halved,
    ),
    claim(
        id="ol21-02c",
        title="The Riemann sum of the appendix",
        where=f"{APPENDIX}, Equation 5",
        statement=r"$S_j=\lim_{Q\to\infty}\sum_{i=0}^{Q/2}\frac1Q\bigl(e_j(i/n)-e_j(1-i/n)"
        r"\bigr)$.",
        gather=gather_sign,
        check=check_sign,
    ),
    claim(
        id="ol21-02d",
        title="The same estimator as in Algorithm 2",
        where=f"{APPENDIX}, last display; {ALGORITHMS}",
        statement=r"$\frac{1}{QM}\sum_{i=1}^{Q/2}\sum_{m=1}^{M}(h_{i/Q}+h_{1-i/Q})$ is the "
        r"estimator of Algorithm 2.",
        gather=gather_same,
        check=check_same,
    ),
)
