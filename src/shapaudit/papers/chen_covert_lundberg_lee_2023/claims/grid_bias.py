"""Claim 4, continued: what the bias of the grid amounts to, and a grid without."""

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show

from ..evidence.common import TRIALS
from ..evidence.grid_bias import gather_rules, gather_trials
from .common import AGNOSTIC, claim

ROUNDING = 1e-12  # of Gauss-Legendre nodes, which are not rational


def check_trials(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an expected estimate that is not the Shapley value."""
    rows = tuple(evidence["rows"])
    ratios = [row["bias_over_trial_noise"] for row in rows]
    biased = [row for row in rows if row["squared_bias"] > ROUNDING * row["variance"]]
    numbers = {"biased": len(biased), "cases": len(rows), "largest_ratio": max(ratios)}
    if not biased:
        return Verdict(
            "proved", "All expectations are the Shapley values.", numbers=numbers, rows=rows
        )
    share = sum(ratio > 1 for ratio in ratios)
    return Verdict(
        "refuted",
        f"On the fixed grid the exact bias is not zero in {len(biased)} of {len(rows)} cases, and "
        f"in {share} it exceeds what {TRIALS} trials show by chance (up to {show(max(ratios))} "
        "times). It is in the expectation, so that more trials do not remove it. With a uniform q "
        "there is none, which is the case that the caption of Table 1 calls unbiased.",
        numbers=numbers,
        rows=rows,
    )


def check_rules(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when Gauss-Legendre is exact to rounding; the other rules are shown beside it."""
    rows = tuple(evidence["rows"])
    largest = max(row["gauss-legendre"] for row in rows)
    others = min(row[name] for row in rows for name in ("equal", "trapezoid", "midpoint"))
    numbers = {"largest_gauss_legendre": largest, "smallest_other": others}
    if largest > ROUNDING * rows[-1]["players"]:
        return Verdict(
            "refuted",
            f"With these levels Gauss-Legendre has a bias of up to {show(largest)}.",
            numbers=numbers,
            rows=rows,
        )
    last = rows[-1]
    return Verdict(
        "proved",
        "e(q) is a polynomial of degree d - 1, which Gauss-Legendre integrates exactly with "
        f"ceil(d/2) levels. At d = {last['players']} and {last['levels']} levels the largest bias "
        f"of equal weights is {show(last['equal'])}, of the trapezoid rule "
        f"{show(last['trapezoid'])} and of the midpoint rule {show(last['midpoint'])}.",
        numbers=numbers,
        rows=rows[:: max(1, len(rows) // 12)],
        evidence="prop:chen-gauss",
    )


CLAIMS = (
    claim(
        id="ccll23-04d",
        title="Multilinear extension sampling is unbiased",
        heading="Multilinear extension sampling",
        topic="convergence",
        where=f"{AGNOSTIC}, paragraph on multilinear extension sampling; Figures 5 to 8, "
        "captions; Table 1, caption, has the condition",
        words="an unbiased sampling-based estimator that we refer to as multilinear extension "
        "sampling",
        statement=r"Multilinear extension sampling is an unbiased, sampling-based estimator. "
        r"(Here: as it is benchmarked, on a fixed grid of $q$.)",
        gather=gather_trials,
        check=check_trials,
        falls="hypothesis",
    ),
    claim(
        id="ccll23-04e",
        title="A grid without bias",
        heading="Multilinear extension sampling",
        topic="convergence",
        where=f"left out by the paper, whose {AGNOSTIC} has no other grid",
        statement=r"Gauss-Legendre quadrature with $\lceil d/2\rceil$ levels of $q$ is unbiased.",
        source="this project",
        gather=gather_rules,
        check=check_rules,
    ),
)
