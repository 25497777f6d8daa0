"""MacKay's fixed-point updates of variances, which increase the likelihood (MacKay 1992).

At a maximum of the likelihood, the energy that a part of the covariance explains, in units of the
scale, equals its expectation. A step multiplies the variance of the part by the ratio of the two.
"""

import numpy as np

FACTOR = 1e2  # by which a variance changes in a step, at most


def change(explained: np.ndarray | float, expected: np.ndarray | float) -> np.ndarray:
    """MacKay's update factor, explained over expected energy, clipped to [1 / FACTOR, FACTOR]."""
    return np.clip(explained / np.maximum(expected, 1e-300), 1.0 / FACTOR, FACTOR)
