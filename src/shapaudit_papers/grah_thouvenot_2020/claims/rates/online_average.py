"""Claim 6f: the online update of the weighted average."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.online_average import gather_average
from ..common import BOTH, claim


def check_average(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when both averages give every iterate the same weight."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"The weights of all iterates agree exactly for $T$ up to {evidence['last']}, and by "
        "induction for all $T$. The left-hand side of the printed update has $T$ where the "
        "right-hand side has $t$.",
        lambda case: f"{case.label}: the update gives {case.left}, not {case.right}.",
        sample={"weights": len(cases)},
        shown_by="lem:average",
    )


CLAIMS = (
    claim(
        id="gt20-06f",
        title="Online update of the weighted average",
        heading="Rates in expectation",
        topic="identities",
        where=f"Section 4.2, Convergence rate, below the definition of bar phi_T; {BOTH}",
        words="In practice, these averaging is updated online with: bar phi_T = (1 - rho_t) bar "
        "phi_(T-1) + rho_t phi_t, where rho_t = 2/(t+2)",
        statement=r"$\bar\phi_T=(1-\rho_T)\bar\phi_{T-1}+\rho_T\phi_T$ with "
        r"$\rho_T=\frac2{T+2}$ gives "
        r"$\bar\phi_T=\frac2{(T+1)(T+2)}\sum_{t=0}^T(t+1)\phi_t$.",
        hedges="Printed with $T$ and $t$ side by side, for the same number of steps.",
        gather=gather_average,
        check=check_average,
    ),
)
