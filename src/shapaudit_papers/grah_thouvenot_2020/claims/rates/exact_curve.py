"""Claim 6e: simulated runs of projected SGD against the exact expectation, step rule by step rule.

The exact curves use the steps, sizes and averages of `theory`, the runs those of the estimator.
"""

import numpy as np

from shapaudit.statistics.limits import Limit, skewed_mean_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.exact_curve import NO_BOUND, gather
from ...evidence.rates.settings import RECURSION_ROUNDING
from ..common import claim, required

WIDEST = 1.0  # relative, at the last number of steps; wider limits tell nothing


def check(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any exact value outside limits that hold together; supported if all are inside
    and the limits at the last number of steps are no further from it than `WIDEST`.
    """
    series = required(evidence["series"])
    share = alpha / sum(len(record["times"]) for record in series)  # Bonferroni
    groups = [_rows(record, share) for record in series]
    limits = [_relative(group[-1], share) for group in groups]
    width = max(max(limit.high - 1, 1 - limit.low) for limit in limits)
    rows = [row for group in groups for row in group]
    off = [row for row in rows if _outside(row)]
    apart = max(abs(row["mean"] / row["exact"] - 1) for row in rows)
    bounded = [row["bound"] / row["exact"] for row in rows if row["bound"] != NO_BOUND]
    return tell(
        "refuted" if off else "inconclusive" if width > WIDEST else "supported",
        {
            "refuted": lambda: _told_refuted(off, len(rows)),
            "inconclusive": f"All {len(rows)} exact values are within simultaneous limits, but "
            f"these are up to {show(100 * width)} per cent wide on one side at the last step; "
            "more runs are needed to decide.",
            "supported": f"All {len(rows)} exact values are within simultaneous limits of the "
            f"mean over runs. These limits are at most {show(100 * width)} per cent from the mean "
            "at the last step, and no mean differs from the exact value by more than "
            f"{show(100 * apart)} per cent at any step. The paper's bounds are at least "
            f"{show(min(bounded, default=1.0))} times the exact values.",
        },
        numbers={
            "comparisons": len(rows),
            "outside": len(off),
            "largest_deviation": apart,
            "widest_limit_at_the_end": width,
            "smallest_bound_over_exact": min(bounded, default=NO_BOUND),
        },
        limits=limits,
        sample={"series": len(groups), "fewest_runs": min(row["runs"] for row in rows)},
        rows=rows,
    )


def _told_refuted(off, total):
    worst = max(off, key=lambda row: abs(np.log(row["mean"] / row["exact"])))
    return (
        f"{len(off)} of {total} exact values are outside simultaneous limits: on {worst['game']}, "
        f"{worst['rule']} step, $T={worst['steps']}$, the mean over {worst['runs']} runs is "
        f"{show(worst['mean'] / worst['exact'])} times the exact one."
    )


def _rows(record, alpha):
    """One row per number of steps of a series, each limit of confidence 1 - alpha."""
    low, high = skewed_mean_limits(record["errors"], alpha)
    return [
        {key: record[key] for key in ("game", "explicands", "rule")}
        | {"steps": t, "bound": record["bounds"][k], "exact": record["exact"][k]}
        | {"mean": record["errors"][:, k].mean(), "low": low[k], "high": high[k]}
        | {"runs": len(record["errors"])}
        for k, t in enumerate(record["times"])
    ]


def _outside(row):
    slack = RECURSION_ROUNDING * row["exact"]
    return not row["low"] - slack <= row["exact"] <= row["high"] + slack


def _relative(row, alpha):
    """Limits of a mean over its exact value."""
    name = f"mean over exact: {row['game']}, {row['rule']} step, T = {row['steps']}"
    return Limit(name, *(row[key] / row["exact"] for key in ("mean", "low", "high")), 1 - alpha)


CLAIMS = (
    claim(
        id="gt20-06e",
        title="The experiment agrees with the exact curve",
        heading="Rates in expectation",
        topic="rates",
        where="left out by the paper, whose Section 4.2 has bounds only",
        statement=r"On the efficiency hyperplane the mean squared error of simulated runs is "
        r"$\mathbb E\|\bar\phi_T-\phi^*\|^2$ as the exact recursion gives it, for the steps "
        r"$\frac2{\mu(t+1)}$, $\frac{2D}{B\sqrt t}$, $\gamma$ and $\frac1{2\mu(t+t_0)}$.",
        gather=gather,
        check=check,
        statistical=True,
        source="this project",
    ),
)
