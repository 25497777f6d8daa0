"""Mixtures of normal laws: conditional laws are mixtures again, with other weights."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import scipy

from .base import Law, LawError, checked_given, frozen
from .gaussian import GaussianLaw

SPREAD = 1.5  # standard deviation of the means of random components


@dataclass(frozen=True, eq=False)
class MixtureLaw(Law):
    """N(means_k, covariances_k) with probability weights_k.

    Parameters
    ----------
    weights : (K,) positive, adding up to 1
    means : (K, d)
    covariances : (K, d, d), each positive definite

    Raises `LawError` when shapes differ, weights are none, or a covariance is singular.
    """

    kind: ClassVar = "mixture"

    weights: np.ndarray
    means: np.ndarray
    covariances: np.ndarray

    def __post_init__(self) -> None:
        weights = np.asarray(self.weights, dtype=np.float64)
        means = np.asarray(self.means, dtype=np.float64)
        covariances = np.asarray(self.covariances, dtype=np.float64)
        if means.ndim != 2 or not len(weights) == len(means) == len(covariances) > 0:
            raise LawError(
                f"a mixture needs as many weights, means and covariances, got {weights.shape}, "
                f"{means.shape} and {covariances.shape}"
            )
        if (weights < 0).any() or not np.isclose(weights.sum(), 1.0):
            raise LawError(f"the weights of a mixture must add up to 1, got {weights.tolist()}")
        frozen(self, weights=weights, means=means, covariances=covariances)
        self.components  # noqa: B018 (each checks its own covariance)

    @classmethod
    def random(cls, rng: np.random.Generator, n_features: int, components: int = 3) -> "MixtureLaw":
        """Equal weights, normal means, and correlations of common factors with unit variances."""
        means = SPREAD * rng.standard_normal((components, n_features))
        laws = [GaussianLaw.factor(rng, n_features) for _ in range(components)]
        weights = np.full(components, 1 / components)
        return cls(weights, means, np.stack([law.covariance for law in laws]))

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return self.means.shape[1]

    @property
    def n_uniforms(self) -> int:
        """One number chooses the component, the others are those of a normal row."""
        return 1 + self.n_features

    @cached_property
    def components(self) -> list[GaussianLaw]:
        """The normal laws (K)."""
        pairs = zip(self.means, self.covariances, strict=True)
        return [GaussianLaw(mean, covariance) for mean, covariance in pairs]

    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """Rows of the components that the first numbers choose."""
        ends = np.cumsum(self.weights)
        chosen = np.searchsorted(ends, uniforms[:, 0] * ends[-1], side="right")
        chosen = np.minimum(chosen, len(ends) - 1)
        rows = np.empty((len(uniforms), self.n_features))
        for k, law in enumerate(self.components):
            rows[chosen == k] = law.from_uniforms(uniforms[chosen == k, 1:])
        return rows

    def given(self, members: np.ndarray, values: np.ndarray) -> "MixtureLaw":
        """Components given one by one, weighted by how likely each makes the values."""
        members, values = checked_given(self, members, values)
        parts = [law.given_with_density(members, values) for law in self.components]
        rest, logs = zip(*parts, strict=True)
        return MixtureLaw(
            scipy.special.softmax(np.log(self.weights) + logs),
            np.stack([law.mean for law in rest]),
            np.stack([law.covariance for law in rest]),
        )
