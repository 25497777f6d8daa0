"""Evidence on claim 6, in exact terms: the rate 1/T as printed, and without the ball.

Section 4.1 says that a small learning rate does without the ball, and not how small.
"""

from math import log10

import numpy as np

from shapaudit.estimators.projections import project_intersection
from shapaudit.samplers.gradients import gradient_bound, importance_sizes, strong_convexity
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.bounds import inverse_rate
from shapaudit_papers.theory.constants import Setting
from shapaudit_papers.theory.least_squares import LeastSquaresProblem
from shapaudit_papers.theory.recursion import (
    averaging_rates,
    inverse_steps,
    log_amplification,
    stability_limit,
)

from ..quadratic.strong_convexity import AND_GAME
from .constant import constant_series
from .settings import HORIZON, Curve, exact_series

LONGEST = 10_000  # steps within which the path must leave the bound


def gather_path(context: Context) -> Evidence:
    """Return the path on which the same coalition of the two-player AND game is always drawn.

    C = 1 and D = sqrt(2), step 2/(mu (t + 1)), projection on K; up to the first T at which F -
    F* of the weighted average exceeds 2 B^2/(mu T).
    """
    problem = LeastSquaresProblem(AND_GAME)
    d, radius = problem.n_players, problem.n_players**0.5
    lowest = problem.objective(shapley_values(AND_GAME))
    scale = 2 * gradient_bound(d, radius, 1.0) ** 2 / strong_convexity(d)
    phi = mean = np.full(d, float(problem.total) / d)
    x, reward = np.array([1.0, 0.0]), float(AND_GAME[1])
    factor = 2.0  # 2 w / p, w = p = 1/2
    rates = averaging_rates("weighted", LONGEST)
    for t, (step, rate) in enumerate(zip(inverse_steps(d, LONGEST), rates, strict=True), start=1):
        moved = phi - step * factor * (x @ phi - reward) * x
        phi = project_intersection(moved, float(problem.total), radius)
        mean = mean + rate * (phi - mean)
        gap = float(problem.objective(rationals(mean.tolist())) - lowest)
        if gap > scale / t:
            break
    return {
        "players": d,
        "steps": t,
        "gap": gap,
        "bound": scale / t,
        "log10_probability": -t * log10(2),
    }


def inverse_curve(setting: Setting) -> Curve:
    """Step 2/(mu (t + 1)), weighted average, 4 kappa^2/T."""
    bounds = np.full(HORIZON + 1, np.inf)
    bounds[1:] = inverse_rate(np.arange(1, HORIZON + 1), setting.kappa)
    return inverse_steps(setting.n_players, HORIZON), "weighted", bounds


def gather_without_ball(context: Context) -> Evidence:
    """Return exact errors on the hyperplane, 4 kappa^2/T, and the effect of the first steps.

    Those of constant steps below 1/mu stand beside them.
    """
    unstable = []
    for d in sorted({game.n_players for game in context.study_games()}):
        sizes = importance_sizes(d, d**0.5)
        logs = log_amplification(sizes, inverse_steps(d, HORIZON))
        unstable.append(
            {
                "players": d,
                "limit": stability_limit(sizes),
                "peak_at": int(logs.argmax()) + 1,
                "log10_amplification": float(logs.max()),
            }
        )
    series = exact_series(context, inverse_curve)
    return {"series": series, "unstable": unstable, "constant": constant_series(context)}
