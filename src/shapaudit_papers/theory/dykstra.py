"""Dykstra's algorithm on hyperplane and ball, reduced to one dimension.

Write phi = m 1 + delta with sum delta = 0, r = ||delta|| and c = v(M) / d. The hyperplane being
affine, its correction q plays no part, and pass l of Grah & Thouvenot 2020, Algorithm 2, projects
m_l 1 + delta on the ball, with

    m_1 = m,    m_{l+1} = m_l - h(m_l) + c,    h(m) = k(m) m,
    k(m) = min(1, D / sqrt(d m^2 + r^2)),

and leaves the iterate c 1 + k(m_l) delta. The limit solves h(m) = c and is the projection on K.
"""

from math import sqrt

import scipy


def shrinkage(mean: float, spread: float, radius: float, n_players: int) -> float:
    """k(m): the factor by which the ball of radius D shrinks m 1 + delta, r = ``spread``."""
    return min(1.0, radius / sqrt(n_players * mean**2 + spread**2))


def inner_radius(total: float, radius: float, n_players: int) -> float:
    """rho = sqrt(D^2 - v(M)^2 / d): the radius of the ball within the hyperplane.

    Raises ValueError when K is empty.
    """
    squared = radius**2 - total**2 / n_players
    if squared < 0:
        raise ValueError("K is empty: |v(M)| > D sqrt(d); choose a larger radius D.")
    return sqrt(squared)


def contraction(total: float, spread: float, radius: float, n_players: int) -> float:
    """1 - rho^3 / (r D^2), the factor of |m_l - m*| per pass in the limit, for r > rho."""
    return 1 - inner_radius(total, radius, n_players) ** 3 / (spread * radius**2)


def stalling_mean(total: float, spread: float, radius: float, n_players: int) -> float:
    """The m for which Algorithm 2 stops at its second pass, off the projection.

    There m_2 = -m_1, so that two passes shrink alike: m (2 - k(m)) = -c, with a root between -c
    and -c/2. Raises ValueError when the ball does not bite (r <= rho) or v(M) = 0.
    """
    centre = total / n_players
    if centre == 0 or spread <= inner_radius(total, radius, n_players):
        raise ValueError("no early stop: it takes v(M) other than 0 and a ball that bites.")

    def excess(mean: float) -> float:
        return mean * (2 - shrinkage(mean, spread, radius, n_players)) + centre

    return scipy.optimize.brentq(excess, -centre, -centre / 2, xtol=1e-15)
