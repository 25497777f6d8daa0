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
from shapaudit.games import Game, PaddedGame, TabularGame, tabulate
from shapaudit.samplers.random_games import sparse_game
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import PLAYERS, printed_explicands, ranked_printed

RELEVANT = PLAYERS["diabetes"]
NULL = (0, 30, 100)  # players that never contribute, beside the relevant ones
BUDGETS = (1_000, 2_000, 4_000, 8_000)
AT, RUNS = 10_000, 40  # evaluations and runs on the printed explicand with zero features
PRINTED = {"MEF_ADAPT", "ROF_ADAPT"}  # the adaptive methods of the tables
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

    Beside them are, by game of the paper's own experiments, squared errors (runs, methods) on the
    printed pair without and with the most null players; and the places of the adaptive methods in
    the columns of the printed tables on the blog data that have them, by samples.
    """
    count = max(MINIMUM_UNITS, context.settings.interaction_games // 4)
    errors = {null: errors_with(context, null, count) for null in NULL}
    own = {
        name: {null: runs_with(context, name, values, null) for null in (NULL[0], NULL[-1])}
        for name, values in printed_explicands(context).items()
    }
    places = {
        samples: sorted(methods.index(name) + 1 for name in PRINTED)
        for samples, methods in ranked_printed(context, "blog").items()
        if set(methods) >= PRINTED
    }
    return {"errors": errors, "own": own, "places": places}


def runs_with(context: Context, name: str, values: np.ndarray, null: int) -> np.ndarray:
    """Return squared errors (runs, methods) on a table of values (2^d,) with null players."""
    truth = np.append(shapley_from_table(values), np.zeros(null))
    game = PaddedGame(TabularGame(values), null)
    rng = context.generator("ccll23-02c", name, null)
    methods = [*ADAPTIVE.values(), *RIVALS.values()]
    return np.array(
        [
            [np.square(method.estimate(game, AT, rng).values - truth).sum() for method in methods]
            for _ in range(RUNS)
        ]
    )


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
