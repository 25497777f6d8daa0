"""Evidence on claim 2: Leverage SHAP against KernelSHAP at equal evaluations."""

import numpy as np

from shapaudit.estimators import Estimator, KernelSHAP, PairedKernelSHAP
from shapaudit.estimators.least_squares import StratifiedLeastSquares
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

CHALLENGER = StratifiedLeastSquares("leverage", paired=True, distinct=True)
PACKAGE = "scheme of the shap package"
RIVALS: dict[str, Estimator] = {
    PACKAGE: StratifiedLeastSquares("kernel", paired=True, distinct=False),
    "paired KernelSHAP": PairedKernelSHAP(),
    "KernelSHAP": KernelSHAP(),
}
PER_PLAYER = (5, 10, 20)  # evaluations per player; the paper's figures have 5 and 10 among them
RUNS = 3


@sampled
def gather_errors(context: Context) -> Evidence:
    """Mean errors (explicands, budgets, 1 + rivals), Leverage SHAP first, by game."""
    errors = {}
    for study in context.study_games():
        d = study.n_players
        rng = context.generator("field26-02", study.name)
        errors[study.name] = np.array(
            [
                [
                    [
                        np.mean([_error(estimator, game, truth, b * d, rng) for _ in range(RUNS)])
                        for estimator in (CHALLENGER, *RIVALS.values())
                    ]
                    for b in PER_PLAYER
                ]
                for game, truth in study.explicands()
            ]
        )
    return {"errors": errors}


def _error(estimator, game, truth, budget, rng):
    return np.linalg.norm(estimator.estimate(game, budget, rng).values - truth)
