"""Evidence on claim 4: the grid of inclusion probabilities of multilinear extension sampling."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions, vector_cases
from shapaudit_papers.theory.grids import (
    GridName,
    ends_law,
    fixed_grid,
    grid_law,
    random_law,
    worst_bias,
)

LEVELS = (2, 3, 5, 9, 17, 33)
PUBLISHED_GRIDS: tuple[GridName, ...] = (
    "printed",
    "equal",
)  # Okhrati & Lipani's Algorithm 1; both public codes
SHOWN = 10  # players of the rows: the diabetes data have as many


def law_cases(name: GridName, other: GridName, players: range) -> Iterator[Case]:
    """Yield the size laws of two grids, entry by entry."""
    for d in players:
        for levels in LEVELS:
            laws = [np.array(grid_law(g, levels, d)) for g in (name, other)]
            yield from vector_cases(f"{name} weights, d = {d}, {levels} levels", *laws)


def gather_name(context: Context, grids: Sequence[GridName] = PUBLISHED_GRIDS) -> Evidence:
    """Return size laws and levels of the published grids and the trapezoid rule, for every d."""
    rows = [
        {"weights": name, "levels": levels, "estimate": law[-1], "shapley": Fraction(1, SHOWN)}
        for name in (*grids, "trapezoid")
        for levels in LEVELS
        for law in [grid_law(name, levels, SHOWN)]
    ]
    cases = [case for g in grids for case in law_cases(g, "trapezoid", exact_dimensions(context))]
    same = all(
        _nodes(name, levels) == _nodes("trapezoid", levels) for name in grids for levels in LEVELS
    )
    return {"cases": cases, "rows": rows, "same_levels": same}


def _nodes(name: GridName, levels: int) -> list[Fraction]:
    grid = fixed_grid(name, levels)
    return [Fraction(node, grid.denominator) for node in grid.nodes]


def gather_random(context: Context, law: Callable[[int], list[Fraction]] = random_law) -> Evidence:
    """Return the size law of a uniform q for every d, and 1/d."""
    players = exact_dimensions(context)
    cases = [
        case
        for d in players
        for case in vector_cases(f"d = {d}", np.array(law(d)), np.full(d, Fraction(1, d)))
    ]
    return {"cases": cases, "max_dimension": players[-1]}


def gather_levels(context: Context, grid: GridName = "equal") -> Evidence:
    """Return the closed form of the bias of equal weights, and its largest value, by levels."""
    players = exact_dimensions(context)
    cases, worst = [], {}
    for d in players:
        for levels in LEVELS:
            law = np.array(grid_law(grid, levels, d))
            trapezoid = np.array(grid_law("trapezoid", levels, d))
            closed = trapezoid + (np.array(ends_law(d)) - trapezoid) / Fraction(levels)
            cases += vector_cases(f"d = {d}, {levels} levels", law, closed)
            worst[d, levels] = worst_bias(law)
    return {"cases": cases, "worst": worst, "max_dimension": players[-1]}
