"""Evidence on claim 12: what walks through permutations save and guarantee."""

from collections.abc import Mapping

import numpy as np

from shapaudit.estimators import Estimator, KernelSHAP, OptimisedMonteCarlo, PlainMonteCarlo
from shapaudit.estimators.base import UnitEstimator
from shapaudit.estimators.featurewise import FeaturewiseMultilinear
from shapaudit.estimators.multilinear import MultilinearSampling, RandomMultilinear
from shapaudit.estimators.sgd import default_rule
from shapaudit.games import CountedGame, TabularGame
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions
from shapaudit_papers.theory.random_order import walk_outcomes

COUNTED = ((2, 1), (2, 7), (5, 3), (10, 20))  # (d, permutations) of the counted runs
PLAYERS, PER_PLAYER = 5, 40  # of the games whose efficiency gaps are looked at; budget
# The four families of Figure 5 and SGD-Shapley, and which of them the paper says are efficient.
FAMILIES: dict[str, tuple[Estimator, bool]] = {
    "ApproShapley": (OptimisedMonteCarlo(), True),
    "KernelSHAP": (KernelSHAP(), True),
    "SGD-Shapley": (default_rule(), True),
    "IME": (PlainMonteCarlo(), False),
    "multilinear, fixed grid": (MultilinearSampling(), False),
    "multilinear, random q": (RandomMultilinear(), False),
    "multilinear by feature": (FeaturewiseMultilinear(), False),
}


def gather_counts(context: Context, walking: UnitEstimator | None = None) -> Evidence:
    """Return evaluations of IME and ApproShapley with equal permutations per player."""
    rows = []
    for d, permutations in COUNTED:
        rng = context.generator("ccll23-12", d, permutations)
        table = TabularGame(rng.standard_normal(1 << d))
        row = {"players": d, "permutations": permutations}
        walk: UnitEstimator = walking or OptimisedMonteCarlo()
        runs: dict[str, tuple[UnitEstimator, int]] = {
            "ime": (PlainMonteCarlo(), 2 * d),
            "appro_shapley": (walk, walk.unit_cost(d)),
        }
        for name, (estimator, cost) in runs.items():
            budget = estimator.fixed_cost + cost * permutations
            counted = CountedGame(table, budget)
            estimator.estimate(counted, budget, rng)
            row[name] = counted.evaluations
        rows.append(row)
    return {"rows": rows}


def gather_efficiency(context: Context, outcomes=walk_outcomes) -> Evidence:
    """Return sums of contributions along every permutation, v(D) - v(empty), and v(D)."""
    cases, outputs = [], []
    games = integer_games(context, "ccll23-12", dimensions=small_dimensions(context, 4))
    for label, _, values in games:
        for k, (_, contributions) in enumerate(outcomes(values)):
            name, total = f"{label}, permutation {k + 1}", contributions.sum()
            cases.append(Case(name, total, values[-1] - values[0]))
            outputs.append(Case(name, total, values[-1]))
    return {"cases": cases, "outputs": outputs}


def gather_gaps(
    context: Context, families: Mapping[str, tuple[Estimator, bool]] = FAMILIES
) -> Evidence:
    """Return the largest efficiency gap over

    v(D) - v(empty)

    on random games, by estimator.
    """
    rows = []
    budget = PER_PLAYER * PLAYERS
    for name, (estimator, promised) in families.items():
        gaps = []
        for k in range(context.settings.random_games):
            rng = context.generator("ccll23-12c", k)
            game = TabularGame(rng.standard_normal(1 << PLAYERS))
            total = game.values[-1] - game.values[0]
            gap = estimator.estimate(game, budget, rng).values.sum() - total
            gaps.append(abs(gap) / np.ptp(game.values))
        row = {"family": name, "said_to_be_efficient": promised}
        rows.append(row | {"smallest_gap": min(gaps), "largest_gap": max(gaps)})
    return {"rows": rows}
