"""Claim 8c: below which step projected SGD is stable without the ball, for every game."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.numbers_in_words import show, show_power
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.stability import gather_limit
from ..common import claim

LARGE = 300  # players of the paper's largest experiment


def check_limit(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the enumerated moment is the closed form times the projection, entry by entry."""
    cases, rows, top = evidence["cases"], evidence["rows"], evidence["max_dimension"]
    largest = [row for row in rows if row["players"] == max(r["players"] for r in rows)]
    roots = (row for row in largest if "sqrt" in row["step"])
    carried = max(roots, key=lambda row: row["log10_amplification"])
    inverse = max(largest, key=lambda row: row["first_over_limit"])
    numbers = {"entries": len(cases), "max_dimension": top}
    if not first_mismatch(cases):
        numbers |= {key: carried[key] for key in ("players", "limit", "limit_uniform_sizes")}
        numbers["first_step_over_limit"] = carried["first_over_limit"]
        numbers["log10_amplification"] = carried["log10_amplification"]
    return by_identity(
        cases,
        f"Exact at {len(cases)} entries with $d$ up to {top}; the report proves it for all $d$. "
        f"At $d={carried['players']}$ the limit is {show(carried['limit'])} under importance "
        f"sampling, and {show(carried['limit_uniform_sizes'])}, the best possible, with sizes "
        f"drawn uniformly. A step of {carried['step']}, suitable for $d=16$, starts "
        f"{show(carried['first_over_limit'])} times above it and amplifies the expected squared "
        f"error by {show_power(carried['log10_amplification'])} before it decays; for "
        f"{inverse['step']} the factor is {show_power(inverse['log10_amplification'])}. The step "
        r"$2D/(B\sqrt t)$ is never above half the limit.",
        lambda case: (
            f"For {case.label} the enumerated moment is {case.left}, the closed form {case.right}."
        ),
        shown_by="prop:stability",
        numbers=numbers,
        rows=rows,
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
        r"game and a start at the equal split, if $\gamma<d\big/\sum_{l=1}^{d-1}\frac1{q_l}$; "
        r"between there and $\frac1\mu$ it "
        r"grows without bound, unless $v(S)=\frac{|S|}dv(\mathcal M)$ for all $S$.",
        gather=gather_limit,
        check=check_limit,
        source="this project",
    ),
)
