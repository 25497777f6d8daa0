"""Additive efficient normalisation and the decomposition of the error, in exact arithmetic.

Chen et al. 2023, Section 5.2.2 and Appendix A.2. Vectors are object arrays of fractions.
"""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from .random_order import Outcomes


def normalise(phi: np.ndarray, total: Fraction) -> np.ndarray:
    """phi + (total - sum phi) / d, the orthogonal projection on the efficient vectors (d,)."""
    return phi + (total - phi.sum()) / Fraction(len(phi))


def rescale(phi: np.ndarray, total: Fraction) -> np.ndarray:
    """phi total / sum phi, efficient too, and no orthogonal projection; needs a sum that is not 0.

    Raises ZeroDivisionError when it is.
    """
    return phi * (total / phi.sum())


def squared_norm(vector: np.ndarray) -> Fraction:
    """Sum of the squares."""
    return (vector * vector).sum()


class Decomposition(NamedTuple):
    """Error, bias and variance of T estimates (T, d), summed over the players (Appendix A.2).

    error = mean of ||phi_t - phi||^2, bias = ||mean phi_t - phi||^2, and variance = mean of
    ||phi_t - mean phi_t||^2 or, with ``correction`` 1, that times T / (T - 1).
    """

    error: Fraction
    bias: Fraction
    variance: Fraction


def decompose(estimates: np.ndarray, truth: np.ndarray, correction: int = 0) -> Decomposition:
    """The decomposition of estimates (T, d) of the truth (d,)."""
    trials = len(estimates)
    mean = estimates.sum(axis=0) / Fraction(trials)
    return Decomposition(
        squared_norm(estimates - truth) / trials,
        squared_norm(mean - truth),
        squared_norm(estimates - mean) / (trials - correction),
    )


def expected_parts(outcomes: Outcomes, truth: np.ndarray, trials: int) -> tuple[Fraction, Fraction]:
    """E bias and E variance over all sequences of outcomes of so many independent trials."""
    bias = variance = Fraction(0)
    for sequence in product(outcomes, repeat=trials):
        chance = Fraction(1)
        for probability, _ in sequence:
            chance *= probability
        parts = decompose(np.array([x for _, x in sequence]), truth)
        bias += chance * parts.bias
        variance += chance * parts.variance
    return bias, variance
