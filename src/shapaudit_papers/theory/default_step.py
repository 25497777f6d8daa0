"""The step that is the default of the public code of Grah & Thouvenot 2020.

0.1/sqrt(t) in the convention F / 2, coalitions drawn by L_i with D = C sqrt(d), projection on the
efficiency hyperplane alone, the mean of all iterates.
"""

import numpy as np

from shapaudit.samplers.gradients import DEFAULT_STEP, importance_sizes

from .recursion import GradientMoments, errors_from_moments, gradient_growth


def default_sizes(n_players: int) -> np.ndarray:
    """Size distribution (d - 1,): importance sampling with D = C sqrt(d)."""
    return importance_sizes(n_players, n_players**0.5)


def default_steps(count: int) -> np.ndarray:
    """Steps (T,) for t = 1, ..., T."""
    return DEFAULT_STEP / np.sqrt(np.arange(1.0, count + 1))


def expected_errors(n_players: int, count: int) -> np.ndarray:
    """E ||average - phi*||^2 (T + 1,) on an additive game, exactly, with ||phi_0 - phi*|| = 1.

    Additive games have no noise: this is what the steps make of the start.
    """
    sizes = default_sizes(n_players)
    moments = GradientMoments(n_players, gradient_growth(sizes), 0.0, 0.0, 1.0)
    return errors_from_moments(moments, default_steps(count), "uniform")
