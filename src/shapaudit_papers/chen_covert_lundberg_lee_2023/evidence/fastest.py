"""Evidence on claim 1.

Which estimator converges fastest on the benchmark's data, over many explicands.
"""

import numpy as np

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
from shapaudit_audit.audit.context import Context, StudyGame
from shapaudit_audit.audit.evidence import Evidence, sampled
from shapaudit_papers.theory.benchmark import EXPECTED, expected_errors

from .common import SAMPLES, least_printed

DATA = ("diabetes", "nhanes")  # of the claim; games of the study are known by these names
PER_PLAYER = (10, 30, 90)  # evaluations
OWN_EXPLICANDS = 21  # of the paper's own games, on which runs are made
STILL = 1e-12  # of squared errors, for games of spread 1: what is below is rounding
LARGEST_GAME = 12  # players of the games whose expected errors are computed
RUNS, MORE_RUNS = 2, 12  # of the paper's estimators on each explicand, and of those that come close
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
    """Return errors (explicands, methods, budgets) by game, and the budgets.

    Methods are those of `PAPER` and then those of `SINCE`. Errors are means over runs in units
    of the error of the equal split, so that no explicand outweighs the others. Beside them are, by
    game of the paper's own model, the ratios of `expected_ratios`; and by data set the methods
    of least error in the columns of the printed tables.
    """
    errors, budgets, expected = {}, {}, {}
    for study in (*context.own, *context.games):
        affordable = affordable_budgets(study.n_players)
        if affordable and any(name in study.name for name in DATA):
            budgets[study.name] = affordable
            count = OWN_EXPLICANDS if study in context.own else None
            errors[study.name] = _errors(study, affordable, context, count)
            if study in context.own and study.n_players <= LARGEST_GAME:
                expected[study.name] = expected_ratios(study)
    best = {name: least_printed(context, name) for name in DATA}
    picked = [study.name for study in context.own]
    evidence = {"errors": errors, "budgets": budgets, "expected": expected}
    return evidence | {"best_printed": best, "picked": picked}


def expected_ratios(study: StudyGame) -> np.ndarray:
    """Return the largest ratio (explicands,) of the winner's expected squared error to a rival's.

    It is taken over the published numbers of samples and the methods in one stage, whose errors
    are known in closed form, those of least squares to first order.
    """
    return np.array(
        [_largest_ratio(game.values) for game, truth in study.explicands() if np.ptp(truth) > 0]
    )


def _largest_ratio(values: np.ndarray) -> float:
    ratios = []
    for samples in SAMPLES:
        own, *others = (
            expected_errors(values, name, samples).total
            for name in (WINNER, *(name for name in EXPECTED if name != WINNER))
        )
        # On an additive game nothing varies, and no method is faster than another.
        varies = min(others) > STILL * np.ptp(values) ** 2
        ratios.append(own / min(others) if varies else 1.0)
    return max(ratios)


def affordable_budgets(n_players: int) -> list[int]:
    """Return `PER_PLAYER` times the players where that is less than the number of coalitions."""
    return [b * n_players for b in PER_PLAYER if b * n_players < 1 << n_players]


def _errors(
    study: StudyGame, budgets: list[int], context: Context, count: int | None
) -> np.ndarray:
    rng = context.generator("ccll23-01", study.name)
    runs = [(estimator, MORE_RUNS if name in CLOSE else RUNS) for name, estimator in PAPER.items()]
    runs += [(estimator, 1) for estimator in SINCE.values()]
    return np.array(
        [
            [
                np.mean([_run(estimator, game, truth, budgets, rng) for _ in range(times)], axis=0)
                / unit
                for estimator, times in runs
            ]
            for game, truth in study.explicands(count)
            if (unit := np.linalg.norm(truth - truth.mean())) > 0
        ]
    )


def _run(method: Estimator, game: Game, truth: np.ndarray, budgets, rng) -> np.ndarray:
    """Return the errors (budgets,) of one run.

    Estimators that keep no trajectory make a run for each budget.
    """
    if isinstance(method, AnytimeEstimator):
        estimates = method.trajectory(game, budgets, rng)
    else:
        estimates = [method.estimate(game, budget, rng) for budget in budgets]
    return np.linalg.norm([estimate.values - truth for estimate in estimates], axis=1)
