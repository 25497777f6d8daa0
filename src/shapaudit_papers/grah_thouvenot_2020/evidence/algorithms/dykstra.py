"""Evidence on claim 14.

Where Dykstra's projection, Algorithm 2, stops, and when K is empty.
"""

import numpy as np

from shapaudit.estimators.projections import (
    dykstra,
    project_ball,
    project_hyperplane,
    project_intersection,
)
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.dykstra import stalling_mean

CAP, TOLERANCE = 100, 1e-6  # of the authors' public code, whose sets are those of the paper
STALL = {"phi": (6.0, -8.0), "total": 3.0, "radius": 5.0}  # all steps are exact in binary
EMPTY = {"phi": (4.0, 1.0), "total": 3.0, "radius": 1.0}
DIMENSIONS = (2, 4, 16, 64)
SPREAD = 2.0  # of the points found by root finding, in units of D


def run_trial(phi, total, radius, cap=CAP, tolerance=TOLERANCE):
    """Run Algorithm 2 on one point and compare it with the projection in closed form."""
    returned, passes = dykstra(phi, total, radius, cap, tolerance)
    error = np.linalg.norm(returned - project_intersection(phi, total, radius)) / radius
    return {"returned": returned, "passes": passes, "capped": passes == cap, "error": float(error)}


def gather_stop(context: Context) -> Evidence:
    """Return points at which two successive passes agree, in integers and by root finding."""
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


def project_on_nothing() -> Evidence:
    """Return the result of Algorithm 2 where v(M) exceeds D sqrt(d), so that K is empty."""
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
