"""Claim 4: the bounds on the second moment of the stochastic gradient, and their looseness."""

from functools import partial
from typing import Any

import numpy as np

from shapaudit.statistics.limits import median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.constants.gradients import (
    MOMENT_ROUNDING,
    gather_importance_moments,
    gather_largest,
    gather_uniform_moments,
)
from ...evidence.constants.improvement import gather_improvement
from ..common import BOTH, claim, grouped, required
from .improvement import check_improvement

DRAWN = {"uniform": "For coalitions drawn uniformly", "importance": "For importance sampling"}
OUTSIDE = "no game of the study has its points inside the ball of radius D."


def _faults(weights_of):
    """Per d the sizes with a larger L for some D, C than the last, and the last if it is not 1/d.

    L is linear in (D, C): it is largest at d - 1 for all D, C exactly when each factor is.
    """
    for d, weights in weights_of.items():
        last = weights[-1]
        for size, w in enumerate(weights, start=1):
            if w * size > last * (d - 1) or w * w * size > last * last * (d - 1):
                yield {"d": d, "size": size, "weight": w, "last_weight": last}
        if last * d != 1:
            yield {"d": d, "size": d - 1, "weight": last, "last_weight": last}


def _told_fault(row):
    d, size = row["d"], row["size"]
    if size == d - 1:
        return f"At $d={d}$ and size $d-1$ the weight is {row['weight']}, not $1/d$."
    return f"At $d={d}$, the coalitions of size {size} have a larger $L$ for some $D$ and $C$."


def check_largest(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the factors of D and of C are both largest at l = d - 1, where w = 1/d."""
    fault = next(_faults(evidence["weights"]), None)
    return tell(
        "refuted" if fault else "proved",
        {
            "proved": "$L$ is largest for coalitions of $d-1$ players: exactly so for every $d$ "
            f"from 2 to {evidence['max_dimension']} and for all $D$ and $C$ at once. For all "
            "$d$, the weight of a size $l$ is $1/d$ divided by a binomial coefficient, hence at "
            "most $1/d$, which sizes 1 and $d-1$ attain.",
            "refuted": lambda: _told_fault(fault),
        },
        "wrong" if fault and fault["size"] < fault["d"] - 1 else None,
        shown_by={"proved": "lem:weights"},
        numbers={"max_dimension": evidence["max_dimension"]},
        rows=[fault] if fault else [],
    )


def check_moments(drawn: str, evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a moment exceeds its bound within the ball; proved, and loosely so, otherwise.

    The looseness of the bound is shown as well. ``drawn`` is a key of `DRAWN`.
    """
    rows = evidence["rows"]
    inside = required([row for row in rows if row["inside"]], OUTSIDE)
    explicands = len({(row["game"], row["explicand"]) for row in rows})
    sample = {"explicands": explicands, "points": len(rows), "points_inside_the_ball": len(inside)}
    above = [row for row in inside if row["moment"] > row["bound"] * (1 + MOMENT_ROUNDING)]
    details: dict[str, Any] = {"rows": above[:1]} if above else _looseness(inside, alpha)
    details["rows"] = [{"drawn": drawn} | row for row in details["rows"]]
    return tell(
        "refuted" if above else "proved",
        {
            "refuted": lambda: _told_above(above[0]),
            "proved": lambda: _told_loose(DRAWN[drawn], sample, *details["numbers"].values()),
        },
        None if above else "loosely",
        shown_by={"proved": "prop:norms"},
        sample=sample,
        **details,
    )


def _told_above(row):
    return (
        f"On explicand {row['explicand'] + 1} of {row['game']}, at the {row['point']}, the second "
        f"moment is {show(row['moment'])}, above the bound {show(row['bound'])}."
    )


def _told_loose(drawn, sample, low, high, projected):
    inside = sample["points_inside_the_ball"]
    outside = sample["points"] - inside
    remark = rf" At {outside} other points the norm of $\phi$ exceeds $D$." if outside else ""
    return (
        f"{drawn} the printed chain of inequalities is a proof, and enumeration of all coalitions "
        f"agrees at {inside} points of {sample['explicands']} games. The bound is loose: by game, "
        f"point and radius, its median over explicands is {show(low)} to {show(high)} times the "
        f"true second moment, and up to {show(projected)} times that of the gradient projected on "
        f"the hyperplane.{remark}"
    )


def _looseness(rows, alpha):
    """Return median and range of bound/moment by game, radius and point, with limits."""
    table, limits = [], []
    for (game, radius, point), members in grouped(rows, "game", "radius", "point").items():
        ratios = np.array([row["bound"] / row["moment"] for row in members if row["moment"]])
        projected = [row["bound"] / row["projected"] for row in members if row["projected"]]
        if len(ratios) == 0:
            continue
        limit = median_with_limits(f"{game}, {radius} radius, {point}", ratios, alpha)
        limits.append(limit)
        table.append(
            {"game": game, "radius": radius, "point": point, "explicands": len(ratios)}
            | {"median_ratio": limit.estimate, "smallest_ratio": float(ratios.min())}
            | {"largest_ratio": float(ratios.max())}
            | {"median_projected_ratio": float(np.median(projected))}
        )
    medians = [row["median_ratio"] for row in table]
    numbers = {
        "smallest_median_ratio": min(medians),
        "largest_median_ratio": max(medians),
        "largest_median_projected_ratio": max(row["median_projected_ratio"] for row in table),
    }
    return {"numbers": numbers, "limits": limits, "rows": table}


WHERE = "Section 4.2, Upper bound B of stochastic gradient norm"

CLAIMS = (
    claim(
        id="gt20-04b",
        title="Bounds on the stochastic gradient",
        heading="Gradients and constants",
        topic="rates",
        where=f"{WHERE}, from below Equation (2) to the definition of B; {BOTH}",
        words="L_it is maximum when the number of players is d-1 with w_it = 1/d ... E[||grad "
        "g_it||^2] <= E[L_it^2] <= [2n sqrt(d-1)/d (sqrt(d-1) D + C)]^2 ... This upper bound can "
        "be improved by using Importance Sampling ... E_(it~p)[||(n p_it)^-1 grad g_it||^2] <= "
        "B^2 ... we have removed n from the previous upper bound of gradient norm",
        statement=r"$\mathbb E\|\nabla g_{i_t}\|^2\le\bigl[2n\frac{\sqrt{d-1}}{d}"
        r"(\sqrt{d-1}\,D+C)\bigr]^2$ for $i_t$ uniform, as "
        r"$L_i=2nw_i\sqrt{l_i}\,(D\sqrt{l_i}+C)$ is largest for coalitions of $d-1$ players, "
        r"with $w_i=1/d$; and "
        r"$\mathbb E_{i_t\sim p}\|(np_{i_t})^{-1}\nabla g_{i_t}\|^2\le B^2=4\bigl["
        r"\sum_{l=1}^{d-1}\frac{d-1}{\sqrt l(d-l)}(\sqrt l\,D+C)\bigr]^2$ for "
        r"$p_i=L_i/\sum_jL_j$, which is smaller and has no factor $n=2^d-2$.",
        hedges="For $C$ and $D$ above 0, values of the proper coalitions below $C$ in modulus, and "
        "iterates of norm at most $D$. The paper does not claim that importance sampling "
        "decreases the second moment itself.",
        matters="The bounds are true but far above the second moments, the uniform one thousands "
        "of times: they do not indicate how noisy the steps are, and rates that rest on them are "
        "equally pessimistic. The second is useful for choosing the distribution of the sizes.",
        gather=gather_uniform_moments,
        check=partial(check_moments, "uniform"),
        also=(
            (gather_importance_moments, partial(check_moments, "importance")),
            (gather_largest, check_largest),
            (gather_improvement, check_improvement),
        ),
        falls="slip",
    ),
)
