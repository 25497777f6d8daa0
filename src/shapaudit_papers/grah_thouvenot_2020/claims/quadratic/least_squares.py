"""Claims 1 and 3: the solution of Equation (1), and F around it."""

from typing import Any

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.radius import gather_solution as gather_bounded
from ...evidence.quadratic.least_squares import gather_identity, gather_solution
from ..common import BOTH, claim
from ..constants.radius import check_solution as check_bounded


def check_solution(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both kinds of cases agree and F is strictly convex along the hyperplane."""
    top, flattest = evidence["max_dimension"], min(evidence["curvatures"])
    stationarity, solutions = evidence["stationarity"], evidence["solutions"]
    cases = [*stationarity, *solutions]
    details: dict[str, Any] = {
        "numbers": {"max_dimension": top, "smallest_curvature": flattest},
        "sample": {
            "unanimity_games": len(stationarity),
            "brute_force_entries": len(solutions),
        },
        "shown_by": "prop:wls",
    }
    if flattest <= 0 and first_mismatch(cases) is None:
        text = f"The minimiser of (1) is not unique: the curvature $a-c$ decreases to {flattest}."
        return Verdict("refuted", text, **details)
    return by_identity(
        cases,
        f"For every $d$ up to {top} and every game, in exact arithmetic: unanimity games of all "
        f"{len(stationarity)} sizes are stationary at their Shapley values, and the curvature "
        f"$a-c$ is at least {flattest}. Solving (1) directly for random integer games up to "
        f"$d={evidence['brute_force_dimension']}$ agrees; the report proves it for all $d$.",
        lambda case: (
            f"The minimiser of (1) is not the vector of Shapley values: {case.label}, where "
            f"{case.left} should equal {case.right}."
        ),
        **details,
    )


def check_identity(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every case agrees exactly."""
    cases = evidence["cases"]
    constants = {"rate_constant_printed": 4, "rate_constant_by_identity": 2}
    return by_identity(
        cases,
        f"Exact at all {len(cases)} random points of $K_1$, for $d$ up to "
        f"{evidence['brute_force_dimension']}, and proved in the report for all $d$. The paper "
        "uses the strong-convexity inequality instead and loses a factor of 2: every bound on the "
        r"expected squared error can be halved, for instance from $4\kappa^2/T$ to $2\kappa^2/T$.",
        lambda case: f"{case.label}: $F-F^*$ is {case.left}, not {case.right}.",
        numbers={} if first_mismatch(cases) else constants,
        sample={"points": len(cases)},
        shown_by="prop:identity",
    )


CLAIMS = (
    claim(
        id="gt20-01",
        title="Least squares have the Shapley values as unique solution",
        heading="Least squares and curvature",
        topic="identities",
        where="Section 4, first paragraph, and Equation (1); Section 4.1, below the definition of "
        f"K; {BOTH}",
        words="these values are the only solution of a weighted linear regression problem with an "
        "equality constraint ... has a unique solution phi* which is the Shapley Values if D is "
        "chosen such that ||phi*|| <= D",
        statement=r"$\operatorname{argmin}_{\phi}\ \sum_{\emptyset\neq S\subsetneq\mathcal M} w_S"
        r"\bigl[v(S)-\sum_{j\in S}\phi_j\bigr]^2$ subject to $\sum_j\phi_j=v(\mathcal M)$, with "
        r"$w_S=\frac{d-1}{\binom{d}{|S|}|S|(d-|S|)}$, is the vector of Shapley values, uniquely; "
        r"with $\|\phi\|\le D$ as well there is a unique minimiser, which is $\phi^*$ if "
        r"$\|\phi^*\|\le D$.",
        hedges="Credited to earlier work; for more than one player and a value of 0 for the empty "
        r"coalition; “if D is chosen such that” the norm of $\phi^*$ is at most $D$.",
        gather=gather_solution,
        check=check_solution,
        also=((gather_bounded, check_bounded),),
    ),
    claim(
        id="gt20-03",
        title="Excess of F over its minimum on the hyperplane",
        heading="Least squares and curvature",
        topic="identities",
        where="left out by the paper, whose Section 4.2 uses an inequality in its place",
        statement=r"$F(\phi)-F(\phi^*)=(1-1/d)\,\|\phi-\phi^*\|^2$ for every $\phi\in K_1$.",
        source="this project",
        gather=gather_identity,
        check=check_identity,
    ),
)
