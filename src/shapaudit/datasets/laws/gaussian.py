"""Multivariate normal laws: with common factors, equally correlated, or in independent pairs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from .base import Law, LawError, checked_given, frozen, named, normal_quantiles

SINGULAR = 1e-10  # smallest eigenvalue of a correlation matrix that counts as positive
UNEVEN = 1e-10  # asymmetry of a covariance, relative to its largest entry, that is rounding
INVOLVED = 1e-4  # smallest share of a null vector's largest entry that names a column


@dataclass(frozen=True, eq=False)
class GaussianLaw(Law):
    """N(mean, covariance).

    Parameters
    ----------
    mean : (d,)
    covariance : (d, d), symmetric and positive definite

    Raises `LawError` when shapes differ or the covariance is singular, naming the columns.
    """

    kind: ClassVar = "gaussian"

    mean: np.ndarray
    covariance: np.ndarray

    def __post_init__(self) -> None:
        mean = np.asarray(self.mean, dtype=np.float64)
        covariance = np.asarray(self.covariance, dtype=np.float64)
        check_covariance(covariance, len(mean))
        frozen(self, mean=mean, covariance=covariance)

    @classmethod
    def factor(cls, rng: np.random.Generator, n_features: int, factors: int = 2) -> "GaussianLaw":
        """Unit variances; correlations by common factors with normal loadings, mean 0."""
        loadings = rng.standard_normal((n_features, factors))
        scale = 1.0 / np.sqrt(1.0 + np.square(loadings).sum(axis=1))
        loadings *= scale[:, None]
        return cls(np.zeros(n_features), loadings @ loadings.T + np.diag(scale**2))

    @classmethod
    def equicorrelated(cls, n_features: int, correlation: float) -> "GaussianLaw":
        """Unit variances, one correlation for all pairs, mean 0."""
        covariance = np.full((n_features, n_features), float(correlation))
        np.fill_diagonal(covariance, 1.0)
        return cls(np.zeros(n_features), covariance)

    @classmethod
    def pairs(cls, correlations: np.ndarray) -> "GaussianLaw":
        """Unit variances, mean 0; features 2k and 2k + 1 correlated, pairs independent.

        ``correlations`` (k,) are those of the pairs: the law has 2k features.
        """
        covariance = np.eye(2 * len(correlations))
        for k, correlation in enumerate(correlations):
            covariance[2 * k, 2 * k + 1] = covariance[2 * k + 1, 2 * k] = correlation
        return cls(np.zeros(len(covariance)), covariance)

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.mean)

    @property
    def n_uniforms(self) -> int:
        """One number per feature."""
        return len(self.mean)

    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """mean + L z with L L' the covariance and z the normal quantiles of the numbers."""
        root = np.linalg.cholesky(self.covariance)
        return self.mean + normal_quantiles(uniforms) @ root.T

    def given(self, members: np.ndarray, values: np.ndarray) -> "GaussianLaw":
        """Normal again: regression on the members, and the covariance that it leaves."""
        return self.given_with_density(members, values)[0]

    def given_with_density(
        self, members: np.ndarray, values: np.ndarray
    ) -> tuple["GaussianLaw", float]:
        """What `given` returns, and the logarithm of the density of the values (k,)."""
        members, values = checked_given(self, members, values)
        own, cross = self.covariance[members][:, members], self.covariance[members][:, ~members]
        root = np.linalg.cholesky(own)
        steps = scipy.linalg.solve_triangular(root, values - self.mean[members], lower=True)
        gains = scipy.linalg.solve_triangular(root, cross, lower=True)
        left = self.covariance[~members][:, ~members] - gains.T @ gains
        law = GaussianLaw(self.mean[~members] + gains.T @ steps, (left + left.T) / 2)
        log_density = -0.5 * (steps @ steps + len(values) * np.log(2 * np.pi))
        return law, float(log_density - np.log(np.diag(root)).sum())


def check_covariance(covariance: np.ndarray, n_features: int) -> None:
    """Raise `LawError` unless the matrix is a positive definite covariance of d features."""
    if covariance.shape != (n_features, n_features):
        raise LawError(
            f"a covariance of {n_features} features must have shape ({n_features}, {n_features}), "
            f"got {covariance.shape}"
        )
    size = np.abs(covariance).max(initial=0.0)
    if not (
        np.isfinite(size) and np.abs(covariance - covariance.T).max(initial=0.0) <= UNEVEN * size
    ):
        raise LawError("a covariance must be finite and symmetric")
    if columns := dependent_columns(covariance):
        raise LawError(
            f"the covariance is singular: the columns {', '.join(map(named, columns))} are "
            "constant or combinations of one another; drop one of them"
        )


def dependent_columns(covariance: np.ndarray) -> list[int]:
    """Columns of a covariance (d, d) that are constant, else that one linear relation holds of.

    Empty where the matrix is positive definite: the smallest eigenvalue of the correlations is
    above 1e-10.
    """
    variances = np.diag(covariance)
    if constant := np.flatnonzero(variances <= 0).tolist():
        return constant
    if len(variances) == 0:
        return []
    scale = 1 / np.sqrt(variances)
    eigenvalues, vectors = np.linalg.eigh(covariance * np.outer(scale, scale))
    if eigenvalues[0] > SINGULAR:
        return []
    relation = np.abs(vectors[:, 0])
    return np.flatnonzero(relation > INVOLVED * relation.max()).tolist()
