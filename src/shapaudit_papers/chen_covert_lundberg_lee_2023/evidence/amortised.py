"""Evidence on claims 45 and 93: the optimum of amortised training."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np

from shapaudit.truth.rational import shapley_values, solve
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import (
    integer_games,
    random_integers,
    small_dimensions,
    vector_cases,
)
from shapaudit_papers.theory.least_squares import LeastSquaresProblem

LARGEST = 5
WALKED = 4  # players, at most, of the games whose draws are all enumerated
Optimum = Callable[[LeastSquaresProblem], np.ndarray]
Loss = Callable[[np.ndarray, np.ndarray], Fraction]


def constrained(problem: LeastSquaresProblem) -> np.ndarray:
    """Return the attributions (d,) of least loss among the normalised ones."""
    return problem.solution()


def free(problem: LeastSquaresProblem) -> np.ndarray:
    """Return the attributions (d,) of least loss without normalisation."""
    right = problem.coalitions.T @ (problem.weights * problem.rewards)
    return solve(problem.gram(), right)


def gather_optimum(context: Context, optimum: Optimum = constrained) -> Evidence:
    """Return the optimal attributions of a row and its Shapley values."""
    cases: list[Case] = []
    dimensions = small_dimensions(context, LARGEST)
    for label, _, values in integer_games(context, "ccll23-45a", dimensions=dimensions):
        cases += vector_cases(label, optimum(LeastSquaresProblem(values)), shapley_values(values))
    return {"cases": cases, "max_dimension": min(LARGEST, context.settings.brute_force_dimension)}


def gather_free(context: Context, optimum: Optimum = free) -> Evidence:
    """Return optimal attributions without normalisation, corrected by their gap over d.

    Beside them is the number of games in which they are not efficient.
    """
    cases: list[Case] = []
    off = games = 0
    dimensions = small_dimensions(context, LARGEST)
    for label, d, values in integer_games(context, "ccll23-45d", dimensions=dimensions):
        problem, truth = LeastSquaresProblem(values), shapley_values(values)
        attributions = optimum(problem)
        games += 1
        off += bool((attributions != truth).any())
        repaired = attributions + (problem.total - attributions.sum()) / d
        cases += vector_cases(label, repaired, truth)
    return {"cases": cases, "off": off, "games": games}


def kernel_losses(values: np.ndarray, given: np.ndarray) -> Fraction:
    """Return the mean squared error of sums of attributions (d,) over coalitions of the kernel."""
    problem = LeastSquaresProblem(values)
    residuals = problem.coalitions @ given - problem.rewards
    return (problem.weights * residuals**2).sum() / problem.weights.sum()


def walk_losses(values: np.ndarray, given: np.ndarray) -> Fraction:
    """Return the mean squared distance of attributions (d,) from a random order's contributions."""
    d = len(values).bit_length() - 1
    orders = list(permutations(range(d)))
    total = Fraction(0)
    for order in orders:
        members = 0
        for player in order:
            gain = values[members | 1 << player] - values[members]
            total += (given[player] - gain) ** 2
            members |= 1 << player
    return total / len(orders)


def semivalue_losses(values: np.ndarray, given: np.ndarray) -> Fraction:
    """Return the same for a contribution of each player to a coalition of uniform size."""
    d = len(values).bit_length() - 1
    total = Fraction(0)
    for player, members in product(range(d), range(1 << d)):
        if not members >> player & 1:
            gain = values[members | 1 << player] - values[members]
            weight = Fraction(1, d * comb(d - 1, members.bit_count()))
            total += weight * (given[player] - gain) ** 2
    return total


LOSSES: dict[str, Loss] = {
    "least squares": kernel_losses,
    "walks": walk_losses,
    "semivalues": semivalue_losses,
}


def steepness(name: str, d: int) -> Fraction:
    """Return how much the loss grows with the squared distance from the Shapley values."""
    if name != "least squares":
        return Fraction(1)
    return 1 / (2 * sum((Fraction(1, k) for k in range(1, d)), Fraction(0)))


def gather_losses(context: Context, losses: Mapping[str, Loss] = LOSSES) -> Evidence:
    """Return the excess loss of attributions and their squared distance from the Shapley values.

    The attributions are random and normalised. The loss is the expectation over the draws of
    training.
    """
    cases: list[Case] = []
    dimensions = small_dimensions(context, WALKED)
    for label, d, values in integer_games(context, "ccll23-93a", dimensions=dimensions):
        truth = shapley_values(values)
        drawn = random_integers(context, "ccll23-93a", "given", label, count=d)
        given = drawn + (values[-1] - values[0] - drawn.sum()) / d
        distance = ((given - truth) ** 2).sum()
        for name, loss in losses.items():
            more = loss(values, given) - loss(values, truth)
            cases.append(Case(f"{label}, {name}", more, steepness(name, d) * distance))
    return {"cases": cases, "max_dimension": min(WALKED, context.settings.brute_force_dimension)}
