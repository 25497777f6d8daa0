"""Covariance matrices, estimated or given; singular ones are named by their columns."""

from collections.abc import Sequence

import numpy as np

from ..parameters import listed
from .background import Background, ExplainerError

SMALLEST = 1e-10  # eigenvalue of a correlation matrix, over its largest, that counts as not zero
SHARE = 1e-6  # of a column in the null space, from which the column is reported


def estimated_covariance(name: str, background: Background) -> np.ndarray:
    """Covariance (d, d) of the background's rows.

    Raises `ExplainerError`, naming the columns, where it is singular.
    """
    n, d = background.rows.shape
    if n <= d:
        raise ExplainerError(
            f"{name}: {n} rows do not determine the covariance of {d} columns; give at least "
            f"{d + 1} rows, or a covariance."
        )
    covariance = np.atleast_2d(np.cov(background.rows, rowvar=False))
    return checked_covariance(name, covariance, background.names)


def checked_covariance(name: str, covariance: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """The matrix as (d, d) float64; raises `ExplainerError` unless it is positive definite."""
    covariance = np.array(covariance, dtype=np.float64)
    d = len(names)
    if covariance.shape != (d, d) or not np.isfinite(covariance).all():
        raise ExplainerError(
            f"{name}: the covariance must be ({d}, {d}) finite numbers, not {covariance.shape}."
        )
    if not np.allclose(covariance, covariance.T, rtol=1e-10, atol=0.0):
        raise ExplainerError(f"{name}: the covariance is not symmetric.")
    variances = covariance.diagonal()
    if constant := [names[j] for j in np.flatnonzero(variances <= 0).tolist()]:
        raise ExplainerError(
            f"{name}: the columns {listed(constant)} have no variance; leave them out, their "
            "conditional values are not determined."
        )
    scales = np.sqrt(variances)
    eigenvalues, vectors = np.linalg.eigh(covariance / np.outer(scales, scales))
    if eigenvalues[0] < -SMALLEST * eigenvalues[-1]:
        raise ExplainerError(f"{name}: the covariance has a negative eigenvalue; it is none.")
    null = vectors[:, eigenvalues <= SMALLEST * eigenvalues[-1]]
    if null.size:
        involved = [names[j] for j in np.flatnonzero((null**2).sum(axis=1) > SHARE).tolist()]
        raise ExplainerError(
            f"{name}: the covariance is singular: the columns {listed(involved)} determine one "
            f"another. Leave out {null.shape[1]} of them."
        )
    return (covariance + covariance.T) / 2
