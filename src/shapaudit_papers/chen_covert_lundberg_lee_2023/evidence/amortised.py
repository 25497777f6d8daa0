"""Evidence on claim 45: what FastSHAP is trained towards, and what training leaves."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np

from shapaudit.explainers.fast_shap import FastShap
from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table
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
PLAYERS, ROWS, NEW, RUNS = 5, 120, 40, 12
SETTINGS = {"removal": "baseline", "evaluations": 16, "epochs": 60, "hidden": (32,)}
Optimum = Callable[[LeastSquaresProblem], np.ndarray]
Loss = Callable[[np.ndarray, np.ndarray], Fraction]


def constrained(problem: LeastSquaresProblem) -> np.ndarray:
    """Attributions (d,) that are best among those that are normalised in training."""
    return problem.solution()


def free(problem: LeastSquaresProblem) -> np.ndarray:
    """Attributions (d,) that are best of all, as without normalisation."""
    right = problem.coalitions.T @ (problem.weights * problem.rewards)
    return solve(problem.gram(), right)


def gather_optimum(context: Context, optimum: Optimum = constrained) -> Evidence:
    """The best attributions of one row, and its Shapley values."""
    cases: list[Case] = []
    dimensions = small_dimensions(context, LARGEST)
    for label, _, values in integer_games(context, "ccll23-45a", dimensions=dimensions):
        cases += vector_cases(label, optimum(LeastSquaresProblem(values)), shapley_values(values))
    return {"cases": cases, "max_dimension": min(LARGEST, context.settings.brute_force_dimension)}


def gather_free(context: Context, optimum: Optimum = free) -> Evidence:
    """The best attributions without normalisation, less their gap over d; and how many are off."""
    cases: list[Case] = []
    off = games = 0
    dimensions = small_dimensions(context, LARGEST)
    for label, d, values in integer_games(context, "ccll23-45d", dimensions=dimensions):
        problem, truth = LeastSquaresProblem(values), shapley_values(values)
        found = optimum(problem)
        games += 1
        off += bool((found != truth).any())
        repaired = found + (problem.total - found.sum()) / d
        cases += vector_cases(label, repaired, truth)
    return {"cases": cases, "off": off, "games": games}


def kernel_losses(values: np.ndarray, given: np.ndarray) -> Fraction:
    """Mean squared error of sums of attributions (d,), coalitions drawn from the kernel."""
    problem = LeastSquaresProblem(values)
    residuals = problem.coalitions @ given - problem.rewards
    return (problem.weights * residuals**2).sum() / problem.weights.sum()


def walk_losses(values: np.ndarray, given: np.ndarray) -> Fraction:
    """Mean squared distance of attributions (d,) from the contributions along a random order."""
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
    """The same from a contribution of each player to a coalition of uniform size."""
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
    """What a squared distance of 1 from the Shapley values adds to the loss."""
    if name != "least squares":
        return Fraction(1)
    return 1 / (2 * sum((Fraction(1, k) for k in range(1, d)), Fraction(0)))


def gather_losses(context: Context, losses: Mapping[str, Loss] = LOSSES) -> Evidence:
    """How much more attributions lose than the Shapley values, and their squared distance.

    The attributions are random, and normalised; what they lose is of what training makes small in
    the mean over its draws.
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


def target(rows: np.ndarray) -> np.ndarray:
    """The model (m,): products and a kink."""
    return rows[:, 0] * rows[:, 1] + np.abs(rows[:, 2]) + 0.5 * rows[:, 3] - rows[:, 4] * rows[:, 0]


class TargetModel:
    """The target as a model."""

    n_features = PLAYERS

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,)."""
        return target(rows)


def gather_runs(context: Context, settings: dict = SETTINGS) -> Evidence:
    """Relative squared error of each training run on new rows, bias and variance over the runs.

    All runs have the same rows; what differs is where training starts and what it draws.
    """
    rng = context.generator("ccll23-45b")
    rows, new = rng.normal(size=(ROWS, PLAYERS)), rng.normal(size=(NEW, PLAYERS))
    coalitions, baseline = all_coalitions(PLAYERS), rows.mean(axis=0)
    tables = [target(np.where(coalitions, row, baseline)) for row in new]
    truth = shapley_from_table(np.array(tables))
    explainer = FastShap(**settings)
    runs = np.array(
        [explainer.fit(TargetModel(), rows, rng).explain(new).values for _ in range(RUNS)]
    )
    scale = np.square(truth).sum()
    return {
        "errors": np.square(runs - truth).sum(axis=(1, 2)) / scale,
        "variance": float(runs.var(axis=0, ddof=1).sum() / scale),
        "rows": ROWS,
        "explicands": NEW,
    }
