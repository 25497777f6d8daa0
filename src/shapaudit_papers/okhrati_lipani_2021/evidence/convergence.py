"""Evidence on claim 1: what the algorithms converge to as Q grows."""

from collections.abc import Callable

from shapaudit.samplers.quadrature import RuleName
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.exact_errors import multilinear_errors
from shapaudit_papers.theory.grids import Grid, size_law_of, worst_bias

from .common import algorithm_1, algorithm_2, tables

GAPS = (4, 16, 64, 256)  # values of Q

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
