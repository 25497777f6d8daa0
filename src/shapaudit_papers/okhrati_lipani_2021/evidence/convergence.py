"""Evidence on claims 1 and 7.

What the algorithms converge to as Q or M grows, and which of them matters.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit.samplers.quadrature import RuleName
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions, vector_cases
from shapaudit_papers.theory.exact_errors import multilinear_errors
from shapaudit_papers.theory.grids import Grid, ends_law, grid_law, size_law_of, worst_bias

from .common import algorithm_1, algorithm_2, tables

GAPS = (4, 16, 64, 256)  # values of Q
FIXED = (1, 2, 4, 8, 16, 32)  # values of Q where M grows
TOTAL = 240  # Q M of the comparison of claim 7
PARITY = np.array([0.0, 2.0, 2.0, 0.0])  # of two players; spread 1, no bias: e(q) = 2 - 4 q

Loop = Callable[[int], Grid]


def gather_limit(context: Context, loops: tuple[Loop, ...] = (algorithm_1, algorithm_2)):
    """Largest bias on games in [0, 1] as Q grows, exactly, for some d."""
    players = [d for d in (2, 3, 8, 16) if d in exact_dimensions(context)]
    rows = []
    for number, loop in enumerate(loops, 1):
        for d in players:
            biases = {f"Q = {q}": worst_bias(size_law_of(loop(q), d)) for q in GAPS}
            rows.append({"algorithm": number, "players": d} | biases)
    return {"rows": rows}


def gather_fixed_draws(context: Context, grid: RuleName = "printed", draws: int = 2) -> Evidence:
    """Exact squared errors with M = ``draws`` as Q grows."""
    rows = []
    for name, values in tables(context):
        for paired in (False, True):
            row: Evidence = {"game": name, "halved": int(paired)}
            for q in GAPS:
                levels = q + 1 if grid == "printed" else GAPS[0]
                row[f"Q = {q}"] = multilinear_errors(values, grid, levels, draws, paired).total
            rows.append(row)
    return {"rows": rows, "draws": draws}


def gather_more_draws(context: Context, loop: Loop = algorithm_1) -> Evidence:
    """The limit for M at fixed Q: the size law of Algorithm 1 and its closed form, for every d."""
    cases, worst = [], {}
    for d in exact_dimensions(context):
        for q in FIXED:
            law = np.array(size_law_of(loop(q), d))
            ends = np.array(ends_law(d)) / Fraction(q)
            closed = np.array(grid_law("trapezoid", q + 1, d)) + ends
            cases += vector_cases(f"d = {d}, Q = {q}", law, closed)
            worst[d, q] = worst_bias(law)
    return {"cases": cases, "worst": worst}


def gather_shares(context: Context, grid: RuleName = "printed") -> Evidence:
    """Exact squared errors at the same Q M, split in different ways; also without a bias."""
    rows = []
    for name, values in [*tables(context), ("parity of 2", PARITY)]:
        row: Evidence = {"game": name}
        for draws in (1, 2, 4, 12):
            row[f"M = {draws}"] = multilinear_errors(values, grid, TOTAL // draws + 1, draws).total
        rows.append(row)
    return {"rows": rows}
