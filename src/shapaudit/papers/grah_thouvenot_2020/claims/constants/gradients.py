"""Claim 4: the bounds on the second moment of the stochastic gradient, and their looseness."""

import numpy as np

from shapaudit.audit.base import ClaimError, Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.statistics.limits import median_with_limits

from ...evidence.constants.gradients import (
    ROUNDING,
    gather_importance_moments,
    gather_largest,
    gather_uniform_moments,
)
from ..common import BOTH, claim


def check_largest(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the factors of D and of C are both largest at l = d - 1, where w = 1/d.

    L is linear in (D, C): it is largest at d - 1 for all D, C exactly when each factor is.
    """
    numbers = {"max_dimension": evidence["max_dimension"]}
    for d, weights in evidence["weights"].items():
        last = weights[-1]
        for size, w in enumerate(weights, start=1):
            if w * size > last * (d - 1) or w * w * size > last * last * (d - 1):
                return Verdict(
                    "refuted",
                    f"At d = {d}, the coalitions of size {size} have a larger L for some D, C.",
                    "false",
                    numbers,
                    rows=({"d": d, "size": size, "weight": w, "last_weight": last},),
                )
        if last * d != 1:
            return Verdict(
                "refuted",
                f"At d = {d} and size d - 1 the weight is {last}, not 1/d.",
                numbers=numbers,
                rows=({"d": d, "size": d - 1, "weight": last, "last_weight": last},),
            )
    return Verdict(
        "proved",
        f"Exact for every d from 2 to {evidence['max_dimension']} and all D and C at once. For "
        "all d: the weight of a size l is 1/d over a binomial coefficient, hence at most 1/d, "
        "which sizes 1 and d - 1 attain.",
        numbers=numbers,
        evidence="lem:weights",
    )


def check_moments(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any moment above its bound within the ball; else proved, with the looseness."""
    rows = evidence["rows"]
    inside = [row for row in rows if row["inside"]]
    if not inside:
        raise ClaimError("no game of the study has its points inside the ball of radius D.")
    pairs = len({(row["game"], row["pair"]) for row in rows})
    sample = {"pairs": pairs, "points": len(rows), "points_inside_the_ball": len(inside)}
    for row in inside:
        if row["moment"] > row["bound"] * (1 + ROUNDING):
            return Verdict(
                "refuted",
                f"On pair {row['pair'] + 1} of {row['game']}, at the {row['point']}, the second "
                f"moment is {show(row['moment'])}, above the bound {show(row['bound'])}.",
                sample=sample,
                rows=(row,),
            )
    table, limits = _looseness(inside, alpha)
    low = min(row["median_ratio"] for row in table)
    high = max(row["median_ratio"] for row in table)
    projected = max(row["median_projected_ratio"] for row in table)
    outside = len(rows) - len(inside)
    remark = f" At {outside} other points the norm of phi exceeds D." if outside else ""
    return Verdict(
        "proved",
        "The printed chain of inequalities is a proof, and enumeration of all coalitions agrees "
        f"at {len(inside)} points of {pairs} games. The bound is loose: its median over pairs is "
        f"{show(low)} to {show(high)} times the true second moment, by game, point and radius, and "
        f"up to {show(projected)} times that of the gradient projected on the hyperplane.{remark}",
        numbers={
            "smallest_median_ratio": low,
            "largest_median_ratio": high,
            "largest_median_projected_ratio": projected,
        },
        limits=limits,
        sample=sample,
        rows=table,
    )


def _looseness(rows, alpha):
    """Median and range of bound/moment by game, radius and point, with limits over pairs."""
    groups = {}
    for row in rows:
        groups.setdefault((row["game"], row["radius"], row["point"]), []).append(row)
    table, limits = [], []
    for (game, radius, point), members in groups.items():
        ratios = np.array([row["bound"] / row["moment"] for row in members if row["moment"]])
        projected = [row["bound"] / row["projected"] for row in members if row["projected"]]
        if len(ratios) == 0:
            continue
        limit = median_with_limits(f"{game}, {radius} radius, {point}", ratios, alpha)
        limits.append(limit)
        table.append(
            {
                "game": game,
                "radius": radius,
                "point": point,
                "pairs": len(ratios),
                "median_ratio": limit.estimate,
                "smallest_ratio": float(ratios.min()),
                "largest_ratio": float(ratios.max()),
                "median_projected_ratio": float(np.median(projected)),
            }
        )
    return tuple(table), tuple(limits)


WHERE = "Section 4.2, Upper bound B of stochastic gradient norm"

CLAIMS = (
    claim(
        id="gt20-04a",
        title="The largest L",
        heading="Gradients and constants",
        topic="identities",
        where=f"{WHERE}, below Equation (2); {BOTH}",
        words="L_it is maximum when the number of players is d-1 with w_it = 1/d",
        statement=r"$L_i=2nw_i\sqrt{l_i}\,(D\sqrt{l_i}+C)$ is largest for coalitions of "
        r"$d-1$ players, for which $w_i=1/d$.",
        gather=gather_largest,
        check=check_largest,
        falls="slip",
    ),
    claim(
        id="gt20-04b",
        title="Gradient bound under uniform sampling",
        heading="Gradients and constants",
        topic="rates",
        where=f"{WHERE}, display below Equation (2); {BOTH}",
        words="That is why: E[||grad g_it||^2] <= E[L_it^2] <= [2n sqrt(d-1)/d (sqrt(d-1) D + "
        "C)]^2",
        statement=r"$\mathbb E\|\nabla g_{i_t}\|^2\le\bigl[2n\frac{\sqrt{d-1}}{d}"
        r"(\sqrt{d-1}\,D+C)\bigr]^2$ for $i_t$ uniform.",
        gather=gather_uniform_moments,
        check=check_moments,
        stands="loose",
    ),
    claim(
        id="gt20-04c",
        title="Gradient bound under importance sampling",
        heading="Gradients and constants",
        topic="rates",
        where=f"{WHERE}, definition of B; {BOTH}",
        words="We have found an upper bound for the stochastic gradient norm: E_(it~p)[||(n "
        "p_it)^-1 grad g_it||^2] <= B^2",
        statement=r"$\mathbb E_{i_t\sim p}\|(np_{i_t})^{-1}\nabla g_{i_t}\|^2\le B^2=4\bigl["
        r"\sum_{l=1}^{d-1}\frac{d-1}{\sqrt l(d-l)}(\sqrt l\,D+C)\bigr]^2$ for "
        r"$p_i=L_i/\sum_jL_j$.",
        gather=gather_importance_moments,
        check=check_moments,
        stands="loose",
    ),
)
