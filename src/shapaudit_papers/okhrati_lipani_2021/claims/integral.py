"""Claim 6: the integral over q, and the axioms it starts from."""

import numpy as np

from shapaudit_audit.audit.checks import check_uniform_sizes
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.judges.identity import against
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.grids import gather_random

from ..evidence.integral import gather_efficiency
from .common import claim

INTEGRAL_ROUNDING = 1e-9


def check_efficiency(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a game whose values do not sum to the output at the explicand."""
    cases = evidence["cases"]
    odd = [case for case in cases if abs(case[1] - case[2]) > INTEGRAL_ROUNDING]
    gap = max(abs(case[1] - case[3]) for case in cases)
    numbers = {"cases": len(cases), "violated": len(odd), "largest_error_of_the_difference": gap}
    if not odd:
        return Verdict("proved", "The sums agree.", numbers=numbers, shown_by="prop:chen-sizes")
    label, total, claimed, _ = odd[0]
    return against(
        Case(label, np.round(total, 9), np.round(claimed, 9)),
        f"{label}: the values sum to {total:.6g}, whereas the output is {claimed:.6g}. In all "
        "games the sum is the output minus the output at the baseline; a probability is not zero "
        "there.",
        numbers=numbers,
    )


CLAIMS = (
    claim(
        id="ol21-06a",
        title="The integral of the marginal contributions",
        heading="The integral",
        topic="identities",
        where="Section III.B, Equations 2 and 3",
        words="S_j(v) = integral from 0 to 1 of e_j(q) dq",
        statement=r"$S_j(v)=\int_0^1 e_j(q)\,dq$ with $e_j(q)=\mathbb{E}[\nu(E_j\cup\{x_j\})"
        r"-\nu(E_j)]$.",
        gather=gather_random,
        check=check_uniform_sizes,
    ),
    claim(
        id="ol21-06b",
        title="Efficiency",
        heading="The integral",
        topic="identities",
        where="Section III.A, axiom Efficiency",
        words="the sum of all contributions is equal to the output of the game",
        statement=r"The contributions sum to the output of the game at the explicand, "
        r"$\sum_j\Psi_j(\xi)=\xi(X)$.",
        hedges="Stated as an axiom for games; the usual convention that the value of the empty "
        "coalition is zero is not printed.",
        gather=gather_efficiency,
        check=check_efficiency,
        lacks="an output of zero at the baseline",
        falls="hypothesis",
        matters="The values sum to the difference between the output and the output at the "
        "baseline, which is not zero for a class probability.",
    ),
)
