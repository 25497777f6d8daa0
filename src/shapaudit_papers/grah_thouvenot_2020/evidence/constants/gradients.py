"""Evidence on claim 4.

The bounds on the second moment of the stochastic gradient, and their looseness.
"""

import numpy as np

from shapaudit.samplers import binomial_sizes
from shapaudit.samplers.gradients import gradient_bound, importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions
from shapaudit_papers.theory.bounds import uniform_gradient_bound
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.gradients import second_moment, squares_by_size
from shapaudit_papers.theory.least_squares import Weight

MOMENT_ROUNDING = 1e-9  # relative; enumeration is in double precision


def gather_largest(context: Context, weight: Weight = kernel_weight) -> Evidence:
    """w_l and l, exactly, for every size of every d: L_l / 2n = w_l (D l + C sqrt(l))."""
    dimensions = exact_dimensions(context)
    return {
        "max_dimension": dimensions[-1],
        "weights": {d: [weight(d, size) for size in range(1, d)] for d in dimensions},
    }


def second_moments(context: Context, sampling: str) -> Evidence:
    """Return bound and exact second moment at phi_0 and phi*, for each game of the study.

    C = max |v(S) - v(empty)|, and D = C sqrt(d) as in the authors' public code ("public"), or D =
    ||phi*||, the smallest that the paper allows ("tight").
    """
    rows = []
    for study_game in context.study_games():
        d = study_game.n_players
        for explicand, (game, truth) in enumerate(study_game.explicands()):
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
                            "explicand": explicand,
                            "radius": choice,
                            "point": name,
                            "inside": bool(np.linalg.norm(phi) <= radius * (1 + MOMENT_ROUNDING)),
                            "bound": bound,
                            "moment": second_moment(squares[name], sizes),
                            "projected": second_moment(squares[name], sizes, True),
                        }
                    )
    return {"sampling": sampling, "rows": rows}


def gather_uniform_moments(context: Context) -> Evidence:
    """`second_moments` under uniform sampling."""
    return second_moments(context, "uniform")


def gather_importance_moments(context: Context) -> Evidence:
    """`second_moments` under importance sampling."""
    return second_moments(context, "importance")
