"""Step, convexity and gradient bound of projected SGD on the weighted least-squares problem.

Grah & Thouvenot 2020, Section 4: sizes run over l = 1, ..., d - 1; C bounds |v(S) - v(empty)|, and
D the norm of the iterates.
"""

import numpy as np

# a in a / sqrt(t), the default step of the authors' public code: 0.1 there, which descends F / 2.
DEFAULT_STEP = 0.05


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


def importance_sizes(n_players: int, ratio: float) -> np.ndarray:
    """Size distribution (d - 1,) of p_i proportional to L_i, with ratio = D / C (Section 4.2)."""
    weight = bound_terms(n_players, ratio, 1.0)
    return weight / weight.sum()
