"""Claim 4: the bounds on the second moment of the stochastic gradient, and their looseness."""

from functools import partial

import numpy as np

from ....samplers import binomial_sizes
from ....theory.bounds import uniform_gradient_bound
from ....theory.constants import gradient_bound, importance_sizes, kernel_weight
from ....theory.gradients import second_moment, squares_by_size
from ....theory.least_squares import Weight
from ...base import ClaimError, Evidence, Verdict
from ...context import Context
from ...exact import show
from ...limits import median_with_limits
from ..common import BOTH, claim

ROUNDING = 1e-9  # relative; enumeration is in double precision


def gather_largest(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """w_l and l, exactly, for every size of every d: L_l / 2n = w_l (D l + C sqrt(l))."""
    dimensions = range(2, context.settings.max_exact_dimension + 1)
    return {
        "max_dimension": dimensions[-1],
        "weights": {d: [weight(d, size) for size in range(1, d)] for d in dimensions},
    }


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
                "slip",
                numbers,
                rows=({"d": d, "size": d - 1, "weight": last, "last_weight": last},),
            )
    return Verdict(
        "proved",
        f"Exact for every d from 2 to {evidence['max_dimension']} and all D and C at once. For "
        "all d: the weight of a size l is 1/d over a binomial coefficient, hence at most 1/d, "
        "which sizes 1 and d - 1 attain.",
        "sound",
        numbers,
        evidence="lem:weights",
    )


def gather_moments(context: Context, sampling: str) -> Evidence:
    """Bound and exact second moment at phi_0 and phi*, for each game of the study.

    C = max |v(S) - v(empty)| and D = C sqrt(d) as in the authors' public code ("public"), or
    D = ||phi*||, the smallest that the paper allows ("tight").
    """
    rows = []
    for study_game in context.study_games():
        d = study_game.n_players
        for pair, (game, truth) in enumerate(study_game.pairs()):
            largest = float(np.abs(game.values - game.values[0]).max())
            if largest == 0:
                continue
            points = {
                "start": np.full(d, (game.values[-1] - game.values[0]) / d),
                "solution": truth,
            }
            squares = {name: squares_by_size(game.values, phi) for name, phi in points.items()}
            radii = {"public": largest * d**0.5, "tight": float(np.linalg.norm(truth))}
            for choice, radius in radii.items():
                if sampling == "uniform":
                    bound = uniform_gradient_bound(d, radius, largest)
                    sizes = binomial_sizes(d)
                else:
                    bound = gradient_bound(d, radius, largest) ** 2
                    sizes = importance_sizes(d, radius / largest)
                for name, phi in points.items():
                    rows.append(
                        {
                            "game": study_game.name,
                            "pair": pair,
                            "radius": choice,
                            "point": name,
                            "inside": bool(np.linalg.norm(phi) <= radius * (1 + ROUNDING)),
                            "bound": bound,
                            "moment": second_moment(squares[name], sizes),
                            "projected": second_moment(squares[name], sizes, True),
                        }
                    )
    return {"sampling": sampling, "rows": rows}


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
                "false",
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
        "loose",
        {
            "smallest_median_ratio": low,
            "largest_median_ratio": high,
            "largest_median_projected_ratio": projected,
        },
        limits,
        sample,
        table,
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


WHERE = f"Section 4.2, Upper bound B of stochastic gradient norm; {BOTH}"

CLAIMS = (
    claim(
        id="gt20-04a",
        title="The largest L",
        where=WHERE,
        statement=r"$L_i=2nw_i\sqrt{l_i}\,(D\sqrt{l_i}+C)$ is largest for coalitions of "
        r"$d-1$ players, for which $w_i=1/d$.",
        gather=gather_largest,
        check=check_largest,
    ),
    claim(
        id="gt20-04b",
        title="Gradient bound under uniform sampling",
        where=WHERE,
        statement=r"$\mathbb E\|\nabla g_{i_t}\|^2\le\bigl[2n\frac{\sqrt{d-1}}{d}"
        r"(\sqrt{d-1}\,D+C)\bigr]^2$ for $i_t$ uniform.",
        gather=partial(gather_moments, sampling="uniform"),
        check=check_moments,
    ),
    claim(
        id="gt20-04c",
        title="Gradient bound under importance sampling",
        where=WHERE,
        statement=r"$\mathbb E_{i_t\sim p}\|(np_{i_t})^{-1}\nabla g_{i_t}\|^2\le B^2=4\bigl["
        r"\sum_{l=1}^{d-1}\frac{d-1}{\sqrt l(d-l)}(\sqrt l\,D+C)\bigr]^2$ for "
        r"$p_i=L_i/\sum_jL_j$.",
        gather=partial(gather_moments, sampling="importance"),
        check=check_moments,
    ),
)
