"""Claim 5: draws in proportion to the variance, and what two stages do to the bias."""

from shapaudit_audit.audit.comparisons import span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.allocation import CARRIER, gather_best, gather_gain
from .common import AGNOSTIC, claim


def check_gain(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if neither known nor estimated variances give a factor above 1, exactly.

    A factor above 1 for estimated variances alone refutes the claim for want of a hypothesis.
    """
    exact, estimated, rows = evidence["exact"], evidence["estimated"], evidence["rows"]
    most, losses = max(exact), [row["over_equal"] for row in estimated]
    medians = [row["variance"] for row in rows]
    known = (
        "With known variances, half of the draws allotted equally and half in proportion to the "
        "variances never give a larger sum of variances than equal draws: with $a$ the shares of "
        r"the variance, the factor $2\sum a/(1+da)$ is concave, and it is 1 when they are equal. "
        f"Median factors on the study's games are {show(min(medians))} to {show(max(medians))}. "
        "Without the equal half, the sum equals that of equal draws, whatever the variances."
    )
    last = estimated[-1]
    lost = (
        f" The method has to estimate them. If all are equal, as on the unanimity game of "
        f"{last['players']} players, the estimates differ by chance, and the squared error is "
        f"{span(losses)} times that of equal draws at {estimated[0]['evaluations']} to "
        f"{last['evaluations']} evaluations."
    )
    worse = most > 1 or max(losses) > 1
    return tell(
        "refuted" if worse else "proved",
        {
            "refuted": f"{known}{lost}" if most <= 1 else f"The factor can be as large as {most}.",
            "proved": known,
        },
        "wrong" if most > 1 else None,
        shown_by="prop:chen-adaptive" if most <= 1 else "rows",
        numbers={
            "largest_factor": most,
            "least_factor": min(exact),
            "largest_loss": max(losses),
            "least_loss": min(losses),
        },
        sample={"variances": len(exact), "games": len(rows)},
        rows=rows,
    )


def check_best(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if another allocation has a smaller sum for some variances."""
    rows, study = evidence["rows"], evidence["study"]
    worst = max(rows, key=lambda row: row["over_best"])
    most = max(row["largest_quotient"] for row in study)
    return tell(
        "exact" if worst["over_best"] <= 1 + 1e-5 else "refuted",
        {
            "exact": "No other allocation of the second half has a smaller sum of variances.",
            "refuted": "The sum is smallest if draws are in proportion to the standard "
            "deviations, as far as the draws already made allow. The sum with draws by the "
            f"variance is up to {show(most)} times that on the study's games, and "
            f"{show(worst['over_best'])} times with {worst['noisy']} noisy of {worst['players']} "
            f"players if the standard deviation of the others is {show(worst['quiet_deviation'])} "
            "times theirs: many quiet players together deserve more draws than their variance "
            "gives them.",
        },
        reach=f"{len(rows)} sets of variances",
        numbers={"largest_quotient": worst["over_best"], "largest_quotient_study": most},
        sample={"variances": len(rows), "games": len(study)},
        rows=rows,
    )


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an expectation differs from the Shapley value."""
    rows = evidence["rows"]
    biases = [row["relative_bias"] for row in rows]
    share = max(row["share"] for row in rows)
    listed = ", ".join(
        f"{show(100 * row['relative_bias'])} at {row['evaluations']}" for row in rows
    )
    return tell(
        "refuted" if any(biases) else "exact",
        {
            "exact": "No bias in exact arithmetic.",
            "refuted": f"In exact arithmetic, on the unanimity game of {CARRIER} players, the "
            "relative bias of IME with adaptive sampling, in per cent by evaluations, is: "
            f"{listed}. Its square is up to {show(100 * share)} per cent of the squared error. A "
            "player whose first draws are all 0 shows no variance and receives no further draws, "
            "so that its low mean remains. A single stage is unbiased, and so is a second stage "
            "that does not reuse the first.",
        },
        numbers={
            "worst_relative_bias": max(biases, key=abs),
            "least_relative_bias": min(biases, key=abs),
            "largest_share": share,
        },
        reach=f"{len(rows)} numbers of evaluations of one game",
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-05a",
        title="More draws where the variance is high",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{AGNOSTIC}, paragraph on IME",
        words="improves the estimator's convergence by allocating more samples ... for players "
        "with high variance in their marginal contributions",
        statement=r"Allocating more samples to estimate $\phi_i(v)$ for players with high "
        "variance in their marginal contributions improves the convergence of IME.",
        hedges="“for players with high variance in their marginal contributions”. Half of the "
        "draws are equal and the others in proportion to the variances, as in the public code.",
        gather=gather_gain,
        check=check_gain,
        lacks="variances that differ by more than their estimates err",
        falls="hypothesis",
        matters="Where players vary alike, or draws are few, equal draws are better than adaptive "
        "ones.",
    ),
    claim(
        id="ccll23-05b",
        title="Draws in proportion to the variance are best",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{AGNOSTIC}, in the authors' public code",
        statement="Once half of the draws are equal, allotting the other half in proportion to "
        r"the variances $\sigma_i^2$ minimises $\sum_i\sigma_i^2/n_i$.",
        gather=gather_best,
        check=check_best,
        source="this project",
        matters="Draws in proportion to the standard deviations require fewer evaluations.",
    ),
)
