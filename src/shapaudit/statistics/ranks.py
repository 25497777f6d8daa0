"""Exact limits of the factor between two independent samples: rank sum tests, inverted."""

from math import comb

import numpy as np

from .simultaneous import Ratio


def orders_by_inversions(n: int, m: int) -> np.ndarray:
    """How many (n m + 1,) of the orders of two samples of n and m have u pairs the other way round.

    The coefficients of a Gaussian binomial, one factor (1 - x^(m + i)) / (1 - x^i) after the other
    (Mann & Whitney 1947).
    """
    counts = np.zeros(n * m + 1, dtype=object)
    counts[0] = 1
    for i in range(1, n + 1):
        for u in range(n * m, m + i - 1, -1):
            counts[u] -= counts[u - m - i]
        for u in range(i, n * m + 1):
            counts[u] += counts[u - i]
    return counts


def least_units(alpha: float) -> int:
    """Units in each of two samples from which limits at level 1 - alpha are finite."""
    n = 1
    while alpha * comb(2 * n, n) < 2:
        n += 1
    return n


def factor_limits(first: np.ndarray, second: np.ndarray, alpha: float) -> Ratio:
    """Median of the ratios of positive values (n,) over others (m,), limits of their factor.

    Exact at level 1 - alpha where the law of the first is that of the second times a factor,
    whatever that law is (Hodges & Lehmann 1963). Limits are 0 and infinite where the samples are
    too small for any.
    """
    ratios = np.sort(np.divide.outer(np.asarray(first), np.asarray(second)).ravel())
    counts = orders_by_inversions(len(first), len(second))
    shares = np.cumsum(counts) / comb(len(first) + len(second), len(first))
    both, alone = (int((shares <= rate).sum()) for rate in (alpha / 2, alpha))
    low = ratios[both - 1] if both else 0.0
    high, high_alone = (ratios[-k] if k else np.inf for k in (both, alone))
    return Ratio(*map(float, (np.median(ratios), low, high, high_alone)))
