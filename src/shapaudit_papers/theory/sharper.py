"""Sharper bounds than those of Grah & Thouvenot 2020, Section 4.2, for the same problem.

They rest on two facts the paper leaves out: on K1, F - F* = mu ||phi - phi*||^2, so that the
gradient pulls with 2 mu ||phi - phi*||^2; and only the gradient projected on K1 counts, for which
||Px||^2 = l (d - l)/d instead of l. Proofs are in the report's appendix; T is the number of steps,
mu = 1 - 1/d, and every bound is on E ||phi - phi*||^2.
"""

from math import sqrt

import numpy as np

from shapaudit.samplers.gradients import strong_convexity


def projected_terms(n_players: int, radius: float, bound: float) -> np.ndarray:
    """(sqrt(l) D + C) / sqrt(l (d - l)) for each size (d - 1,)."""
    size = np.arange(1, n_players)
    return (np.sqrt(size) * radius + bound) / np.sqrt(size * (n_players - size))


def projected_gradient_bound(n_players: int, radius: float, bound: float) -> float:
    """B_P = 2 (d - 1)/sqrt(d) sum_l (sqrt(l) D + C)/sqrt(l (d - l)), under `projected_sizes`."""
    terms = projected_terms(n_players, radius, bound)
    return 2 * (n_players - 1) / sqrt(n_players) * float(terms.sum())


def projected_sizes(n_players: int, ratio: float) -> np.ndarray:
    """The size distribution (d - 1,) that minimises the bound on the projected gradient."""
    terms = projected_terms(n_players, ratio, 1.0)
    return terms / terms.sum()


def inner_terms(n_players: int, radius: float, total: float, bound: float) -> np.ndarray:
    """sqrt(l (d - l)/d) rho + C + |v(M)| l/d over sqrt(l (d - l)), for each size (d - 1,).

    rho = sqrt(D^2 - v(M)^2/d) is the radius of K within the hyperplane: on K a residual is at most
    the numerator. Raises ValueError when K is empty.
    """
    squared = radius**2 - total**2 / n_players
    if squared < 0:
        raise ValueError("K is empty: |v(M)| > D sqrt(d); choose a larger radius D.")
    size = np.arange(1, n_players)
    norm = np.sqrt(size * (n_players - size))
    return sqrt(squared / n_players) + (bound + abs(total) * size / n_players) / norm


def inner_gradient_bound(n_players: int, radius: float, total: float, bound: float) -> float:
    """B_K = 2 (d - 1)/sqrt(d) sum_l of `inner_terms`, sizes in proportion to them."""
    terms = inner_terms(n_players, radius, total, bound)
    return 2 * (n_players - 1) / sqrt(n_players) * float(terms.sum())


def last_iterate_steps(n_players: int, count: int) -> np.ndarray:
    """1/(2 mu (t + 1)) for t = 1, ..., T."""
    return 1 / (2 * strong_convexity(n_players) * np.arange(2.0, count + 2))


def last_iterate_rate(steps, mu: float, gradient_bound: float):
    """B^2 / (4 mu^2 (T + 1)) for the last iterate on K, steps of `last_iterate_steps`."""
    return gradient_bound**2 / (4 * mu**2 * (steps + 1))


def inverse_rate(steps, mu: float, gradient_bound: float):
    """4 B^2/(3 mu^2 (T + 2)) on K, for the step 2/(mu (t + 1)) and the (t + 1)-weighted average."""
    return 4 * gradient_bound**2 / (3 * mu**2 * (steps + 2))


def square_root_rate(steps, mu: float, radius: float, gradient_bound: float):
    """3/2 D B/(mu sqrt(T + 1)) on K, for the step 2 D/(B sqrt(t)) and the mean of phi_0..phi_T."""
    return 1.5 * radius * gradient_bound / (mu * (steps + 1) ** 0.5)


def constant_rate(steps, step: float, mu: float, gradient_bound: float, start: float):
    """(1 - 4 gamma mu)^T ||phi_0 - phi*||^2 + gamma B^2/(4 mu) on K, gamma at most 1/(4 mu)."""
    return (1 - 4 * step * mu) ** steps * start + step * gradient_bound**2 / (4 * mu)


def vacuous_until(n_players: int) -> float:
    """4 (d sum_{k<d} 1/k)^2: up to here 4 kappa^2/T and 4 D kappa/sqrt(T) exceed 4 D^2.

    No two points of the ball are further apart, whatever D and C; kappa is B / mu.
    """
    return 4 * (n_players * float((1 / np.arange(1, n_players)).sum())) ** 2


def offset(probabilities: np.ndarray) -> float:
    """t_0 = 2/(d - 1) sum_l 1/q_l; 2 (d - 1) when q is uniform over the sizes, the least."""
    return 2 / len(probabilities) * float((1 / probabilities).sum())


def offset_steps(probabilities: np.ndarray, count: int) -> np.ndarray:
    """1/(mu (t + t_0)) for t = 1, ..., T: stable without the ball and free of D and C."""
    mu = strong_convexity(len(probabilities) + 1)
    return 1 / (mu * (np.arange(1.0, count + 1) + offset(probabilities)))


def offset_rate(steps, probabilities: np.ndarray, start: float, noise: float):
    """2 (t_0/(T + t_0))^2 ||phi_0 - phi*||^2 + noise (T + 2 t_0)/(mu (T + t_0))^2.

    For the last iterate on the hyperplane alone, steps of `offset_steps`; ``noise`` is the second
    moment of the projected gradient at phi*, or a bound on it.
    """
    first, mu = offset(probabilities), strong_convexity(len(probabilities) + 1)
    scale = (steps + first) ** 2
    return 2 * first**2 * start / scale + noise * (steps + 2 * first) / (mu**2 * scale)


def start_objective_bound(n_players: int, total: float, bound: float) -> float:
    """(d - 1) sum_l (C + |v(M)| l/d)^2/(l (d - l)), a bound on F(phi_0) at phi_0 = v(M)/d.

    At most 8 mu C^2 sum_{k<d} 1/k when |v(M)| is at most C.
    """
    size = np.arange(1, n_players)
    squares = (bound + abs(total) * size / n_players) ** 2
    return (n_players - 1) * float((squares / (size * (n_players - size))).sum())


def uniform_sizes_rate(steps, n_players: int, objective: float):
    """4 d (T + 4 (d - 1))/(T + 2 (d - 1))^2 F(phi_0): `offset_rate` with q uniform over the sizes.

    The noise is then 4 (d - 1)^2/d F(phi*), at most that of F(phi_0) = ``objective`` or a bound on
    it. Neither ball nor D enters.
    """
    others = n_players - 1
    return 4 * n_players * (steps + 4 * others) / (steps + 2 * others) ** 2 * objective
