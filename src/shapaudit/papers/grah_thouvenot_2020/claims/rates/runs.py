"""Simulated runs of projected SGD on the first pairs of the study's games, shared by the claims."""

import numpy as np

from shapaudit.statistics.limits import Limit


def bounded_mean(name: str, units: np.ndarray, ceiling: float, alpha: float) -> Limit:
    """Limits of the mean of independent units (n,) in [0, ceiling], valid for every n.

    Empirical Bernstein bound of Maurer & Pontil 2009, Theorem 4, on either side.
    """
    n, log = len(units), np.log(4 / alpha)
    width = np.sqrt(2 * units.var(ddof=1) * log / n) + 7 * ceiling * log / (3 * (n - 1))
    mean = float(units.mean())
    low, high = max(0.0, mean - width), min(ceiling, mean + width)
    return Limit(name, mean, min(low, mean), max(high, mean), 1 - alpha)
