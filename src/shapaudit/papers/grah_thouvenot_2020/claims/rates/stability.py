"""Claim 8c: below which step projected SGD is stable without the ball, for every game."""

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges.identity import against, first_mismatch

from ...evidence.rates.stability import gather_limit
from ..common import claim

LARGE = 300  # players of the paper's largest experiment


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the enumerated moment is the closed form times the projection, entry by entry."""
    cases, rows = evidence["cases"], evidence["rows"]
    numbers = {"entries": len(cases), "max_dimension": evidence["max_dimension"]}
    if wrong := first_mismatch(cases):
        return against(
            wrong,
            f"For {wrong.label} the enumerated moment is {wrong.left}, the closed form "
            f"{wrong.right}.",
            numbers=numbers,
        )
    largest = [row for row in rows if row["players"] == max(r["players"] for r in rows)]
    carried = max(
        (row for row in largest if "sqrt" in row["step"]),
        key=lambda row: row["log10_amplification"],
    )
    inverse = max(largest, key=lambda row: row["first_over_limit"])
    d = carried["players"]
    numbers |= {
        "players": d,
        "limit": carried["limit"],
        "limit_uniform_sizes": carried["limit_uniform_sizes"],
        "first_step_over_limit": carried["first_over_limit"],
        "log10_amplification": carried["log10_amplification"],
    }
    return Verdict(
        "proved",
        f"Exact at {len(cases)} entries, d up to {evidence['max_dimension']}; the report proves it "
        f"for all d. At d = {d} the limit is {show(carried['limit'])} under importance sampling, "
        f"and {show(carried['limit_uniform_sizes'])}, the best possible, with sizes drawn "
        f"uniformly. A step of {carried['step']}, fit for d = 16, starts "
        f"{show(carried['first_over_limit'])} times above it and amplifies the expected squared "
        f"error by 10 to the power {carried['log10_amplification']:.1f} before it decays; for "
        f"{inverse['step']} the power is {inverse['log10_amplification']:.0f}. The step "
        "2 D/(B sqrt(t)) is never above half the limit.",
        numbers=numbers,
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="gt20-08c",
        title="Stability limit of the step without the ball",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose Section 4.2 asks for a step below 1/mu",
        statement=r"With projection on $K_1$ alone and sizes of probability $q_l$, "
        r"$\mathbb E\|\phi_T-\phi^*\|^2$ stays bounded at the constant step $\gamma$, for every "
        r"game, if $\gamma<d\big/\sum_{l=1}^{d-1}\frac1{q_l}$; between there and $\frac1\mu$ it "
        r"grows without bound, unless $v(S)=\frac{|S|}dv(\mathcal M)$ for all $S$.",
        gather=gather_limit,
        check=check_limit,
        source="this project",
    ),
)
