"""Claim 22: what the vertical axis of the paper's figures shows."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

NORM, SQUARE = -0.5, -1.0  # slopes of a Monte Carlo error and of its square
BETWEEN = (NORM + SQUARE) / 2


def check_axis(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the curves fall as norms do, supported if they fall as squares do."""
    falls = evidence["falls"]
    slopes = [row["slope"] for row in falls]
    norms = sum(slope > BETWEEN for slope in slopes)
    status = {0: "supported", len(falls): "inconsistent"}.get(norms, "inconclusive")
    seen = f"{show(min(slopes))} to {show(max(slopes))}"
    return tell(
        status,
        {
            "supported": f"The walk's curves decrease with slopes {seen}, as squares do.",
            "inconclusive": f"The slopes {seen} agree consistently neither with squares nor with "
            "norms.",
            "inconsistent": "The mean squared error of optimised Monte Carlo is exactly inversely "
            "proportional to the number of permutations. On logarithmic axes its published curves "
            f"decrease with slopes {seen}, as read off: those of a norm, {show(NORM)}, and not of "
            f"its square, {show(SQUARE)}. The figures show the mean norm of the error.",
        },
        numbers={"curves": len(falls), "least_slope": min(slopes), "largest_slope": max(slopes)},
        rows=falls,
    )
