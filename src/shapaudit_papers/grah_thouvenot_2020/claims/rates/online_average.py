"""Claim 6f: the online update of the weighted average."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict


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
