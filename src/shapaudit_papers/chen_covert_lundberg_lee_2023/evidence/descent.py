"""Evidence on claims 20 and 41: what SGD-Shapley samples, and the bias that its start leaves."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import integer_games, vector_cases
from shapaudit_papers.theory.least_squares import LeastSquaresProblem
from shapaudit_papers.theory.pairing import kernel_law

from .common import PLAYERS as DATA
from .common import SAMPLES, published

PLAYERS = (3, 10, 79, 280)
STEP, STEPS = Fraction(1, 20), 2
SGD = "LS_SGD"  # in the tables
RATIOS = {"D = C": lambda d: 1.0, "D = C sqrt(d)": lambda d: d**0.5}  # the latter in their code


def gather_sizes(
    context: Context, law: Callable[[int, float], np.ndarray] = importance_sizes
) -> Evidence:
    """Return probabilities of coalitions of size 1 and d - 1, by W(S) and in the cited paper."""
    rows = []
    for d in PLAYERS:
        kernel = kernel_law(d).astype(float)
        for name, ratio in RATIOS.items():
            sizes = law(d, ratio(d))
            row = {"players": d, "ratio": name, "one_by_kernel": kernel[0], "one": sizes[0]}
            row |= {"all_but_one": sizes[-1]}
            rows.append(row | {"distance": float(np.abs(sizes - kernel).sum() / 2)})
    return {"rows": rows}


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


def gather_bias(context: Context, expected=expected_iterate) -> Evidence:
    """Return the bias of stochastic gradients on small games, and the remaining bias of the start.

    Coalitions are drawn uniformly, and gradients are weighted so that their mean is that of F.
    ``printed`` counts the columns of Tables 2 to 4 in which the bias of the method is the largest.
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
    return {
        "cases": cases,
        "biased": biased,
        "games": games,
        "steps": STEPS,
        "printed": _largest_biases(context),
    }


def _largest_biases(context: Context) -> list[Evidence]:
    biases, rows = published(context, "bias"), []
    for data in DATA:
        columns = [
            {method: bias for (name, method, n), bias in biases.items() if (name, n) == (data, m)}
            for m in SAMPLES
        ]
        largest = sum(max(column, key=column.__getitem__) == SGD for column in columns)
        rows.append({"data": data, "columns": len(columns), "largest": largest})
    return rows
