"""Evidence on claim 7: the rate of the step 2 D/(B sqrt(t)), and its average."""

from fractions import Fraction

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.bounds import square_root_rate
from shapaudit_papers.theory.constants import Setting, settings_of
from shapaudit_papers.theory.recursion import (
    Residuals,
    errors_from_moments,
    gradient_moments,
    mean_factors,
    square_root_steps,
)

from .settings import HORIZON, Curve, exact_series

SHORT = (1, 10, 100, 1_000)  # T at which the printed sum is compared with the mean


def curve(setting: Setting) -> Curve:
    """Step 2 D/(B sqrt(t)), uniform average, 2 D B/(mu sqrt(T)) by claim 3: half of 4 D kappa."""
    bounds = np.full(HORIZON + 1, np.inf)
    t = np.arange(1.0, HORIZON + 1)
    bounds[1:] = square_root_rate(t, setting.kappa, setting.radius) / 2
    ratio = setting.radius / setting.bound
    return square_root_steps(setting.n_players, ratio, HORIZON), "uniform", bounds


def gather_rate(context: Context) -> Evidence:
    """Exact errors on the hyperplane against the printed bound on F."""
    return {"series": exact_series(context, curve)}


def gather_normalisation(context: Context) -> Evidence:
    """Sum of the T + 1 terms over T, against their mean: total and expected squared error.

    With m the mean, the printed vector is (1 + 1/T) m. All moments are exact.
    """
    rows = []
    for study_game in context.study_games():
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1):
            for choice, setting in settings_of(game, truth):
                d, ratio = setting.n_players, setting.radius / setting.bound
                steps = square_root_steps(d, ratio, max(SHORT))
                residuals = Residuals.of_game(game.values, truth)
                moments = gradient_moments(residuals, importance_sizes(d, ratio))
                errors = errors_from_moments(moments, steps, "uniform")
                factors = mean_factors(d, steps, "uniform")
                norm, total = float(truth @ truth), setting.total
                along = total**2 / d - norm  # <phi_0 - phi*, phi*>
                for t in SHORT:
                    scale = 1 + 1 / t
                    printed = (
                        scale**2 * errors[t] + 2 * scale / t * factors[t] * along + norm / t**2
                    )
                    rows.append(
                        {
                            "game": study_game.name,
                            "explicand": explicand,
                            "radius": choice,
                            "steps": t,
                        }
                        | {"mean": float(errors[t]), "printed": float(printed)}
                    )
    return {"rows": rows, "weights": {t: Fraction(t + 1, t) for t in SHORT}}
