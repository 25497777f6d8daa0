"""Evidence on claim 1.

Which estimator converges fastest on the benchmark's data, over many pairs.
"""

import numpy as np

from shapaudit.audit.context import Context, StudyGame
from shapaudit.audit.evidence import Evidence, sampled
from shapaudit.estimators import (
    AntitheticMonteCarlo,
    AnytimeEstimator,
    ComplementaryContributions,
    Estimator,
    FeaturewiseMultilinear,
    FeaturewiseOrder,
    KernelSHAP,
    MultilinearSampling,
    OptimisedMonteCarlo,
    PairedKernelSHAP,
    PlainMonteCarlo,
    PolynomialLeastSquares,
    QuasiRandomOrder,
    RandomMultilinear,
    StratifiedLeastSquares,
)
from shapaudit.estimators.sgd import default_rule
from shapaudit.games import Game

DATA = ("diabetes", "nhanes")  # of the claim; games of the study are known by these names
PER_PLAYER = (10, 30, 90)  # evaluations
RUNS, MORE_RUNS = 2, 12  # of the paper's estimators on each pair, and of those that come close
WINNER = "LS_ANTI"
CLOSE = (WINNER, "RO_ANTI", "ME_ANTI")
PAPER: dict[str, Estimator] = {
    WINNER: PairedKernelSHAP(),
    "LS": KernelSHAP(),
    "LS_SGD": default_rule(),
    "RO": OptimisedMonteCarlo(),
    "RO_ANTI": AntitheticMonteCarlo(),
    "ROF": PlainMonteCarlo(),
    "ROF_ADAPT": FeaturewiseOrder(antithetic=False, allocation="variance"),
    "ROF_ANTI": FeaturewiseOrder(),
    "ME": MultilinearSampling(),
    "ME_RAND": RandomMultilinear(),
    "ME_ANTI": MultilinearSampling(halved=True),
    "MEF": FeaturewiseMultilinear(),
    "MEF_RAND": FeaturewiseMultilinear(grid="random"),
    "MEF_ADAPT": FeaturewiseMultilinear(allocation="variance"),
    "MEF_ANTI": FeaturewiseMultilinear(halved=True),
}
SINCE: dict[str, Estimator] = {
    "Leverage SHAP": StratifiedLeastSquares(),
    "outer sizes in full": StratifiedLeastSquares("kernel", distinct=False),
    "order 3 polynomials": PolynomialLeastSquares(order=3),
    "complementary contributions": ComplementaryContributions(),
    "Sobol walks": QuasiRandomOrder(permutations="sobol"),
}


@sampled
def gather_errors(context: Context) -> Evidence:
    """Errors (pairs, methods, budgets) by game, and the budgets; `PAPER` and then `SINCE`.

    Means over runs, in units of the error of the equal split, so that no pair outweighs the others.
    """
    errors, budgets = {}, {}
    for study in context.games:
        affordable = affordable_budgets(study.n_players)
        if affordable and any(name in study.name for name in DATA):
            budgets[study.name] = affordable
            errors[study.name] = _errors(study, affordable, context)
    return {"errors": errors, "budgets": budgets}


def affordable_budgets(n_players: int) -> list[int]:
    """`PER_PLAYER` times the players, below the coalitions, which give the values exactly."""
    return [b * n_players for b in PER_PLAYER if b * n_players < 1 << n_players]


def _errors(study: StudyGame, budgets: list[int], context: Context) -> np.ndarray:
    rng = context.generator("ccll23-01", study.name)
    runs = [(one, MORE_RUNS if name in CLOSE else RUNS) for name, one in PAPER.items()]
    runs += [(one, 1) for one in SINCE.values()]
    return np.array(
        [
            [
                np.mean([_run(one, game, truth, budgets, rng) for _ in range(count)], axis=0) / unit
                for one, count in runs
            ]
            for game, truth in study.pairs()
            if (unit := np.linalg.norm(truth - truth.mean())) > 0
        ]
    )


def _run(method: Estimator, game: Game, truth: np.ndarray, budgets, rng) -> np.ndarray:
    """Errors (budgets,); estimators that keep no trajectory make a run for each."""
    if isinstance(method, AnytimeEstimator):
        found = method.trajectory(game, budgets, rng)
    else:
        found = [method.estimate(game, budget, rng) for budget in budgets]
    return np.linalg.norm([one.values - truth for one in found], axis=1)
