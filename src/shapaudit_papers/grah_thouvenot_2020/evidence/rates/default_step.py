"""Evidence on claim 8d: the step that is the default of the authors' code, in a later benchmark.

Chen, Covert, Lundberg & Lee 2023, Tables 2 to 7, list squared bias and variance of SGD-Shapley and
of KernelSHAP on three data sets. Their public code runs that of Grah & Thouvenot with what it does
by default: 0.1/sqrt(t) in the convention F / 2, coalitions drawn by L_i with D = C sqrt(d),
projection on the efficiency hyperplane alone, the mean of all iterates.
"""

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
import pandas as pd

from shapaudit.estimators import KernelSHAP
from shapaudit.estimators.sgd import default_rule
from shapaudit.samplers.gradients import DEFAULT_STEP
from shapaudit.samplers.random_games import sparse_game
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.default_step import default_sizes, expected_errors
from shapaudit_papers.theory.recursion import stability_limit

LATER = "chen_covert_lundberg_lee_2023"  # the benchmark that runs the default step
SIMULATED = 5_000  # samples, at most, up to which the published runs are repeated


def first_dimension(holds: Callable[[int], bool]) -> int:
    """The smallest d, from 3 on, for which a statement holds."""
    d = 3
    while not holds(d):
        d += 1
    return d


def published(context: Context) -> pd.DataFrame:
    """Squared bias plus variance by data set, players and samples; columns LS and LS_SGD."""
    table = pd.DataFrame(context.printed(LATER)).astype(
        {"players": int, "samples": int, "value": float}
    )
    table = table[table["method"].isin(["LS", "LS_SGD"])]
    keys = ["data", "players", "samples", "method"]
    return table.groupby(keys)["value"].sum().unstack("method").sort_index().reset_index()


def repeated_runs(
    n_players: int, samples: Iterable[int], trials: int, rng: np.random.Generator
) -> dict[int, float]:
    """Mean squared error of the default over KernelSHAP's, by samples, on one sparse game."""
    game = sparse_game(n_players, rng)
    truth = game.shapley_values()
    budgets = [count + 2 for count in samples]  # the benchmark leaves the end points out

    def mean_square(estimator, runs):
        errors = [
            [
                np.square(estimate.values - truth).sum()
                for estimate in estimator.trajectory(game, budgets, rng)
            ]
            for _ in range(runs)
        ]
        return np.mean(errors, axis=0)

    # KernelSHAP's mean square hardly varies: a tenth of the trials will do.
    ratios = mean_square(default_rule(), trials) / mean_square(KernelSHAP(), max(5, trials // 10))
    return dict(zip(samples, ratios.tolist(), strict=True))


def gather_default(context: Context) -> Evidence:
    """Published ratios, expected errors at the same numbers of samples, and repeated runs."""
    table, repetitions = published(context), context.settings.repetitions
    trials, most = max(10, repetitions // 40), min(SIMULATED, 10 * repetitions)
    rows = []
    for (d, data), part in table.groupby(["players", "data"]):
        counts = part["samples"].tolist()
        errors = expected_errors(d, max(counts))
        repeated = [count for count in counts if count <= most]
        runs = repeated_runs(d, repeated, trials, context.generator("gt20-08d", d))
        rows += [
            {
                "data": data,
                "players": d,
                "samples": cell.samples,
                "expected": errors[cell.samples],
                "published": cell.LS_SGD,
                "published_ratio": cell.LS_SGD / cell.LS,
                "simulated_ratio": runs.get(cell.samples, "not run"),
            }
            for cell in part.itertuples()
        ]
    return {"rows": rows, "trials": trials, **_thresholds(min(table["samples"]))}


@cache
def _thresholds(fewest_samples: int) -> Evidence:
    """Dimensions from which the default is above the limit, and expected to end above its start."""
    return {
        "first_above": first_dimension(lambda d: stability_limit(default_sizes(d)) < DEFAULT_STEP),
        "first_growing": first_dimension(
            lambda d: expected_errors(d, fewest_samples)[fewest_samples] > 1
        ),
    }
