"""How fast the radial regression of Grah & Thouvenot 2020, Section 5.1, shrinks with d."""

import numpy as np
import scipy

from shapaudit.games.simulated import radial_factor

QUADRATURE_NODES = 80


def expected_logarithms() -> tuple[float, float]:
    """E log rho(X) and E log of the mean of rho(X) and rho(R), for independent standard normals.

    The first, 1/2 log(pi/2) - 1/2, is the rate at which f(x) decays with d; the second, the
    largest E log((1-q) rho(R) + q rho(X)) over q, that of the Shapley values, which average over
    all hybrid rows.
    """
    nodes, weights = scipy.special.roots_hermitenorm(QUADRATURE_NODES)
    weights = weights / weights.sum()
    rho = radial_factor(nodes)
    halves = np.log(0.5 * (rho[:, None] + rho))
    return float(weights @ np.log(rho)), float(weights @ halves @ weights)
