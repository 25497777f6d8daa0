"""Claim 5d: convergence where the features are not too correlated."""

from math import log

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

SQUARE, NEAR = 2, 0.1  # an exponent, at the weakest correlations, and by how much it may be less


def check_weak(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if the variance of a lift vanishes with the correlation, like its square."""
    rows = evidence["rows"]
    problems = sorted({row["problem"] for row in rows})
    exponents, stays = [], 0
    for number in problems:
        own = [row for row in rows if row["problem"] == number]
        before, weakest, none = sorted(own, key=lambda row: -row["correlation"])[-3:]
        stays += none["relative_variance"] != 0
        ratios = (float(before[key] / weakest[key]) for key in ("relative_variance", "correlation"))
        exponents.append(log(next(ratios)) / log(next(ratios)))
    holds = not stays and min(exponents) > SQUARE - NEAR
    least = min(row["correlation"] for row in rows if row["correlation"])
    most = max(row["relative_variance"] for row in rows if row["correlation"] == least)
    return tell(
        "exact" if holds else "refuted",
        {
            "exact": f"On {len(problems)} random regressions with all orders of their features the "
            "variance of the lifts of a chain falls like the square of the correlation (an "
            f"exponent of at least {SQUARE - NEAR:g} counts as that) and is 0 without any. At a "
            f"correlation of {show(float(least))} it is at most {show(float(most))} times the "
            "squared norm of the attributions; the number of chains for a given relative error "
            "falls with it.",
            "refuted": "The variance of the lifts falls with the exponent "
            f"{show(min(exponents))} of the correlation, and stays in {stays} of {len(problems)} "
            "regressions without any.",
        },
        numbers={"problems": len(problems), "least_exponent": min(exponents)},
        rows=rows,
        reach=f"{len(problems)} regressions, all orders",
    )
