"""Evidence on claim 6c, continued: constant steps below 1/mu without the ball."""

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.bounds import constant_rate
from shapaudit_papers.theory.constants import Setting, settings_of
from shapaudit_papers.theory.recursion import (
    Residuals,
    errors_from_moments,
    gradient_moments,
    squared_factors,
    stability_limit,
)

from .runs import CONSTANT_STEP
from .settings import compare

SHORT_HORIZON = 10_000


def steps_tried(setting: Setting, limit: float) -> dict[str, float]:
    """Return constant steps by name; all but the published one scale with the problem."""
    return {
        "published": CONSTANT_STEP,
        "half the limit": limit / 2,
        "twice the limit": 2 * limit,
        "half of 1/mu": 0.5 / setting.mu,
    }


def _constant_series(setting, residuals):
    """Return exact errors of every constant step below 1/mu and the printed bound."""
    sizes = importance_sizes(setting.n_players, setting.radius / setting.bound)
    moments, limit = gradient_moments(residuals, sizes), stability_limit(sizes)
    times = np.arange(SHORT_HORIZON + 1)
    for choice, step in steps_tried(setting, limit).items():
        if step * setting.mu < 1:
            errors = errors_from_moments(moments, np.full(SHORT_HORIZON, step))
            bounds = constant_rate(times, step, setting.mu, setting.gradient_bound, setting.start)
            compared = compare(errors, bounds, setting.bound)
            yield {
                "choice": choice,
                "step": step,
                "limit": limit,
                "factor": float(squared_factors(sizes, step)),
                **{key: compared[key] for key in ("smallest_ratio", "violated", "first_violated")},
            }


def constant_series(context: Context) -> list[Evidence]:
    """Exact errors of constant steps on the hyperplane, D = C sqrt(d), for every explicand."""
    return [
        {"game": study_game.name, "explicand": explicand} | curve
        for study_game in context.study_games()
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1)
        for choice, setting in settings_of(game, truth)
        if choice == "public"
        for curve in _constant_series(setting, Residuals.of_game(game.values, truth))
    ]
