"""Constants of the weighted least-squares problem of Grah & Thouvenot 2020, Section 4.

Sizes run over l = 1, ..., d - 1; C bounds |v(S) - v(empty)|, D bounds the norm of the iterates.
Exact functions return `fractions.Fraction`.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import comb
from typing import NamedTuple

import numpy as np

from shapaudit.games import TabularGame
from shapaudit.samplers.gradients import bound_terms, gradient_bound, strong_convexity


def kernel_weight(n_players: int, size: int) -> Fraction:
    """w_S = (d - 1) / (C(d, l) l (d - l)), exactly (Equation 1)."""
    return Fraction(n_players - 1, comb(n_players, size) * size * (n_players - size))


def gram_diagonal(n_players: int) -> Fraction:
    """a = sum_k C(d - 1, k - 1) w_k, the diagonal of X'WX (Section 4.2)."""
    d = n_players
    return sum((comb(d - 1, k - 1) * kernel_weight(d, k) for k in range(1, d)), Fraction(0))


def gram_off_diagonal(n_players: int) -> Fraction:
    """c = sum_k C(d - 2, k - 2) w_k, off the diagonal of X'WX (Section 4.2)."""
    d = n_players
    return sum((comb(d - 2, k - 2) * kernel_weight(d, k) for k in range(2, d)), Fraction(0))


def kappa(n_players: int, radius: float, bound: float) -> float:
    """kappa = B / mu, from its definition (Section 4.2)."""
    return gradient_bound(n_players, radius, bound) / strong_convexity(n_players)


def kappa_printed(n_players: int, radius: float, bound: float) -> float:
    """4 sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), the expression printed for kappa."""
    return 4.0 * n_players * float(bound_terms(n_players, radius, bound).sum())


def norm_ceiling(n_players: int) -> float:
    """1/d + d/(d - 1) (sum_l 1/sqrt(l (d - l)))^2: ||phi*||^2 is at most C^2 times that.

    With u the direction of phi* less its mean, and S_l a random coalition of l players,
    ||phi*||^2 = v(M)^2/d + (sum_l E[u(S_l) v(S_l)] d/(l (d - l)))^2, where E|u(S_l)| is at most the
    root of E u(S_l)^2 = l (d - l)/(d (d - 1)).
    """
    size = np.arange(1, n_players)
    total = float((1 / np.sqrt(size * (n_players - size))).sum())
    return 1 / n_players + n_players / (n_players - 1) * total**2


class Setting(NamedTuple):
    """Constants of one game: d, C, D, B, mu, v(M) and ||phi_0 - phi*||^2."""

    n_players: int
    bound: float
    radius: float
    gradient_bound: float
    mu: float
    total: float
    start: float

    @property
    def kappa(self) -> float:
        """B / mu."""
        return self.gradient_bound / self.mu

    @property
    def ceiling(self) -> float:
        """4 (D^2 - v(M)^2/d): the squared diameter of K, which no squared error on K exceeds."""
        return 4 * (self.radius**2 - self.total**2 / self.n_players)


def settings_of(game: TabularGame, truth: np.ndarray) -> Iterator[tuple[str, Setting]]:
    """The constants of a game with its Shapley values (d,), C = max |v(S) - v(empty)|.

    For D = C sqrt(d) as in the authors' public code ("public") and for D = ||phi*||, the smallest
    that the paper allows ("tight"); none when v is constant.
    """
    d = len(truth)
    bound = float(np.abs(game.values - game.values[0]).max())
    total = float(game.values[-1] - game.values[0])
    start = float(np.square(truth - total / d).sum())
    radii = {"public": bound * d**0.5, "tight": float(np.linalg.norm(truth))}
    for choice, radius in radii.items():
        if radius > 0:
            b = gradient_bound(d, radius, bound)
            yield choice, Setting(d, bound, radius, b, strong_convexity(d), total, start)
