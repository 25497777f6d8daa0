"""Claim 12: which other attributions converge to the exact Shapley values."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch, told
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.others import EXPLICAND, THRESHOLD, gather_others
from .common import claim


def check_others(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if the limit of KernelSHAP has the Shapley values, and the others differ on a model."""
    kernel, others = evidence["kernel"], evidence["others"]
    rows = [{"what": case.label, "found": case.left, "shapley": case.right} for case in others]
    apart = [row for row in rows if row["found"] != row["shapley"]]
    wrong = first_mismatch(kernel)
    inputs = ", ".join(map(str, EXPLICAND))
    return tell(
        "refuted" if wrong else "exact" if apart else "inconclusive",
        {
            "refuted": told(wrong) if wrong else "",
            "inconclusive": "The other attributions agree on this model.",
            "exact": "The weighted least squares that KernelSHAP samples have the Shapley values "
            f"as solution (GT 1). On the unit $\\max(0,x_1+x_2+x_3-{THRESHOLD})$ at the inputs "
            f"{inputs}, with a baseline of zero, Integrated Gradients and both rules of DeepLIFT "
            f"give the first input {rows[0]['found']}, and the Shapley value is "
            f"{rows[0]['shapley']}.",
        },
        numbers={"entries_that_differ": len(apart)},
        rows=rows,
        reach="one unit",
    )


CLAIMS = (
    claim(
        id="ol21-12",
        title="Other methods that converge",
        heading="Data and earlier work",
        topic="convergence",
        where="Section II, last paragraph",
        words="among all these methods, only KernelSHAP (without regularizer) converges to the "
        "exact Shapley values",
        statement="Of KernelSHAP, Integrated Gradients, DeepLIFT and its two rules, only "
        "KernelSHAP without a regulariser converges to the exact Shapley values.",
        hedges="“without regularizer”.",
        gather=gather_others,
        check=check_others,
        matters="The other methods can differ from the Shapley values whatever their effort.",
    ),
)
