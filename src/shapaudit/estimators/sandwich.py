"""Standard errors of a least squares on sampled coalitions, under the efficiency constraint.

To first order the estimate is off by K sum_i P x_i r_i, a sum over independent units: P projects
on the hyperplane, K inverts P A P there, r_i is a residual. The covariance of the sum is estimated
by its terms' own squares (White 1980), each residual divided by 1 - h_i, h_i the unit's leverage
(MacKinnon & White 1985, HC3): this is close to the jackknife, and makes up for residuals that the
fit has shrunk.
"""

import numpy as np

from .base import BLOCK_CELLS

RANK_TOLERANCE = 1e-10
LEAST_REMAINING = 1e-4  # of 1 - h; below, the fit goes through the unit and says nothing of it


def sandwich_errors(
    gram: np.ndarray,
    coalitions: np.ndarray,
    slopes: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Standard errors (d,); infinite where the units do not determine the estimate.

    Parameters
    ----------
    gram : ndarray (d, d)
        A, the sum of w x x' over the rows.
    coalitions : ndarray (m, d) of bool
        x_i of each unit; the complement of a pair differs by its sign along the hyperplane only.
    slopes : ndarray (m,)
        Weighted residual of the unit, or the difference of the two of a pair.
    weights : ndarray (m,)
        Weight of the unit, for a pair the sum of both.
    """
    d = len(gram)
    centred = gram - gram.mean(axis=0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    roots, axes = np.linalg.eigh(centred)
    # The direction of ones comes first: it is the constraint.
    if roots[1] <= RANK_TOLERANCE * roots[-1]:
        return np.full(d, np.inf)
    inverse = (axes[:, 1:] / roots[1:]) @ axes[:, 1:].T
    # Single precision, relative to the largest, at twice the speed.
    inverse, scale = inverse.astype(np.float32), max(np.abs(slopes).max(), np.finfo(float).tiny)
    total = np.zeros(d)
    block = max(1, BLOCK_CELLS // d)
    for start in range(0, len(coalitions), block):
        part = slice(start, start + block)
        members = coalitions[part].astype(np.float32)
        moved = members @ inverse
        remaining = 1.0 - weights[part] * np.einsum("ij,ij->i", moved, members)
        if remaining.min() <= LEAST_REMAINING:
            return np.full(d, np.inf)
        relative = np.square(slopes[part] / (scale * remaining))
        total += relative.astype(np.float32) @ np.square(moved)
    return scale * np.sqrt(total)
