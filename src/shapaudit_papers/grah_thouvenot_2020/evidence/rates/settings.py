"""What the claims on rates share: constants of the games, exact error curves, looseness tables.

Exact curves come from the recursion of `theory.recursion`, on the efficiency hyperplane alone.
"""

from collections.abc import Callable

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.constants import Setting, settings_of
from shapaudit_papers.theory.recursion import Residuals, errors_from_moments, gradient_moments

HORIZON = 100_000  # steps up to which exact errors are compared with their bounds, each T
GRID = (1, 10, 100, 1_000, 10_000, 100_000)  # of these, those tabulated
RECURSION_ROUNDING = 1e-9  # relative; the recursion is in double precision


# Steps (T,), average, and bounds on E ||average - phi*||^2 (T + 1,), for t = 0, ..., T.
Curve = tuple[np.ndarray, str, np.ndarray]


def exact_series(context: Context, curve: Callable[[Setting], Curve]) -> list[Evidence]:
    """Return exact expected squared errors and a bound, for every explicand of the study's games.

    Sizes are drawn by importance sampling. ``smallest_ratio`` is the smallest bound over error
    for all T up to `HORIZON`, which occurs ``at``; ``violated`` counts the T with the error
    above the bound.
    """
    series = []
    for study_game in context.study_games():
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1):
            residuals = Residuals.of_game(game.values, truth)
            for choice, setting in settings_of(game, truth):
                sizes = importance_sizes(setting.n_players, setting.radius / setting.bound)
                steps, average, bounds = curve(setting)
                moments = gradient_moments(residuals, sizes)
                errors = errors_from_moments(moments, steps, average)
                names = {"game": study_game.name, "explicand": explicand, "radius": choice}
                series.append(names | compare(errors, bounds, setting.bound))
    return series


def compare(errors: np.ndarray, bounds: np.ndarray, scale: float) -> Evidence:
    """Return errors and bounds (T + 1,) at the `GRID`, and where they come closest from T = 1 on.

    Errors are in units of ``scale`` squared.
    """
    ratios = bounds[1:] / np.maximum(errors[1:], np.finfo(float).tiny)
    grid = [t for t in GRID if t < len(errors)]
    broken = np.flatnonzero(ratios < 1 - RECURSION_ROUNDING)
    return {
        "steps": grid,
        "errors": (errors[grid] / scale**2).tolist(),
        "ratios": ratios[[t - 1 for t in grid]].tolist(),
        "smallest_ratio": float(ratios.min()),
        "at": int(ratios.argmin()) + 1,
        "violated": len(broken),
        "first_violated": int(broken[0]) + 1 if len(broken) else 0,
        "last_violated": int(broken[-1]) + 1 if len(broken) else 0,
    }
