"""Claim 47h: correlated LinearSHAP whose mean and covariance come from a few rows."""

from shapaudit.statistics.limits import Limit
from shapaudit.statistics.quantiles import normal_quantile
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.estimated_moments import PARABOLA, PLAYERS, gather_estimated
from .common import claim


def limited(rows: list[Evidence], alpha: float) -> tuple[Limit, ...]:
    """Return confidence limits of the biases by the normal law, which hold together."""
    reach = normal_quantile(alpha / (2 * len(rows)))
    return tuple(
        Limit(
            f"{row['law']}, {row['rows']} rows, feature {row['feature']}",
            row["bias"],
            row["bias"] - reach * row["error"],
            row["bias"] + reach * row["error"],
            1 - alpha,
        )
        for row in rows
    )


def check_estimated(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if no interval of a law with linear regressions excludes zero."""
    rows = [row for row in evidence["rows"] if row["law"] != PARABOLA]
    bent = [row for row in evidence["rows"] if row["law"] == PARABOLA]
    limits = limited(rows, alpha)
    off = [limit for limit in limits if not limit.low <= 0 <= limit.high]
    noticed = sum(not limit.low <= 0 <= limit.high for limit in limited(bent, alpha))
    largest = max(abs(row["bias"] / row["error"]) for row in rows)
    return tell(
        "refuted" if off else "proved",
        {
            "refuted": lambda: f"Biased for {off[0].name}.",
            "proved": f"Over {rows[0]['samples']} samples from each of three distributions, none "
            f"of {len(rows)} means is further from zero than {show(largest)} standard errors; "
            f"with a feature that is the square of another, {noticed} of {len(bent)} are beyond "
            "their limits. Each conditional expectation is the prediction of a least-squares fit, "
            "which is unbiased given the design.",
        },
        shown_by={"proved": "prop:chen-regressions"},
        numbers={"off": len(off), "noticed": noticed, "largest_score": largest},
        limits=limits,
        sample={"laws": len({row["law"] for row in rows}), "samples": rows[0]["samples"]},
        rows=tuple(evidence["rows"]),
    )


CLAIMS = (
    claim(
        id="ccll23-47h",
        title="Correlated LinearSHAP with estimated moments",
        heading="Ways to remove a feature",
        topic="convergence",
        where="Section 5.2.3, paragraph on correlated LinearSHAP, beyond what is said there",
        statement=r"If $\mathbb E[x\mid x_S]$ is affine in $x_S$ for every $S$, correlated "
        r"LinearSHAP with mean and covariance estimated from $n>d+1$ independent rows is unbiased "
        r"at every $n$, provided that the designs are regular.",
        hedges=f"Tested with {PLAYERS} features; the explicand is not one of the rows, and the "
        "means have to exist.",
        matters="A small sample increases the variance but causes no bias.",
        gather=gather_estimated,
        check=check_estimated,
        source="this project",
        statistical=True,
    ),
)
