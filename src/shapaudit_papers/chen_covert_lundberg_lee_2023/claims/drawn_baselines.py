"""Claims 82 and 83: baselines that are drawn anew."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.drawn_baselines import gather_counts
from .common import claim

FRESH = "prop:chen-fresh"


def check_fresh(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the means over orders and baselines are the marginal values."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "With a fresh baseline for each order, the mean over all orders and baselines is the "
        f"marginal value, in {len(cases)} cases and in general. This holds for every estimator "
        "that is linear in the game; for one that adapts its draws to earlier ones it need not "
        "hold (C 05c).",
        sample={"values": len(cases)},
        shown_by=FRESH,
    )


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the two parts of the variance add up and one baseline per order is best."""
    cases, factors = evidence["cases"], evidence["factors"]
    better = [row for row in factors if row["least"] < 1]
    if wrong := first_mismatch(cases):
        return Verdict(
            "refuted",
            f"{wrong.label}: the variance is {wrong.left}, not {wrong.right}.",
            "wrong",
            rows=factors,
        )
    most = factors[-1]
    return tell(
        "refuted" if better else "proved",
        {
            "proved": "For the same number of rows of the model, the variance with $K$ baselines "
            "per order is $(Ka+b)/(a+b)$ times that with one, where $a$ is the variance over "
            f"orders and $b$ the mean variance over baselines. For {most['baselines']} baselines "
            f"it is {show(float(most['least']))} to {show(float(most['largest']))} times on "
            "random models.",
            "refuted": "Some numbers of baselines above one have a smaller variance.",
        },
        shown_by={"proved": FRESH},
        sample={"values": len(cases)},
        rows=factors,
    )


HEADING = "Ways to remove a feature"

CLAIMS = (
    claim(
        id="ccll23-83",
        title="Baselines per order",
        heading=HEADING,
        topic="cost",
        where="Section 5.1.2, beyond what is said there",
        statement="With $K$ fresh baselines for each random order, the variance for the same "
        "number of rows of the model is "
        r"$\frac{K\sigma_\pi^2+\sigma_b^2}{\sigma_\pi^2+\sigma_b^2}$ times that with one; one "
        "baseline is best.",
        source="this project",
        matters="Draw one baseline per order, not a background of a hundred for each of them.",
        gather=gather_counts,
        check=check_counts,
    ),
)
