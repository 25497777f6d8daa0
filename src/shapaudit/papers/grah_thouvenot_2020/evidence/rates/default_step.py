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

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence
from shapaudit.estimators import KernelSHAP, ProjectedSGD
from shapaudit.games import UnanimityGame
from shapaudit.samplers import uniform_subsets
from shapaudit.theory.constants import DEFAULT_STEP, importance_sizes
from shapaudit.theory.recursion import (
    GradientMoments,
    errors_from_moments,
    gradient_growth,
    stability_limit,
)

LATER = "chen_covert_lundberg_lee_2023"  # the benchmark that runs the default step
TERMS, LARGEST_TERM = 100, 5  # of the generated games; their trees are of depth 5
SIMULATED = 5_000  # samples up to which the published runs are repeated


def default_rule() -> ProjectedSGD:
    """Projected SGD as the authors' code runs it when nothing is set."""
    return ProjectedSGD(step="inverse-sqrt", scale=DEFAULT_STEP, average="uniform")


def default_sizes(n_players: int) -> np.ndarray:
    """Its size distribution (d - 1,)."""
    return importance_sizes(n_players, n_players**0.5)


def default_steps(count: int) -> np.ndarray:
    """Its steps (T,)."""
    return DEFAULT_STEP / np.sqrt(np.arange(1.0, count + 1))


def expected_errors(n_players: int, count: int) -> np.ndarray:
    """E ||average - phi*||^2 (T + 1,) on an additive game, exactly, with ||phi_0 - phi*|| = 1.

    Additive games have no noise: this is what the steps make of the start.
    """
    sizes = default_sizes(n_players)
    moments = GradientMoments(n_players, gradient_growth(sizes), 0.0, 0.0, 1.0)
    return errors_from_moments(moments, default_steps(count), "uniform")


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


def sparse_game(n_players: int, rng: np.random.Generator) -> UnanimityGame:
    """Interactions of 1 to 5 players with normal coefficients, as a sum of trees has them."""
    sizes = rng.integers(1, 1 + min(LARGEST_TERM, n_players), size=TERMS)
    return UnanimityGame(rng.standard_normal(TERMS), uniform_subsets(sizes, n_players, rng))


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
                np.square(one.values - truth).sum()
                for one in estimator.trajectory(game, budgets, rng)
            ]
            for _ in range(runs)
        ]
        return np.mean(errors, axis=0)

    # KernelSHAP's mean square hardly varies: a tenth of the trials will do.
    ratios = mean_square(default_rule(), trials) / mean_square(KernelSHAP(), max(5, trials // 10))
    return dict(zip(samples, ratios.tolist(), strict=True))


def gather_default(context: Context) -> Evidence:
    """Published ratios, expected errors at the same numbers of samples, and repeated runs."""
    table, trials = published(context), max(10, context.settings.repetitions // 40)
    rows = []
    for (d, data), part in table.groupby(["players", "data"]):
        counts = part["samples"].tolist()
        errors = expected_errors(d, max(counts))
        repeated = [count for count in counts if count <= SIMULATED]
        runs = repeated_runs(d, repeated, trials, context.generator("gt20-08d", d))
        rows += [
            {
                "data": data,
                "players": d,
                "samples": one.samples,
                "expected": errors[one.samples],
                "published": one.LS_SGD,
                "published_ratio": one.LS_SGD / one.LS,
                "simulated_ratio": runs.get(one.samples, "not run"),
            }
            for one in part.itertuples()
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
