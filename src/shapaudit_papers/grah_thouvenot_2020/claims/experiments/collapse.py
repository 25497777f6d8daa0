"""Claim 20: the Shapley values of the radial regression at d = 300."""

import numpy as np

from shapaudit.statistics.limits import bootstrap, clopper_pearson
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.experiments.collapse import gather_radial
from ..common import BOTH, claim

SMALL = 1e-6  # of values that sum to 1 in the classification


def _sizes(series, alpha):
    """Rows by d on norms and totals, and limits of the share of norms below `SMALL`."""
    rows, limits = [], []
    for d, values in series.items():
        norms = values["log_norm"]
        name, count = f"share of norms below {SMALL:g}, d = {d}", (norms < np.log(SMALL)).sum()
        below = clopper_pearson(name, int(count), len(norms), alpha)
        limits.append(below)
        rows.append(
            {
                "players": d,
                "explicands": len(norms),
                "median_norm": np.exp(np.median(norms)),
                "median_total": np.exp(np.median(values["log_total"])),
                "share_below": below.estimate,
                "share_low": below.low,
                "share_high": below.high,
                "log_norm_per_player": norms.mean() / d,
                "log_total_per_player": values["log_total"].mean() / d,
            }
        )
    return rows, limits


def check_collapse(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if at the largest d most norms are small and norms shrink with d.

    Most: the lower limit of the share below 1e-6 exceeds one half. Refuted if the upper limit
    does not reach it, or if the mean logarithm of the norm grows between the smallest d and the
    largest.
    """
    series = evidence["series"]
    first, last = min(series), max(series)
    share = alpha / (len(series) + 1)
    rows, limits = _sizes(series, share)
    few, many = series[first]["log_norm"], series[last]["log_norm"]
    explicands = min(len(few), len(many))
    changes = (many[:explicands] - few[:explicands]) / (last - first)
    slope = bootstrap("change of log norm per player", changes, share)
    numbers = {
        "rate_of_f": evidence["rate"],
        "rate_of_values": evidence["rate_values"],
        "slope": slope.estimate,
        "median_norm": rows[-1]["median_norm"],
        "share_below": rows[-1]["share_below"],
    }
    small = limits[-1]
    status = "supported" if small.low > 0.5 and slope.high < 0 else "inconclusive"
    if small.high <= 0.5 or slope.low > 0:
        status = "refuted"
    return Verdict(
        status,
        _told_collapse(rows, slope, numbers),
        numbers=numbers,
        limits=(*limits, slope),
        sample={"explicands": explicands, "dimensions": len(series)},
        rows=rows,
    )


def _told_collapse(rows, slope, numbers):
    first, last = rows[0], rows[-1]
    return (
        f"In exact values, the median norm is {show(first['median_norm'])} at "
        f"$d={first['players']}$ and {show(last['median_norm'])} at $d={last['players']}$, where "
        f"{_explicands_below(last['share_below'])} below {SMALL:g}. Its logarithm changes by "
        f"{show(slope.estimate)} per player ({show(slope.low)} to {show(slope.high)}). The model "
        rf"is a product with $\mathbb E\log\rho={show(numbers['rate_of_f'])}$, so that $f(x)$ "
        "decreases exponentially with $d$; its values decrease more slowly, at a rate that tends "
        f"to {show(numbers['rate_of_values'])}, because hybrids of $x$ and $r$ exceed both."
    )


def _explicands_below(share):
    return (
        "all explicands are"
        if share == 1
        else f"{show(100 * share)} per cent of the explicands are"
    )


CLAIMS = (
    claim(
        id="gt20-20a",
        title="Regression values collapse",
        heading="The experiments",
        topic="orderings",
        where=f"Section 5.2, Dimension 300, first paragraph; {BOTH}",
        words="Shapley Values collapse towards zero in the regression settings",
        statement=r"In the regression setting the Shapley values collapse towards zero at $d=300$.",
        hedges="Given as a reason, “Indeed”, without a measure.",
        gather=gather_radial,
        check=check_collapse,
        statistical=True,
    ),
)
