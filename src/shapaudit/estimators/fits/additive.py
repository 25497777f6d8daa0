"""The additive game of least squares, as one of the fits of `auto`."""

import numpy as np

from ..pairs import Pairs
from .fit import LEAST_REMAINING, Fit

LINEAR = 1e-10  # of the largest value: what rounding leaves of an additive game


def fit_additive(pairs: Pairs) -> Fit:
    """The additive game of least squares."""
    values = pairs.regressed(pairs.odd_part, pairs.total)
    left = pairs.odd_part - np.where(pairs.coalitions, 0.5, -0.5) @ values
    remaining = np.maximum(1.0 - additive_leverages(pairs), LEAST_REMAINING)
    return Fit(values, left, left / remaining)


def explains(fit: Fit, pairs: Pairs) -> bool:
    """Whether the residuals of the fit are rounding errors."""
    return np.abs(fit.left).max() <= LINEAR * np.abs(pairs.odd_part).max()


def additive_leverages(pairs: Pairs) -> np.ndarray:
    """Leverages (m,) of the pairs in additive least squares under the efficiency constraint."""
    centred = pairs.coalitions - pairs.coalitions.mean(axis=1, keepdims=True)
    gram = (pairs.weights * centred.T) @ centred
    inverse = np.linalg.pinv(gram, rcond=1e-10, hermitian=True)
    return pairs.weights * np.einsum("ij,ij->i", centred @ inverse, centred)
