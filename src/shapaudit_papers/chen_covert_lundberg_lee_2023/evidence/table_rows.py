"""Evidence on cells of Table 1: means and spreads of the model-agnostic methods."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from shapaudit.estimators import (
    ApproSemivalue,
    KernelSHAP,
    MultilinearSampling,
    OptimisedMonteCarlo,
    PlainMonteCarlo,
)
from shapaudit.estimators.base import Estimator
from shapaudit.estimators.sgd import default_rule
from shapaudit.games import TabularGame
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games, small_dimensions, vector_cases
from shapaudit_papers.theory.least_squares import LeastSquaresProblem

LARGEST = 5
PLAYERS, BUDGET = 8, 150  # of the game that spreads are looked at, below its 256 coalitions
STEP, STEPS = Fraction(1, 20), 2
# Methods of Table 1 that draw, by the row, with the estimator that is run here. Removals with noise
# of their own only add to it.
DRAWN: dict[str, Estimator] = {
    "ApproSemivalue": ApproSemivalue(),
    "ApproShapley": OptimisedMonteCarlo(),
    "IME, CES, cohort refinement, generative and surrogate models": PlainMonteCarlo(),
    "Multilinear extension sampling": MultilinearSampling(),
    "SGD-Shapley": default_rule(),
    "KernelSHAP, parametric and nonparametric": KernelSHAP(),
}

Mean = Callable[[np.ndarray], np.ndarray]


def walk_mean(values: np.ndarray) -> np.ndarray:
    """Return mean contributions (d,) along all permutations, the expectation of ApproShapley."""
    d = len(values).bit_length() - 1
    total, count = rationals([0] * d), 0
    for order in permutations(range(d)):
        members = 0
        for player in order:
            joined = members | 1 << player
            total[player] += values[joined] - values[members]
            members = joined
        count += 1
    return total / count


def subset_mean(values: np.ndarray) -> np.ndarray:
    """Return means over a uniform size and coalition of it, the expectation of ApproSemivalue."""
    d = len(values).bit_length() - 1
    means = rationals([0] * d)
    for player in range(d):
        by_size: dict[int, list] = {}
        for members in range(1 << d):
            if not members >> player & 1:
                gain = values[members | 1 << player] - values[members]
                by_size.setdefault(members.bit_count(), []).append(gain)
        means[player] = sum(sum(gains) / len(gains) for gains in by_size.values()) / d
    return means


MEANS: dict[str, Mean] = {"ApproShapley": walk_mean, "ApproSemivalue": subset_mean}


def gather_means(context: Context, means: dict[str, Mean] = MEANS) -> Evidence:
    """Return the expectations of two methods and the Shapley values."""
    cases: list[Case] = []
    dimensions = small_dimensions(context, LARGEST)
    for label, _, values in integer_games(context, "ccll23-34b", dimensions=dimensions):
        truth = shapley_values(values)
        for name, mean in means.items():
            cases += vector_cases(f"{label}, {name}", mean(values), truth)
    return {"cases": cases, "max_dimension": min(LARGEST, context.settings.brute_force_dimension)}


def expected_iterate(problem: LeastSquaresProblem) -> np.ndarray:
    """Return the mean (d,) of the iterates after `STEPS` steps, over all draws.

    The first iterate is the equal split.
    """
    coalitions, count = problem.coalitions, len(problem.coalitions)
    d = problem.n_players
    total = rationals([0] * d)
    for draws in product(range(count), repeat=STEPS):
        psi = rationals([problem.total / d] * d)
        for i in draws:
            residual = coalitions[i] @ psi - problem.rewards[i]
            moved = psi - STEP * count * 2 * problem.weights[i] * residual * coalitions[i]
            psi = moved + (problem.total - moved.sum()) / d
        total = total + psi
    return total / count**STEPS


def gather_descent(context: Context, expected=expected_iterate) -> Evidence:
    """Return the bias of stochastic gradients on small games, and the remaining bias of the start.

    Coalitions are drawn uniformly, and gradients are weighted so that their mean is that of F.
    """
    cases: list[Case] = []
    biased = games = 0
    for label, d, values in integer_games(context, "ccll23-41b", dimensions=(3,)):
        problem, truth = LeastSquaresProblem(values), shapley_values(values)
        bias = expected(problem) - truth
        start = rationals([problem.total / d] * d) - truth
        left = (1 - 2 * STEP * (1 - Fraction(1, d))) ** STEPS
        cases += vector_cases(label, bias, left * start)
        games += 1
        biased += bool((bias != 0).any())
    return {"cases": cases, "biased": biased, "games": games, "steps": STEPS}


def gather_spread(context: Context, drawn: dict[str, Estimator] = DRAWN) -> Evidence:
    """Return the largest difference between two runs of each method on a random game."""
    values = context.generator("ccll23-31c").normal(size=1 << PLAYERS)
    rows = []
    for row, estimator in drawn.items():
        budget = max(BUDGET, estimator.minimum_budget(PLAYERS))
        runs = [
            estimator.estimate(
                TabularGame(values), budget, context.generator("ccll23-31c", row, run)
            ).values
            for run in range(2)
        ]
        rows.append({"methods": row, "estimator": estimator.id, "evaluations": budget}
                    | {"difference": float(np.abs(runs[0] - runs[1]).max())})  # fmt: skip
    return {"rows": rows}
