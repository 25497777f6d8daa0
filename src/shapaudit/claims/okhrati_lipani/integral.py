"""Claim 6: the integral over q, and the axioms it starts from."""

from collections.abc import Callable

import numpy as np

from ...truth import shapley_from_table
from ..base import Evidence, Verdict
from ..chen_covert_lundberg_lee.grids import check_random, gather_random
from ..context import Context
from ..exact import Case, integer_games, small_dimensions, verdict_against
from .common import claim

ROUNDING = 1e-9


def gather_efficiency(context: Context, total: Callable = lambda v: v[-1]) -> Evidence:
    """Sums of the Shapley values of integer games with v(empty) other than 0, and their totals."""
    cases = []
    for label, _, values in integer_games(
        context, "ol21-06b", dimensions=small_dimensions(context, 6)
    ):
        table = values.astype(float)
        if table[0]:
            found = shapley_from_table(table).sum()
            cases.append((label, float(found), float(total(table)), float(table[-1] - table[0])))
    return {"cases": cases}


def check_efficiency(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a game whose values do not sum to the output at the explicand."""
    cases = evidence["cases"]
    odd = [case for case in cases if abs(case[1] - case[2]) > ROUNDING]
    gap = max(abs(case[1] - case[3]) for case in cases)
    numbers = {"cases": len(cases), "violated": len(odd), "largest_error_of_the_difference": gap}
    if not odd:
        return Verdict("proved", "The sums agree.", "sound", numbers, evidence="prop:chen-sizes")
    label, found, claimed, _ = odd[0]
    return verdict_against(
        Case(label, np.round(found, 9), np.round(claimed, 9)),
        f"{label}: the values sum to {found:.6g}, the output is {claimed:.6g}. The sum is that of "
        "the output less the output at the baseline, in all games; a probability is not zero "
        "there.",
        kind="hypothesis",
        numbers=numbers,
    )


CLAIMS = (
    claim(
        id="ol21-06a",
        title="The integral of the marginal contributions",
        where="Equations 2 and 3",
        statement=r"$S_j(v)=\int_0^1 e_j(q)\,dq$ with $e_j(q)=\mathbb{E}[\nu(E_j\cup\{x_j\})"
        r"-\nu(E_j)]$.",
        gather=gather_random,
        check=check_random,
    ),
    claim(
        id="ol21-06b",
        title="Efficiency",
        where="Section III.A, axioms",
        statement=r"The contributions sum to the output of the game at the explicand, "
        r"$\sum_j\Psi_j(\xi)=\xi(X)$.",
        gather=gather_efficiency,
        check=check_efficiency,
    ),
)
