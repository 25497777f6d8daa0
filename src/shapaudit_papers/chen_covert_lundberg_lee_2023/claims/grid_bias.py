"""Claim 4, continued: what the bias of the grid amounts to, and a grid without."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.allocation import gather_bias
from ..evidence.common import TRIALS
from ..evidence.grid_bias import PRINTED, gather_rules, gather_trials
from .allocation import check_bias
from .common import AGNOSTIC, claim, trees

NODE_ROUNDING = 1e-12  # of Gauss-Legendre nodes, which are not rational


def check_trials(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an expected estimate differs from the Shapley value."""
    rows = evidence["rows"]
    ratios = [row["bias_over_trial_noise"] for row in rows]
    biased = sum(row["squared_bias"] > NODE_ROUNDING * row["variance"] for row in rows)
    return tell(
        "refuted" if biased else "exact",
        {
            "exact": "All expectations equal the Shapley values.",
            "refuted": f"On the fixed grid the exact bias is not zero in {biased} of {len(rows)} "
            f"cases, and in {sum(ratio > 1 for ratio in ratios)} of them it exceeds what {TRIALS} "
            f"trials show by chance (up to {show(max(ratios))} times). It is part of the "
            "expectation, so that more trials do not remove it. With a uniform $q$, which is the "
            "case that the caption of Table 1 calls unbiased, there is no bias.",
        },
        numbers={"biased": biased, "cases": len(rows), "largest_ratio": max(ratios)},
        rows=rows,
        reach=f"{len(rows)} games and numbers of samples",
        setting=_rule_on_printed_explicand([row for row in rows if PRINTED in row["game"]]),
    )


def _rule_on_printed_explicand(rows: list[Evidence]) -> Ruling:
    if not rows:
        return Ruling("inconclusive", "The study has no tables of the paper's models.")
    if not any(row["squared_bias"] > NODE_ROUNDING * row["variance"] for row in rows):
        return Ruling(
            "exact", "On the printed explicand every expectation equals the Shapley value."
        )
    ten = [row for row in rows if row["game"] == rows[0]["game"]]
    listed = "; ".join(
        _told_method([row for row in ten if row["method"] == method])
        for method in dict.fromkeys(row["method"] for row in ten)
    )
    return Ruling(
        "refuted",
        f"Exact squared bias on the printed explicand, with {trees(ten[0]['game'].split()[0])}, "
        f"compared with what {TRIALS} trials show by chance: {listed}. With more samples, the "
        "printed biases are the noise of the trials.",
    )


def _told_method(rows: list[Evidence]) -> str:
    first = min(rows, key=lambda row: row["samples"])
    seen = [row["samples"] for row in rows if row["bias_over_trial_noise"] > 1]
    until = f"above it up to {max(seen)} samples" if seen else "never above it"
    return (
        f"{first['method']} {show(first['squared_bias'])} against "
        f"{show(first['variance'] / TRIALS)} at {first['samples']} samples, {until}"
    )


def check_rules(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if Gauss-Legendre is exact up to rounding; other rules are shown for comparison."""
    rows = evidence["rows"]
    last, largest = rows[-1], max(row["gauss-legendre"] for row in rows)
    exact = largest <= NODE_ROUNDING * last["players"]
    return tell(
        "proved" if exact else "refuted",
        {
            "refuted": f"With these levels Gauss-Legendre has a bias of up to {show(largest)}.",
            "proved": "$e(q)$ is a polynomial of degree $d-1$, which Gauss-Legendre quadrature "
            rf"integrates exactly with $\lceil d/2\rceil$ levels. At $d={last['players']}$ and "
            f"{last['levels']} levels the largest bias of equal weights is {show(last['equal'])}, "
            f"that of the trapezoid rule {show(last['trapezoid'])} and that of the midpoint rule "
            f"{show(last['midpoint'])}.",
        },
        shown_by={"proved": "prop:chen-gauss"},
        numbers={
            "largest_gauss_legendre": largest,
            "smallest_other": min(
                row[name] for row in rows for name in ("equal", "trapezoid", "midpoint")
            ),
        },
        rows=rows[:: max(1, len(rows) // 12)] if exact else rows,
    )


CLAIMS = (
    claim(
        id="ccll23-04d",
        title="The benchmarked algorithms are unbiased",
        heading="Normalisation, bias and variance",
        topic="convergence",
        where="Figures 5 to 8, captions; Section 5.2.1, paragraph on multilinear extension "
        "sampling; Figure 5, caption",
        words="Benchmarking unbiased, model-agnostic algorithms ... either antithetic or adaptive "
        "sampling ... an unbiased sampling-based estimator that we refer to as multilinear "
        "extension sampling",
        statement="The benchmarked algorithms are unbiased, multilinear extension sampling on its "
        "fixed grid and variants with adaptive sampling among them.",
        hedges="The section draws $q$ from [0, 1]; the caption of Table 1 says “unbiased when "
        "sampling q uniformly” and concedes that the trapezoid rule “can lead to higher bias”. "
        "The captions of Figures 6 to 8 say “variants of unbiased stochastic estimators”, which "
        "speaks of the estimators that are varied.",
        gather=gather_trials,
        check=check_trials,
        also=((gather_bias, check_bias),),
        setting="The explicand and the baseline of the diabetes tables, 500 to 10,000 samples.",
        falls="hypothesis",
        lacks="levels drawn at random, and stages that are not pooled",
        matters="With few samples the bias of the fixed grid is part of the printed error; more "
        "trials do not remove it, whereas a random $q$ or Gauss-Legendre levels do. The bias of "
        "adaptive sampling is small compared with the noise, and zero if the second stage does "
        "not reuse the draws of the first.",
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
