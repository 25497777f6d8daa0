"""Variances of larger likelihood, step by step (MacKay 1992).

At a maximum of the likelihood what a part of the covariance explains, in units of the scale, is
what is expected of it. A step multiplies its variance by the one over the other.
"""

import numpy as np

FACTOR = 1e2  # by which a variance changes in a step, at most


def change(explained: np.ndarray | float, expected: np.ndarray | float) -> np.ndarray:
    """The factor of each variance."""
    return np.clip(explained / np.maximum(expected, 1e-300), 1.0 / FACTOR, FACTOR)
