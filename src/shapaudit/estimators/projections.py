"""Orthogonal projections on the efficiency hyperplane, the ball, and their intersection.

K1 = {phi : sum phi = total} and K2 = {phi : ||phi|| <= radius} (Grah & Thouvenot 2020,
Section 4.1). All functions take and return vectors (d,).
"""

import numpy as np
from numba import njit

from ..sums import dot, sum_of


@njit(cache=True, nogil=True)
def project_hyperplane(phi, total):
    """Project on K1: spread the excess evenly."""
    return phi - (phi.sum() - total) / phi.size


@njit(cache=True, nogil=True)
def project_ball(phi, radius):
    """Project on K2: shrink to the radius where the norm exceeds it."""
    projected = phi.copy()
    norm = np.sqrt(dot(projected, projected))
    return projected if norm <= radius else projected * (radius / norm)


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
    projected = phi - sum_of(phi) / d
    square = dot(projected, projected)
    factor = np.sqrt(inner / square) if square > inner else 1.0
    for j in range(d):
        projected[j] = total / d + factor * projected[j]
    return projected


@njit(cache=True, nogil=True)
def dykstra(phi, total, radius, max_iterations=100, tolerance=1e-6):
    """Grah & Thouvenot 2020, Algorithm 2: Dykstra's projection, ball first.

    The printed correction q for K1 is left out: it is a multiple of ones, which the projection on
    K1 takes away. Stops when that projection moves by at most ``tolerance`` (the printed rule asks
    for equality: tolerance 0). Returns the last point on K1 and the number of passes.
    """
    d = phi.size
    alpha, beta, p = phi.copy(), np.empty(d), np.zeros(d)
    moved = np.empty(d)
    for iteration in range(1, max_iterations + 1):
        for j in range(d):
            p[j] += alpha[j]
        norm = np.sqrt(dot(p, p))
        factor = 1.0 if norm <= radius else radius / norm
        for j in range(d):
            beta[j] = factor * p[j]
            p[j] -= beta[j]
        excess = sum_of(beta) - total
        for j in range(d):
            beta[j] -= excess / d
            moved[j] = beta[j] - alpha[j]
        if np.sqrt(dot(moved, moved)) <= tolerance:
            return beta, iteration
        alpha, beta = beta, alpha
    return alpha, max_iterations
