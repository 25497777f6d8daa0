"""Constants of the weighted least-squares problem of Grah & Thouvenot 2020, Section 4.

Sizes run over l = 1, ..., d - 1; C bounds |v(S) - v(empty)|, D bounds the norm of the iterates.
Exact functions return `fractions.Fraction`.
"""

from fractions import Fraction
from math import comb

import numpy as np

# a in a / sqrt(t), the default step of the authors' public code: 0.1 there, which descends F / 2.
DEFAULT_STEP = 0.05


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


def strong_convexity(n_players: int) -> float:
    """mu = 1 - 1/d as printed (Section 4.2); F itself is 2 mu-strongly convex."""
    return 1.0 - 1.0 / n_players


def bound_terms(n_players: int, radius: float, bound: float) -> np.ndarray:
    """(sqrt(l) D + C) / (sqrt(l) (d - l)) for each size (d - 1,): the terms of B and kappa."""
    size = np.arange(1, n_players)
    root = np.sqrt(size)
    return (root * radius + bound) / (root * (n_players - size))


def gradient_bound(n_players: int, radius: float, bound: float) -> float:
    """B = 2 sum_l (d - 1) (sqrt(l) D + C) / (sqrt(l) (d - l)) (Section 4.2)."""
    return 2.0 * (n_players - 1) * float(bound_terms(n_players, radius, bound).sum())


def kappa(n_players: int, radius: float, bound: float) -> float:
    """kappa = B / mu, from its definition (Section 4.2)."""
    return gradient_bound(n_players, radius, bound) / strong_convexity(n_players)


def kappa_printed(n_players: int, radius: float, bound: float) -> float:
    """4 sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)), the expression printed for kappa."""
    return 4.0 * n_players * float(bound_terms(n_players, radius, bound).sum())


def importance_sizes(n_players: int, ratio: float) -> np.ndarray:
    """Size distribution (d - 1,) of p_i proportional to L_i, with ratio = D / C (Section 4.2)."""
    weight = bound_terms(n_players, ratio, 1.0)
    return weight / weight.sum()
