"""Evidence on claims 23 and 24: the weights of Equation 8, and Equation 11, in fractions."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values, solve
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games, random_integers, vector_cases
from shapaudit_papers.theory.normalisation import squared_norm
from shapaudit_papers.theory.random_order import semivalue_probability

PLAYERS = (3, 4)  # of the games of Equation 8
ENDS = (1, 10**3, 10**6)  # finite weights of the empty and of the grand coalition
FEATURES = 3  # of the linear models


def fit(values: np.ndarray, end: int) -> np.ndarray:
    """Return slopes (d,) of the weighted fit of Equation 8 if both ends have the weight ``end``."""
    d = len(values).bit_length() - 1
    sizes = [members.bit_count() for members in range(1 << d)]
    weights = rationals(
        [Fraction(d - 1, comb(d, s) * s * (d - s)) if 0 < s < d else end for s in sizes]
    )
    rows = [[1, *(members >> j & 1 for j in range(d))] for members in range(1 << d)]
    design = np.array([rationals(row) for row in rows])
    return solve(design.T @ (weights[:, None] * design), design.T @ (weights * values))[1:]


def gather_weights(context: Context, fitted: Callable = fit) -> Evidence:
    """Return the squared distance of the fit from the Shapley values, by weight of the ends."""
    rows = []
    for label, _, values in integer_games(context, "ccll23-23", dimensions=PLAYERS):
        for end in ENDS:
            error = squared_norm(fitted(values, end) - shapley_values(values))
            rows.append({"game": label, "end_weight": end, "squared_error": error})
    return {"rows": rows}


def regression_matrix(covariance: np.ndarray, members: int) -> np.ndarray:
    """R (d, d) with E[x | x_S] = mu + R (x - mu) for Gaussian features."""
    d = len(covariance)
    inside = [j for j in range(d) if members >> j & 1]
    matrix = np.array([rationals([0] * d) for _ in range(d)])
    for row in range(d):
        if inside:
            own = covariance[np.ix_(inside, inside)]
            matrix[row, inside] = solve(own, covariance[inside, row])
    return matrix


def gather_correlated(
    context: Context, regression: Callable[[np.ndarray, int], np.ndarray] = regression_matrix
) -> Evidence:
    """Return conditional values of linear Gaussian models by enumeration and by Equation 11.

    B_i is the weighted sum of what i adds to the matrices of the coalitions, and A_i = - B_i.
    """
    cases, d = [], FEATURES
    for k in range(context.settings.random_games):
        drawn = random_integers(context, "ccll23-24", k, count=3 * d + d * d)
        beta, mu, x = drawn[:d], drawn[d : 2 * d], drawn[2 * d : 3 * d]
        root = drawn[3 * d :].reshape(d, d)
        covariance = root @ root.T + np.array(
            [rationals(row) for row in np.eye(d, dtype=int).tolist()]
        )
        game = [beta @ (mu + regression_matrix(covariance, s) @ (x - mu)) for s in range(1 << d)]
        right = [
            beta @ (_added(covariance, i, regression) @ x - _added(covariance, i, regression) @ mu)
            for i in range(d)
        ]
        cases += vector_cases(f"model {k + 1}", shapley_values(game), rationals(right))
    return {"cases": cases}


def _added(covariance: np.ndarray, player: int, regression: Callable) -> np.ndarray:
    """B_i (d, d)."""
    d = len(covariance)
    without: Sequence[int] = [s for s in range(1 << d) if not s >> player & 1]
    return sum(
        semivalue_probability(d, s.bit_count())
        * (regression(covariance, s | 1 << player) - regression(covariance, s))
        for s in without
    )
