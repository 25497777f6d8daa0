"""Claim 18 with the evaluations counted that the choice of a step takes."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.experiments.outperformance import WALK, gather_errors
from ..common import claim, named
from .outperformance import PUBLISHED, TUNED, compare, missing, not_run, nothing_ran, shown


def worth_it(row: Evidence, tuning: int) -> Evidence:
    """Return the row with the ratio of errors below which tuning pays over the row's explicands.

    The error of a walk is proportional to 1/sqrt(evaluations): to match the ratio rho at B
    evaluations it takes B/rho^2. With R evaluations of tuning, N explicands cost R + N B against N
    B / rho^2, which is less when rho < (1 + R / (N B))^(-1/2).
    """
    budget, explicands, low, high = (
        row[key] for key in ("evaluations", "explicands", "low", "high")
    )
    threshold = (1 + tuning / (explicands * budget)) ** -0.5
    saved = budget * (row["ratio"] ** -2 - 1)
    return row | {
        "tuning_evaluations": tuning,
        "threshold": threshold,
        "pays": "yes" if high < threshold else "no" if low > threshold else "undecided",
        "explicands_to_pay": tuning / saved if saved > 0 else "never",
    }


def check_tuning(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if the choice pays in every experiment and step rule, refuted if not in one."""
    experiments = {
        name: experiment
        for name, experiment in evidence["experiments"].items()
        if name in PUBLISHED
    }
    lacking = missing(experiments, [WALK, *TUNED])
    rows = [
        worth_it(row, experiments[row["experiment"]]["tuning"][row["method"]])
        for row in compare(experiments, TUNED, WALK, True, alpha)
    ]
    if not rows:
        return nothing_ran(lacking)
    counts = {word: sum(row["pays"] == word for row in rows) for word in ("yes", "no", "undecided")}
    status = "inconclusive" if lacking or counts["undecided"] else "supported"
    if counts["no"]:
        status = "refuted"
    return Verdict(
        status,
        _told(rows, counts) + not_run(lacking),
        "hypothesis" if counts["no"] and counts["yes"] else None,
        {f"pays_{word}": count for word, count in counts.items()},
        **shown(rows, alpha),
    )


def _told(rows, counts):
    parts = []
    for name in dict.fromkeys(row["experiment"] for row in rows):
        own = [row for row in rows if row["experiment"] == name]
        best = min(own, key=lambda row: row["ratio"])
        needed = best["explicands_to_pay"]
        explicands = "never" if needed == "never" else f"after {show(needed)} explicands"
        parts.append(
            f"{named(name)} {best['tuning_evaluations']:,} evaluations, paid back {explicands}"
        )
    return (
        "On other explicands, at the last budget, the selection of the better of two step rules "
        f"costs: {'; '.join(parts)}. It pays off over the {min(row['explicands'] for row in rows)} "
        f"explicands of an experiment in {counts['yes']} of {len(rows)} cases and does not in "
        f"{counts['no']}."
    )


CLAIMS = (
    claim(
        id="gt20-18c",
        title="The choice of the step pays",
        heading="The experiments",
        topic="orderings",
        where="Beside Section 5.2: steps are selected on out-of-experiment samples",
        statement="If the evaluations for choosing its step are included, projected SGD still "
        "needs fewer evaluations than optimised Monte Carlo for the same error on a typical "
        "explicand, over all explicands of the experiment.",
        matters="The evaluations for finding the step are part of the cost of the method; if they "
        "are included, the method rarely pays off.",
        gather=gather_errors,
        check=check_tuning,
        statistical=True,
        source="this project",
    ),
)
