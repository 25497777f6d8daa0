"""Claim 8d: the step that is the default of the authors' code, in a later benchmark.

Chen, Covert, Lundberg & Lee 2023, Tables 2 to 7, list squared bias and variance of SGD-Shapley and
of KernelSHAP on three data sets. Their public code runs that of Grah & Thouvenot with what it does
by default: 0.1/sqrt(t) in the convention F / 2, coalitions drawn by L_i with D = C sqrt(d),
projection on the efficiency hyperplane alone, the mean of all iterates.
"""

import numpy as np

from shapaudit.samplers.gradients import DEFAULT_STEP
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict
from shapaudit_papers.theory.default_step import default_sizes, default_steps
from shapaudit_papers.theory.recursion import log_amplification, stability_limit

from ...evidence.rates.default_step import gather_default
from ..common import claim

DIVERGED = 100.0  # times KernelSHAP's squared error: ten times its error
CERTAIN = 22  # the first d with d/(d - 1)^2, the largest limit, below the default step


def _of_data(rows: list[Evidence]) -> Evidence:
    """What is said of one data set."""
    d = rows[0]["players"]
    sizes, steps = default_sizes(d), default_steps(max(row["samples"] for row in rows))
    limit = stability_limit(sizes)
    simulated = [
        abs(np.log10(row["simulated_ratio"] / row["published_ratio"]))
        for row in rows
        if row["simulated_ratio"] != "not run"
    ]
    return {
        "players": d,
        "step_over_limit": DEFAULT_STEP / limit,
        "steps_above_limit": int((steps > limit).sum()),
        "log10_amplification": max(0.0, float(log_amplification(sizes, steps).max())),
        "expected": max(row["expected"] for row in rows),
        "published": max(row["published_ratio"] for row in rows),
        "decades_apart": max(simulated),
    }


def check_default(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the default exceeds the limit from a d on that is no more than `CERTAIN`.

    From there on it does under any distribution of sizes, by the report. Published errors beside
    the expected error, exactly, on an additive game are shown and decide nothing: `DIVERGED` was
    chosen with the numbers in view. Nor do the repeated runs.
    """
    rows, trials = evidence["rows"], evidence["trials"]
    names = [name for _, name in sorted({(row["players"], row["data"]) for row in rows})]
    of_data = {name: _of_data([row for row in rows if row["data"] == name]) for name in names}
    odd = [
        name
        for name, ratios in of_data.items()
        if (ratios["expected"] > 1) != (ratios["published"] > DIVERGED)
    ]
    numbers = {key: evidence[key] for key in ("first_above", "first_growing")}
    numbers |= {
        f"{name}_{key}": part for name, ratios in of_data.items() for key, part in ratios.items()
    }
    numbers["decades_apart"] = max(ratios["decades_apart"] for ratios in of_data.values())
    numbers["data_at_odds"] = len(odd)
    fits = f"At odds with that: {', '.join(odd)}." if odd else "No data are at odds with that."
    return tell(
        "proved" if evidence["first_above"] <= CERTAIN else "refuted",
        {
            "refuted": f"The default is within the limit up to $d={evidence['first_above'] - 1}$.",
            "proved": f"{_told(numbers, of_data)} One would expect errors far above those of "
            f"KernelSHAP, say {DIVERGED:g} times as large, if the error has grown, and only then. "
            f"{fits} This was observed in the published numbers before it was formulated, and "
            f"three data sets do not provide a test; nor do {trials} runs on one generated game "
            "with as many players, which differ from the published ratios by up to a factor of "
            f"{show(10 ** numbers['decades_apart'])}.",
        },
        shown_by={"proved": "prop:stability"},
        numbers=numbers,
        sample={"data": len(of_data), "trials": trials},
        rows=rows,
    )


def _told(numbers, of_data):
    listed = "; ".join(
        f"{name} ($d={ratios['players']}$) {show(ratios['step_over_limit'])} times the limit, "
        f"expected error up to {show(ratios['expected'])} of its start, "
        f"published {show(ratios['published'])} times KernelSHAP's"
        for name, ratios in of_data.items()
    )
    return (
        f"The default is above the limit from $d={numbers['first_above']}$ onwards, and from "
        f"$d={numbers['first_growing']}$ onwards the fewest samples of the benchmark leave the "
        f"expected squared error above that of the start. At most: {listed}."
    )


CLAIMS = (
    claim(
        id="gt20-08d",
        title="The default step and many players",
        heading="Rates in expectation",
        topic="rates",
        where="default of the authors' public code; Chen et al. 2023, Tables 2 to 7, LS_SGD",
        statement=r"The default step of the authors' code, $0.05/\sqrt t$ for $F$, starts "
        r"above the stability limit without the ball for all but few players.",
        gather=gather_default,
        check=check_default,
        source="this project",
    ),
)
