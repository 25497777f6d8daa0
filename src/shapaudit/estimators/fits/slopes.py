"""A process whose slopes are shrunk by separate variances (automatic relevance determination).

The additive part of `Kriging` is unpenalised: with few pairs per player its slopes overfit the
noise. Here they are independent a priori with variances a_j, so that the slopes of players without
effect shrink to 0. With A = diag(a), L L' = V the covariance of the interactions and the noise,
H = L^-1 X and h = L^-1 values,

    slopes = M H'h,  M = (H'H + A^-1)^-1,  P = L^-T (I - H M H') L^-1.
"""

import copy

import numpy as np
from scipy.linalg import lapack

from .kriging import Kriging
from .mackay import change
from .triangular import lower_inverse

ROUNDS = 12
LEAST_SCALE = 1e-14  # of the sum of squares


def with_relevances(fit: Kriging) -> Kriging:
    """The process with the slopes' variances of approximately maximum likelihood.

    All other hyperparameters stay as they are. Each round multiplies a variance by the square of
    its slope over the expectation of this square (MacKay 1992).
    """
    half = fit.half(np.column_stack([fit.rows.signs, fit.rows.values]))
    drift, half = half[:, :-1], half[:, -1]
    gram, moment, energy = drift.T @ drift, drift.T @ half, half @ half
    least = max(LEAST_SCALE * energy, 1e-300)
    scale = max(fit.scale * len(half), least) / len(half)
    variances = np.full(len(moment), max(np.square(fit.slopes).mean() / scale, 1e-300))
    for _ in range(ROUNDS):
        spread, known = _posterior(gram, variances)
        slopes = spread.T @ (spread @ moment)
        scale = max(energy - moment @ slopes, least) / len(half)
        expected = scale * variances * np.maximum(known, 1e-12)
        variances = variances * change(np.square(slopes), expected) + 1e-300
    spread, _ = _posterior(gram, variances)
    slopes = spread.T @ (spread @ moment)
    other = copy.copy(fit)
    other.basis, other.slopes = drift @ spread.T, slopes
    other.scale = max(energy - moment @ slopes, least) / len(half)
    other.dual = lapack.dtrtrs(fit.factor, half - drift @ slopes, lower=1, trans=1)[0]
    return other


def _posterior(gram: np.ndarray, variances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """R (d, d) with R'R = M, and the share (d,) of each slope's variance that the data explain."""
    roots = np.sqrt(variances)
    inner = roots[:, None] * gram * roots
    inner[np.diag_indices(len(inner))] += 1.0
    factor = lapack.dpotrf(inner, lower=1, clean=1, overwrite_a=1)[0]
    inverse = lower_inverse(factor)
    return inverse * roots, 1.0 - np.square(inverse).sum(axis=0)
