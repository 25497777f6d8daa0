"""Evidence on claim 6d: a step that needs neither ball nor constants, and its bound."""

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.constants import settings_of
from shapaudit_papers.theory.recursion import Residuals, errors_from_moments, gradient_moments
from shapaudit_papers.theory.sharper import (
    offset_rate,
    offset_steps,
    start_objective_bound,
    uniform_sizes_rate,
)

from .settings import HORIZON, compare


def gather_offset(context: Context) -> Evidence:
    """Exact errors of the last iterate on the hyperplane, sizes uniform, step 1/(mu (t + t_0))."""
    series = []
    times = np.arange(HORIZON + 1)
    for study_game in context.study_games():
        d = study_game.n_players
        sizes = np.full(d - 1, 1 / (d - 1))
        steps = offset_steps(sizes, HORIZON)
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1):
            for choice, setting in settings_of(game, truth):
                if choice != "public":
                    continue
                moments = gradient_moments(Residuals.of_game(game.values, truth), sizes)
                errors = errors_from_moments(moments, steps)
                objective = start_objective_bound(d, setting.total, setting.bound)
                bounds = {
                    "of the game": offset_rate(times, sizes, moments.start, moments.noise),
                    "in advance": uniform_sizes_rate(times, d, objective),
                }
                series += [
                    {"game": study_game.name, "explicand": explicand, "bound": kind}
                    | compare(errors, bound, setting.bound)
                    for kind, bound in bounds.items()
                ]
    return {"series": series}
