"""How many iterations the bounds of Grah & Thouvenot 2020 ask for a given squared error.

All bounds scale with C^2: they are stated for C = 1. One iteration is one evaluation of v.
"""

from math import ceil, log, log1p

import scipy

from shapaudit.samplers.gradients import gradient_bound, strong_convexity

from .constants import kappa, kappa_printed
from .sharper import start_objective_bound, uniform_sizes_rate


def inverse_iterations(n_players: int, radius: float, mean: float, printed: bool = False) -> int:
    """T with 4 kappa^2/T at most ``mean``."""
    k = (kappa_printed if printed else kappa)(n_players, radius, 1.0)
    return ceil(4 * k**2 / mean)


def square_root_iterations(n_players: int, radius: float, mean: float) -> int:
    """T with 4 D kappa/sqrt(T) at most ``mean``."""
    return ceil((4 * radius * kappa(n_players, radius, 1.0) / mean) ** 2)


def constant_iterations(n_players: int, radius: float, mean: float) -> int:
    """T with (1 - gamma mu)^T D^2 + gamma B^2/mu at most ``mean``, for the best split of the two.

    ||phi_0 - phi*|| is at most D.
    """
    mu, b = strong_convexity(n_players), gradient_bound(n_players, radius, 1.0)

    def needed(share):
        step = share * mean * mu / b**2
        return log((1 - share) * mean / radius**2) / log1p(-step * mu)

    return min(ceil(needed(share / 100)) for share in range(1, 100))


def sharper_iterations(n_players: int, mean: float) -> int:
    """T with `sharper.uniform_sizes_rate` at most ``mean``, |v(M)| = C, without D."""
    objective = start_objective_bound(n_players, 1.0, 1.0)

    def excess(log_steps):
        return log(uniform_sizes_rate(10**log_steps, n_players, objective) / mean)

    return ceil(10 ** scipy.optimize.brentq(excess, 0.0, 40.0))


def monte_carlo_evaluations(n_players: int, mean: float) -> int:
    """Evaluations of d/mean walks: marginal contributions lie in [-2 C, 2 C], variance <= 4 C^2."""
    return n_players * ceil(4 * n_players / mean) + 1
