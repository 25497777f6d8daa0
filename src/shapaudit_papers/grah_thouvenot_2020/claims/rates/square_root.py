"""Parts of claims 6a and 6b: the rate of the step 2 D/(B sqrt(t)), and its average."""

import numpy as np

from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.settings import HORIZON
from ..common import grouped, required
from .settings import looseness, sample_of, summary_numbers


def check_rate(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any explicand and T with the error above the bound; else proved, by the report."""
    series = required(evidence["series"])
    rows, limits = looseness(series, alpha)
    numbers = summary_numbers(series, rows)
    broken = [curve for curve in series if curve["violated"]]
    return tell(
        "refuted" if broken else "proved",
        {
            "refuted": lambda: _told_rate(broken, len(series)),
            "proved": r"For $2D/(B\sqrt t)$ and projection on $K$ the report proves it for every "
            "game and all $T$, with 3/2 in place of 2. Without the ball it holds, by exact "
            f"recursion, for all {len(series)} series and every $T$ up to {HORIZON}, because "
            "this step is never above half the stability limit. The median of the bound over "
            f"explicands is {show(numbers['smallest_median_ratio'])} to "
            f"{show(numbers['largest_median_ratio'])} times the error.",
        },
        shown_by={"proved": "prop:rates"},
        numbers=numbers,
        limits=limits,
        sample=sample_of(series),
        rows=rows,
    )


def _told_rate(broken, total):
    worst = min(broken, key=lambda row: row["smallest_ratio"])
    return (
        f"By exact recursion the bound fails in {len(broken)} of {total} series, by a factor of "
        f"{show(1 / worst['smallest_ratio'])} on {worst['game']}, explicand {worst['explicand']}, "
        f"at $T={worst['at']}$."
    )


def _averages(evidence, alpha):
    """Rows by game, radius and T on the error of the printed average over that of the mean, and
    limits of the median.
    """
    table, limits = [], []
    for (game, radius, t), members in grouped(evidence["rows"], "game", "radius", "steps").items():
        ratios = np.array([row["printed"] / row["mean"] for row in members])
        name = f"printed over mean: {game}, {radius} radius, T = {t}"
        limit = median_with_limits(name, ratios, alpha)
        limits.append(limit)
        table.append(
            {"game": game, "radius": radius, "steps": t, "weights": evidence["weights"][t]}
            | {"explicands": len(members), "median_ratio": limit.estimate}
            | {"largest_ratio": float(ratios.max())}
        )
    return table, limits


def check_normalisation(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted unless the weights sum to one."""
    table, limits = _averages(evidence, alpha)
    wrong = {t: weight for t, weight in evidence["weights"].items() if weight != 1}
    return tell(
        "refuted" if wrong else "exact",
        {"exact": "The weights sum to one.", "refuted": lambda: _told_weights(wrong, table)},
        reach="the T listed",
        numbers={"largest_ratio": max(row["largest_ratio"] for row in table)},
        limits=limits,
        sample={"explicands": len({(row["game"], row["explicand"]) for row in evidence["rows"]})},
        rows=table,
    )


def _told_weights(wrong, table):
    t, late = min(wrong), max(wrong)
    ratios = {k: max(r["largest_ratio"] for r in table if r["steps"] == k) for k in (t, late)}
    return (
        "The sum from 0 to $T$ has $T+1$ terms: divided by $T$, their weights sum to $1+1/T$, so "
        rf"that the estimate sums to {wrong[t]} $v(\mathcal M)$ at $T={t}$, off the hyperplane, "
        f"although every iterate is on it. Its expected squared error is up to {show(ratios[t])} "
        f"times that of the mean at $T={t}$, and at most {ratios[late]:.4f} times at $T={late}$. "
        "The printed bound on the error holds for it nevertheless, and the online average of the "
        "authors' public code divides by the number of terms."
    )
