"""Bounds on the error of projected SGD, Grah & Thouvenot 2020, Section 4.2 and appendices.

T is the number of steps, kappa = B / mu, D the radius, and Z = ||phibar_T - phi*||^2. Every
function takes and returns floats or arrays of them, except where it says exact.
"""

from math import exp, log, sqrt

import scipy

from .constants import kernel_weight


def lipschitz(n_players: int, size: int, radius: float, bound: float) -> float:
    """L_i = 2 n w_i sqrt(l) (sqrt(l) D + C) of the coalitions of size l (Equation 2)."""
    n = 2**n_players - 2
    return (
        2 * n * float(kernel_weight(n_players, size)) * sqrt(size) * (sqrt(size) * radius + bound)
    )


def uniform_gradient_bound(n_players: int, radius: float, bound: float) -> float:
    """2 n sqrt(d - 1) / d (sqrt(d - 1) D + C), squared: the bound under uniform sampling."""
    return lipschitz(n_players, n_players - 1, radius, bound) ** 2


def inverse_rate(steps, kappa: float):
    """E Z at most 4 kappa^2 / T, for the step 2/(mu (t + 1)) and the (t + 1)-weighted average."""
    return 4 * kappa**2 / steps


def inverse_rate_identity(steps, kappa: float):
    """2 kappa^2 / T: the same, F - F* = mu ||phi - phi*||^2 in place of strong convexity."""
    return 2 * kappa**2 / steps


def square_root_rate(steps, kappa: float, radius: float):
    """E Z at most 4 D kappa / sqrt(T), for the step 2 D / (B sqrt(t))."""
    return 4 * radius * kappa / steps**0.5


def constant_rate(steps, step: float, mu: float, gradient_bound: float, start: float):
    """(1 - gamma mu)^T ||phi_0 - phi*||^2 + gamma B^2 / mu, ``start`` the squared distance."""
    return (1 - step * mu) ** steps * start + step * gradient_bound**2 / mu


def markov(mean_bound, epsilon):
    """P(Z at least epsilon) at most A / epsilon, A the bound on E Z."""
    return mean_bound / epsilon


def deviation_threshold(mean_bound: float, a: float) -> float:
    """A (2 + 4 a), the level of the deviation inequality."""
    return mean_bound * (2 + 4 * a)


def deviation_probability(a: float) -> float:
    """2 exp(-a^2), the bound of the deviation inequality."""
    return 2 * exp(-(a**2))


def deviation(mean_bound: float, epsilon: float) -> float:
    """2 exp(-(epsilon / A - 2)^2 / 16): the deviation inequality at A (2 + 4 a) = epsilon."""
    return deviation_probability((epsilon / mean_bound - 2) / 4)


def deviation_vacuous_below() -> float:
    """The a up to which 2 exp(-a^2) is at least 1: sqrt(ln 2)."""
    return sqrt(log(2))


def deviation_crossing() -> float:
    """The a > 0 beyond which 2 exp(-a^2) falls below Markov's 1 / (2 + 4 a).

    Up to it the deviation inequality follows from Markov's; beyond it the two-point law of
    `two_point_law` contradicts it.
    """
    return scipy.optimize.brentq(
        lambda a: deviation_probability(a) - 1 / (2 + 4 * a), 1.0, 3.0, xtol=1e-12
    )


def two_point_law(mean_bound: float, a: float) -> tuple[float, float]:
    """Value and probability of the law with E Z = A that sits at 0 and at A (2 + 4 a) only."""
    return deviation_threshold(mean_bound, a), 1 / (2 + 4 * a)
