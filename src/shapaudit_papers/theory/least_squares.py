"""The weighted least-squares problem of Grah & Thouvenot 2020, Equation (1), in exact arithmetic.

Vectors of rationals are NumPy arrays of dtype object; coalitions are in the order of
`games.coalition_index`. A ``weight`` other than the Shapley kernel can be given, to see what fails
without it.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

import numpy as np

from shapaudit.truth.rational import rationals, solve

from .constants import gram_diagonal, gram_off_diagonal, kernel_weight

Weight = Callable[[int, int], Fraction]


def proper_coalitions(n_players: int) -> np.ndarray:
    """Rows (2^d - 2, d) of 0 and 1: the matrix X of Section 4.1, without the two end points."""
    index = np.arange(1, (1 << n_players) - 1)
    return (index[:, None] >> np.arange(n_players)) & 1


class LeastSquaresProblem:
    """F(phi) = (X phi - Y)'W(X phi - Y) of one game (Section 4.1), exactly.

    Parameters
    ----------
    values : 2^d integers or fractions; v(empty) is subtracted from all of them
    weight : (d, size) to the weight of a coalition
    """

    def __init__(self, values: Sequence | np.ndarray, weight: Weight = kernel_weight):
        values = rationals(values)
        d = len(values).bit_length() - 1
        if len(values) != 1 << d or d < 2:
            raise ValueError(f"a game needs 2^d values, d at least 2; got {len(values)}.")
        self.n_players = d
        self.values = values - values[0]
        self.total = self.values[-1]
        self.coalitions = proper_coalitions(d)
        self.rewards = self.values[1:-1]
        by_size = rationals([0, *(weight(d, size) for size in range(1, d))])
        self.weights = by_size[self.coalitions.sum(axis=1)]

    def objective(self, phi: np.ndarray) -> Fraction:
        """F at phi (d,)."""
        residuals = self.coalitions @ phi - self.rewards
        return (self.weights * residuals * residuals).sum()

    def gradient(self, phi: np.ndarray) -> np.ndarray:
        """2 X'W(X phi - Y), the gradient (d,) of F."""
        return 2 * (self.coalitions.T @ (self.weights * (self.coalitions @ phi - self.rewards)))

    def gram(self) -> np.ndarray:
        """X'WX (d, d)."""
        return self.coalitions.T @ (self.weights[:, None] * self.coalitions)

    def solution(self) -> np.ndarray:
        """Minimiser (d,) of F subject to sum phi = v(M), from the optimality conditions.

        Raises ValueError when the minimiser is not unique.
        """
        d = self.n_players
        system = np.full((d + 1, d + 1), Fraction(1), dtype=object)
        system[:d, :d] = self.gram()
        system[d, d] = Fraction(0)
        right = self.coalitions.T @ (self.weights * self.rewards)
        return solve(system, np.append(right, self.total))[:d]


def second_differences(objective: Callable[[np.ndarray], Fraction], n_players: int) -> np.ndarray:
    """Hessian (d, d) of a quadratic from its values at 0, e_i and e_i + e_j, exactly."""
    unit = np.array([[Fraction(int(i == j)) for j in range(n_players)] for i in range(n_players)])
    at_zero = objective(0 * unit[0])
    at_unit = [objective(row) for row in unit]
    hessian = np.empty((n_players, n_players), dtype=object)
    for i in range(n_players):
        for j in range(n_players):
            hessian[i, j] = objective(unit[i] + unit[j]) - at_unit[i] - at_unit[j] + at_zero
    return hessian


def curvature(n_players: int, weight: Weight = kernel_weight) -> Fraction:
    """a - c = sum_k C(d - 2, k - 1) w_k, the Gram matrix along the hyperplane (Section 8.1)."""
    d = n_players
    return sum((comb(d - 2, k - 1) * weight(d, k) for k in range(1, d)), Fraction(0))


def spectrum(n_players: int) -> list[tuple[Fraction, int]]:
    """Eigenvalues of X'WX with their multiplicities: a - c and a - c + c d (Section 4.2)."""
    c = gram_off_diagonal(n_players)
    low = gram_diagonal(n_players) - c
    return [(low, n_players - 1), (low + c * n_players, 1)]


def unanimity_moment_gap(
    n_players: int, members: int, weight: Weight = kernel_weight
) -> tuple[Fraction, Fraction]:
    """Both sides of the stationarity of phi = 1_T/|T| for the unanimity game u_T, 0 < |T| < d.

    Left: (X'WY)_i - (X'WY)_j for i in T and j outside, sum_k C(d - t - 1, k - t) w_k. Right:
    (X'WX phi)_i - (X'WX phi)_j = (a - c)/t. They agree exactly when phi minimises F on K1.
    """
    d, t = n_players, members
    left = sum((comb(d - t - 1, k - t) * weight(d, k) for k in range(t, d)), Fraction(0))
    return left, curvature(d, weight) / t
