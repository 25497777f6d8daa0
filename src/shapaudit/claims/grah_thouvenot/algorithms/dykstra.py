"""Claim 14a and b: where Dykstra's projection, Algorithm 2, stops, and when K is empty."""

import numpy as np

from ....estimators.projections import (
    dykstra,
    project_ball,
    project_hyperplane,
    project_intersection,
)
from ....theory.dykstra import stalling_mean
from ...base import Evidence, Verdict
from ...context import Context
from ...exact import show
from ..common import BOTH, claim

CAP, TOLERANCE = 100, 1e-6  # of the authors' public code, whose sets are those of the paper
ACCURATE = 1e-3  # an error beyond this share of D counts as a wrong projection
STALL = {"phi": (6.0, -8.0), "total": 3.0, "radius": 5.0}  # all steps are exact in binary
EMPTY = {"phi": (4.0, 1.0), "total": 3.0, "radius": 1.0}
DIMENSIONS = (2, 4, 16, 64)
SPREAD = 2.0  # of the points found by root finding, in units of D


def run_trial(phi, total, radius, cap=CAP, tolerance=TOLERANCE):
    """Algorithm 2 and the closed form on one point."""
    returned, passes = dykstra(phi, total, radius, cap, tolerance)
    error = np.linalg.norm(returned - project_intersection(phi, total, radius)) / radius
    return {"returned": returned, "passes": passes, "capped": passes == cap, "error": float(error)}


def gather_stop(context: Context) -> Evidence:
    """Points at which two successive passes agree: one in integers, others by root finding."""
    settings = [(np.array(STALL["phi"]), STALL["total"], STALL["radius"], 0.0)]
    rng = context.generator("gt20-14a")
    for d in DIMENSIONS:
        direction = project_hyperplane(rng.standard_normal(d), 0.0)
        mean = stalling_mean(1.0, SPREAD, 1.0, d)
        phi = mean + direction * (SPREAD / np.linalg.norm(direction))
        settings.append((phi, 1.0, 1.0, TOLERANCE))
    trials = []
    for phi, total, radius, tolerance in settings:
        outcome = run_trial(phi, total, radius, tolerance=tolerance)
        given = {"phi": phi, "total": total, "radius": radius, "tolerance": tolerance}
        trials.append(given | outcome)
    return {"trials": trials}


def check_stop(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any stop before the cap at a point that is not the projection."""
    trials = evidence["trials"]
    keys = ("total", "radius", "tolerance", "passes", "error")
    rows = tuple({"players": len(one["phi"])} | {key: one[key] for key in keys} for one in trials)
    early = [one for one in trials if not one["capped"] and one["error"] > ACCURATE]
    numbers = {"trials": len(trials), "early_stops": len(early)}
    if not early:
        return Verdict(
            "supported",
            f"At all {len(trials)} points tried, a stop leaves the projection.",
            "sample",
            numbers,
            rows=rows,
        )
    first = min(early, key=lambda one: len(one["phi"]))  # the first of the shortest
    start, returned = (", ".join(map(show, first[key])) for key in ("phi", "returned"))
    norm = float(np.linalg.norm(first["returned"]))
    return Verdict(
        "refuted",
        f"From phi = ({start}) with v(M) = {show(first['total'])} and D = {show(first['radius'])}, "
        f"Algorithm 2 stops at pass {first['passes']} with ({returned}), of norm {show(norm)}: "
        f"outside the ball, and {show(first['error'])} D away from the projection. Two passes "
        "shrink phi alike though the iteration has not settled. Wherever v(M) is not 0 and the "
        "ball bites, some shift of phi along the all-ones vector does this; such points are a "
        "null set, so chance alone will hardly find them.",
        "false",
        {**numbers, "largest_error": max(one["error"] for one in early), "norm": norm},
        rows=rows,
    )


def gather_empty(context: Context) -> Evidence:
    """Algorithm 2 where v(M) exceeds D sqrt(d), so that K has no point."""
    phi = np.array(EMPTY["phi"])
    returned, passes = dykstra(phi, EMPTY["total"], EMPTY["radius"], CAP, TOLERANCE)
    return {
        "example": EMPTY,
        "returned": returned.tolist(),
        "passes": passes,
        "distance_to_ball": float(
            np.linalg.norm(returned - project_ball(returned, EMPTY["radius"]))
        ),
        "distance_to_hyperplane": float(
            np.linalg.norm(returned - project_hyperplane(returned, EMPTY["total"]))
        ),
    }


def check_empty(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when what is returned lies off the ball or off the hyperplane."""
    keys = ("distance_to_ball", "distance_to_hyperplane", "passes")
    numbers = {key: evidence[key] for key in keys}
    example = evidence["example"]
    if max(numbers["distance_to_ball"], numbers["distance_to_hyperplane"]) <= TOLERANCE:
        return Verdict(
            "supported",
            "The point returned lies in K.",
            "sample",
            numbers,
            rows=(numbers,),
        )
    return Verdict(
        "refuted",
        f"With d = {len(example['phi'])}, v(M) = {show(example['total'])} and "
        f"D = {show(example['radius'])}, no point sums to v(M) within the ball, and Algorithm 2 "
        f"returns, without notice, a point at distance {show(numbers['distance_to_ball'])} from "
        "the ball. The paper's condition that D is at least the norm of phi* excludes this, but "
        "phi* is what is sought; a check that D sqrt(d) is at least the modulus of v(M) is free.",
        "hypothesis",
        numbers,
        rows=(numbers,),
    )


CLAIMS = (
    claim(
        id="gt20-14a",
        title="Stopping rule of Algorithm 2",
        where=f"Section 4.1, Algorithm 2; {BOTH}",
        statement=r"When $\operatorname{Proj}_{K_1}(\beta_l+q_l)=\alpha_l$, $\alpha_l$ is the "
        r"orthogonal projection of $\phi_t$ onto $K=K_1\cap K_2$.",
        gather=gather_stop,
        check=check_stop,
    ),
    claim(
        id="gt20-14b",
        title="Algorithm 2 when K is empty",
        where="left out by the paper, whose Section 4.1 takes D to be at least the norm of phi*",
        statement=r"Algorithm 2 returns a point of $K=K_1\cap K_2$ for every $\phi_t$, "
        r"$v(\mathcal M)$ and $D>0$.",
        gather=gather_empty,
        check=check_empty,
        source="this project",
    ),
)
