"""Evidence on claim 2: adaptive sampling where many players contribute nothing."""

import numpy as np

from shapaudit.estimators import (
    AntitheticMonteCarlo,
    AnytimeEstimator,
    Estimator,
    FeaturewiseMultilinear,
    FeaturewiseOrder,
    OptimisedMonteCarlo,
    PairedKernelSHAP,
)
from shapaudit.games import Game, PaddedGame, tabulate
from shapaudit.samplers.random_games import sparse_game
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import PLAYERS, least_printed

RELEVANT = PLAYERS["diabetes"]
NULL = (0, 30, 100)  # players that never contribute, beside the relevant ones
BUDGETS = (1_000, 2_000, 4_000, 8_000)
PAIRED = "paired KernelSHAP"
ADAPTIVE: dict[str, Estimator] = {
    "adaptive IME": FeaturewiseOrder(antithetic=False, allocation="variance"),
    "adaptive multilinear": FeaturewiseMultilinear(allocation="variance"),
}
RIVALS: dict[str, Estimator] = {
    "walks": OptimisedMonteCarlo(),
    "antithetic walks": AntitheticMonteCarlo(),
    PAIRED: PairedKernelSHAP(),
}


@sampled
def gather_errors(context: Context) -> Evidence:
    """Return errors (games, methods, budgets) over that of the equal split, by null players.

    Beside them is the method of least error in each column of the printed tables on the blog
    data.
    """
    count = max(MINIMUM_UNITS, context.settings.interaction_games // 4)
    errors = {null: errors_with(context, null, count) for null in NULL}
    return {"errors": errors, "best_printed": least_printed(context, "blog")}


def errors_with(context: Context, null: int, count: int) -> np.ndarray:
    """Return errors (count, methods, budgets) of games that share the relevant part."""
    rows = []
    for k in range(count):
        core = sparse_game(RELEVANT, context.generator("ccll23-02", k))
        truth = core.shapley_values()
        unit = np.linalg.norm(truth - truth.mean())
        game, truth = PaddedGame(tabulate(core), null), np.append(truth, np.zeros(null))
        rng = context.generator("ccll23-02", k, "null", null)
        methods = [*ADAPTIVE.values(), *RIVALS.values()]
        rows.append([np.linalg.norm(_runs(m, game, rng) - truth, axis=1) / unit for m in methods])
    return np.array(rows)


def _runs(method: Estimator, game: Game, rng: np.random.Generator) -> np.ndarray:
    """Return estimates (budgets, d) of one run.

    Methods that keep no trajectory make an independent run for each budget.
    """
    if isinstance(method, AnytimeEstimator):
        estimates = method.trajectory(game, BUDGETS, rng)
    else:
        estimates = [method.estimate(game, budget, rng) for budget in BUDGETS]
    return np.array([estimate.values for estimate in estimates])
