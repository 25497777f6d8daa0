"""Orthogonal projections on the efficiency hyperplane, the ball, and their intersection.

K1 = {phi : sum phi = total} and K2 = {phi : ||phi|| <= radius} (Grah & Thouvenot 2020,
Section 4.1). All functions take and return vectors (d,).
"""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def project_hyperplane(phi, total):
    """Project on K1: spread the excess evenly."""
    return phi - (phi.sum() - total) / phi.size


@njit(cache=True, nogil=True)
def project_ball(phi, radius):
    """Project on K2: shrink to the radius where the norm exceeds it."""
    norm = np.sqrt((phi * phi).sum())
    return phi.copy() if norm <= radius else phi * (radius / norm)


@njit(cache=True, nogil=True)
def project_intersection(phi, total, radius):
    """Project on K1 and K2 in closed form: onto K1, then towards the equal split.

    Within K1 the ball is a ball around total/d with squared radius radius^2 - total^2/d. Raises
    ValueError when |total| > radius sqrt(d), where the intersection is empty.
    """
    d = phi.size
    inner = radius * radius - total * total / d
    if inner < 0:
        raise ValueError("K is empty: |v(M)| > D sqrt(d); choose a larger radius D.")
    centre = total / d
    deviation = phi - phi.sum() / d
    norm = np.sqrt((deviation * deviation).sum())
    if norm * norm > inner:
        deviation *= np.sqrt(inner) / norm
    return centre + deviation


@njit(cache=True, nogil=True)
def dykstra(phi, total, radius, max_iterations=100, tolerance=1e-6):
    """Grah & Thouvenot 2020, Algorithm 2: Dykstra's projection, ball first.

    Stops when the projection on K1 moves by at most ``tolerance`` (the printed rule asks for
    equality: tolerance 0). Returns the last iterate and the number of passes.
    """
    alpha = phi.copy()
    p = np.zeros_like(phi)
    q = np.zeros_like(phi)
    for iteration in range(1, max_iterations + 1):
        beta = project_ball(alpha + p, radius)
        p = alpha + p - beta
        following = project_hyperplane(beta + q, total)
        move = following - alpha
        if np.sqrt((move * move).sum()) <= tolerance:
            return alpha, iteration
        q = beta + q - following
        alpha = following
    return alpha, max_iterations
