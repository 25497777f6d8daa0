"""Claim 4: the grid of inclusion probabilities of multilinear extension sampling."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from ...theory.grids import GridName, ends_law, grid_law, random_law, worst_bias
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, vector_cases, verdict_against
from .common import AGNOSTIC, APPENDIX, TABLE_1, claim

LEVELS = (2, 3, 5, 9, 17, 33)
PUBLISHED_GRIDS = ("printed", "equal")  # Okhrati & Lipani's Algorithm 1; both public codes
SHOWN = 10  # players of the rows: the diabetes data have as many
ROUNDING = 1e-12  # of Gauss-Legendre nodes, which are not rational
LARGEST_GAME = 12  # players of the study's games that are looked at


def dimensions(context: Context) -> range:
    """2, ..., the study's largest dimension of exact identities."""
    return range(2, context.settings.max_exact_dimension + 1)


def law_cases(name: GridName, other: GridName, players: range) -> Iterator[Case]:
    """Size laws of two grids, entry by entry."""
    for d in players:
        for levels in LEVELS:
            laws = [np.array(grid_law(g, levels, d)) for g in (name, other)]
            yield from vector_cases(f"{name} weights, d = {d}, {levels} levels", *laws)


def gather_name(context: Context, grids: Sequence[GridName] = PUBLISHED_GRIDS) -> Evidence:
    """Size laws of the published grids and of the trapezoid rule, for every d."""
    rows = [
        {"weights": name, "levels": levels, "estimate": law[-1], "shapley": Fraction(1, SHOWN)}
        for name in (*grids, "trapezoid")
        for levels in LEVELS
        for law in [grid_law(name, levels, SHOWN)]
    ]
    cases = [case for g in grids for case in law_cases(g, "trapezoid", dimensions(context))]
    return {"cases": cases, "rows": rows}


def check_name(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the published weights give the size law of the trapezoid rule everywhere."""
    cases = evidence["cases"]
    different = sum(case.left != case.right for case in cases)
    numbers = {"compared": len(cases), "different": different}
    rows = tuple(evidence["rows"])
    if not different:
        return Verdict("proved", "The weights are those of the rule.", "sound", numbers, rows=rows)
    first = first_mismatch(cases)
    return Verdict(
        "refuted",
        "The levels are those of the trapezoid rule and the weights are not: the two ends count "
        "like inner levels, in the algorithm of the cited paper and in the public codes, where "
        f"the rule gives them half ({first.label}: {first.left}, not {first.right}). claims.json "
        f"has what each makes of the unanimity game of all {SHOWN} players.",
        "slip",
        numbers,
        rows=rows,
    )


def gather_random(context: Context, law: Callable[[int], list[Fraction]] = random_law) -> Evidence:
    """Size law of a uniform q for every d, against 1/d."""
    players = dimensions(context)
    cases = [
        case
        for d in players
        for case in vector_cases(f"d = {d}", np.array(law(d)), np.full(d, Fraction(1, d)))
    ]
    return {"cases": cases, "max_dimension": players[-1]}


def check_random(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every size has the weight 1/d."""
    numbers = {"max_dimension": evidence["max_dimension"]}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: weight {wrong.left}, not {wrong.right}.", numbers=numbers
        )
    return Verdict(
        "proved",
        "With a uniform q every size of the coalition has probability 1/d, for every d from 2 to "
        f"{evidence['max_dimension']} in exact arithmetic and for all d by the Beta integral.",
        "sound",
        numbers,
        evidence="prop:chen-sizes",
    )


def gather_levels(context: Context, grid: GridName = "equal") -> Evidence:
    """The closed form of the bias of equal weights, and its worst case by number of levels."""
    players = dimensions(context)
    cases, worst = [], {}
    for d in players:
        for levels in LEVELS:
            law = np.array(grid_law(grid, levels, d))
            trapezoid = np.array(grid_law("trapezoid", levels, d))
            closed = trapezoid + (np.array(ends_law(d)) - trapezoid) / Fraction(levels)
            cases += vector_cases(f"d = {d}, {levels} levels", law, closed)
            worst[d, levels] = worst_bias(law)
    return {"cases": cases, "worst": worst, "max_dimension": players[-1]}


def check_levels(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the closed form holds and the worst case falls with the number of levels."""
    worst = evidence["worst"]
    numbers = {"max_dimension": evidence["max_dimension"], "cases": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: weight {wrong.left}, not {wrong.right}.", numbers=numbers
        )
    players = sorted({d for d, _ in worst})
    levels = sorted({k for _, k in worst})
    rows = tuple(
        {"levels": k} | {f"d = {d}": float(worst[d, k]) for d in players if d in (2, 3, 8, 64)}
        for k in levels
    )
    for d in players:
        column = [worst[d, k] for k in levels]
        if d > 2 and not all(a > b > 0 for a, b in pairwise(column)):
            return Verdict(
                "refuted",
                f"At d = {d} the largest bias does not fall with the number of levels.",
                "false",
                numbers,
                rows=rows,
            )
    return Verdict(
        "proved",
        "With L equal weights the bias is ((e(0) + e(1))/2 - phi)/L plus (1 - 1/L) times that of "
        "the trapezoid rule: of order 1/L, from d = 3 players on. The largest over games with "
        "values in [0, 1] falls with L for every d. It is the bias of the grid: no number of draws "
        "per level changes it.",
        "sound",
        numbers,
        rows=rows,
        evidence="prop:chen-grid",
    )


CLAIMS = (
    claim(
        id="ccll23-04a",
        title="A grid according to the trapezoid rule",
        where=f"{AGNOSTIC}; {TABLE_1}; {APPENDIX}",
        statement=r"The original multilinear extension sampling draws 2 random subsets for each "
        r"$q$, where $q$ is sampled at fixed intervals according to the trapezoid rule.",
        gather=gather_name,
        check=check_name,
    ),
    claim(
        id="ccll23-04b",
        title="Multilinear extension sampling with a uniform q",
        where=TABLE_1,
        statement=r"Multilinear extension sampling is unbiased when sampling $q$ uniformly: "
        r"$\int_0^1\binom{d-1}{s}q^s(1-q)^{d-1-s}\,dq=1/d$ for every size $s$.",
        gather=gather_random,
        check=check_random,
    ),
    claim(
        id="ccll23-04c",
        title="Bias of the fixed grid at few levels",
        where=TABLE_1,
        statement=r"The fixed grid of $q$ can lead to higher bias at smaller numbers of subsets.",
        gather=gather_levels,
        check=check_levels,
    ),
)
