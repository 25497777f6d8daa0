"""Evidence on claim 4: the bias of KernelSHAP against what it buys."""

import numpy as np

from shapaudit.estimators import Estimator, KernelSHAP
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.pairing import draw_parts

KERNEL = KernelSHAP()
VARIANCE_ROUNDING = 1e-9  # a share of the variance below this is none
RUNS = 24
PER_PLAYER = (2, 4, 16)  # evaluations per player


@sampled
def gather_runs(context: Context, estimator: Estimator = KERNEL) -> Evidence:
    """Variance and mean squared error of KernelSHAP, in units that make explicands comparable.

    Arrays (explicands, budgets, 3) by game; the explicand is the unit. Variance and mean squared
    error are over the exact asymptotic variance, then the latter is over the exact variance of the
    unbiased version. The variance is that over independent runs, with its denominator less by one,
    so that its expectation has nothing of the bias. Explicands without a variance are left out.
    """
    runs = max(2, min(RUNS, context.settings.repetitions))
    moments = {}
    for study in context.study_games():
        rng = context.generator("field26-04", study.name)
        budgets = [b * study.n_players for b in PER_PLAYER]
        draws = np.array(budgets) - 2
        rows = []
        for game, truth in study.explicands():
            own, unbiased = (draw_parts(game.values, fitted=f).plain.sum() for f in (True, False))
            if own <= VARIANCE_ROUNDING * unbiased:
                continue
            errors = _errors(estimator, game, truth, budgets, runs, rng)
            variance = errors.var(axis=0, ddof=1).sum(axis=-1) * draws
            square = np.square(errors).sum(axis=-1).mean(axis=0) * draws
            rows.append(np.stack([variance / own, square / own, square / unbiased], axis=-1))
        moments[study.name] = np.array(rows)
    return {"moments": moments, "runs": runs}


def _errors(estimator, game, truth, budgets, runs, rng):
    """Errors (runs, budgets, d), the budgets of a run sharing its coalitions."""
    trajectories = [estimator.trajectory(game, budgets, rng) for _ in range(runs)]
    return np.array([[estimate.values for estimate in run] for run in trajectories]) - truth
