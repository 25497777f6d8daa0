"""Evidence on claims 4g and 4h: what the choice of D does to the bounds, and what to the algorithm.

On the hyperplane, importance sampling depends on D/C through its size distribution alone: a mixture
of the one proportional to 1/(d - l), as D grows, and to 1/(sqrt(l) (d - l)), as D falls to 0. The
step 2 D/(B sqrt(t)) depends on D/C besides.
"""

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.gradients import second_moment
from shapaudit_papers.theory.recursion import (
    Residuals,
    errors_from_moments,
    gradient_moments,
    square_root_steps,
)

from ..rates.runs import CONSTANT_STEP
from ..rates.settings import RECURSION_ROUNDING

GRID = np.geomspace(0.01, 100, 33)  # of D/(C sqrt(d)); 1 is the authors' public code
STEPS = 1_000
EFFECTS = ("moment", "moment_at_start", "square_root", "constant")


def gather(context: Context) -> Evidence:
    """Return second moments of the projected gradient and exact errors as functions of D.

    They are in units of C squared, for every explicand, at ``least`` =


    phi*


    /(C sqrt(d)), the least D that holds phi*, and over the `GRID`: the moment at phi* and at
    phi_0, and the expected squared error after `STEPS` steps of 2 D/(B sqrt(t)), averaged, and
    of the constant step. Additive games are left out.
    """
    explicands = []
    for study_game in context.study_games():
        for explicand, (game, truth) in enumerate(study_game.explicands(), start=1):
            bound = float(np.abs(game.values - game.values[0]).max())
            if bound == 0 or not truth.any():
                continue
            d = len(truth)
            least = float(np.linalg.norm(truth)) / (bound * d**0.5)
            residuals = Residuals.of_game(game.values / bound, truth / bound)
            table = [_effects(residuals, d, ratio * d**0.5) for ratio in (least, *GRID)]
            if np.min(table) < RECURSION_ROUNDING**2:
                continue  # an additive game has no noise: rounding errors are all there is
            names = {"game": study_game.name, "explicand": explicand, "players": d, "least": least}
            explicands.append(names | dict(zip(EFFECTS, np.transpose(table), strict=True)))
    return {"explicands": explicands}


def _effects(residuals, d, ratio):
    """The `EFFECTS` at D/C = ``ratio``."""
    sizes = importance_sizes(d, ratio)
    moments = gradient_moments(residuals, sizes)
    steps = square_root_steps(d, ratio, STEPS)
    return (
        moments.noise,
        second_moment(residuals.at_start, sizes, projected=True),
        errors_from_moments(moments, steps, "uniform")[-1],
        errors_from_moments(moments, np.full(STEPS, CONSTANT_STEP), "last")[-1],
    )
