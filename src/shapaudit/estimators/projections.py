"""Orthogonal projections on the efficiency hyperplane, the ball, and their intersection.

K1 = {phi : sum phi = total} and K2 = {phi : ||phi|| <= radius} (Grah & Thouvenot 2020,
Section 4.1). All functions take and return vectors (d,).
"""

import numpy as np
from numba import njit

# Sums may be reassociated: they then run in vector registers, about four times as fast.
FAST_SUMS = {"reassoc", "nsz"}


@njit(cache=True, nogil=True)
def project_hyperplane(phi, total):
    """Project on K1: spread the excess evenly."""
    return phi - (phi.sum() - total) / phi.size


@njit(cache=True, nogil=True, fastmath=FAST_SUMS)
def project_ball(phi, radius):
    """Project on K2: shrink to the radius where the norm exceeds it."""
    square = 0.0
    for x in phi:
        square += x * x
    norm = np.sqrt(square)
    return phi.copy() if norm <= radius else phi * (radius / norm)


@njit(cache=True, nogil=True, fastmath=FAST_SUMS)
def project_intersection(phi, total, radius):
    """Project on K1 and K2 in closed form: onto K1, then towards the equal split.

    Within K1 the ball is a ball around total/d with squared radius radius^2 - total^2/d. Raises
    ValueError when |total| > radius sqrt(d), where the intersection is empty.
    """
    d = phi.size
    inner = radius * radius - total * total / d
    if inner < 0:
        raise ValueError("K is empty: |v(M)| > D sqrt(d); choose a larger radius D.")
    found = phi - phi.sum() / d
    square = 0.0
    for x in found:
        square += x * x
    factor = np.sqrt(inner / square) if square > inner else 1.0
    for j in range(d):
        found[j] = total / d + factor * found[j]
    return found


@njit(cache=True, nogil=True, fastmath=FAST_SUMS)
def dykstra(phi, total, radius, max_iterations=100, tolerance=1e-6):
    """Grah & Thouvenot 2020, Algorithm 2: Dykstra's projection, ball first.

    The printed correction q for K1 is left out: it is a multiple of ones, which the projection on
    K1 takes away. Stops when that projection moves by at most ``tolerance`` (the printed rule asks
    for equality: tolerance 0). Returns the last point on K1 and the number of passes.
    """
    d = phi.size
    alpha, beta = phi.copy(), np.empty_like(phi)
    p = np.zeros_like(phi)
    for iteration in range(1, max_iterations + 1):
        square = 0.0
        for j in range(d):
            p[j] += alpha[j]
            square += p[j] * p[j]
        norm = np.sqrt(square)
        factor = 1.0 if norm <= radius else radius / norm
        excess = -total
        for j in range(d):
            beta[j] = factor * p[j]
            p[j] -= beta[j]
            excess += beta[j]
        square = 0.0
        for j in range(d):
            beta[j] -= excess / d
            square += (beta[j] - alpha[j]) ** 2
        if np.sqrt(square) <= tolerance:
            return beta, iteration
        alpha, beta = beta, alpha
    return alpha, max_iterations
