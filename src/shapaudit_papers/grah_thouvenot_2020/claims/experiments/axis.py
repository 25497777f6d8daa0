"""Claim 22: what the vertical axis of the paper's figures shows."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.experiments.axis import gather_falls
from ..common import BOTH, claim

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


CLAIMS = (
    claim(
        id="gt20-22",
        title="The axis of the figures",
        heading="The experiments",
        topic="orderings",
        where=f"Section 5.2, Figures 2 and 3, captions; {BOTH}",
        words="Evolution of the mean squared error norms",
        statement=r"The vertical axis of Figures 2 and 3 is the mean squared norm of the error.",
        hedges="Elsewhere “mean estimation errors”; “squared error norms” may be a name for the "
        "Euclidean norm.",
        gather=gather_falls,
        check=check_axis,
        falls="slip",
        matters="Ratios of the plotted errors are square roots of ratios of squared errors: a "
        "factor of two in evaluations appears as the square root of two.",
    ),
)
