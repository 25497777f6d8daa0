"""Normal copulas with monotone margins: a latent normal law, each feature a function of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import scipy

from ...parameters import listed
from .base import Law, LawError, checked_given, frozen, named
from .gaussian import GaussianLaw


class Margin(NamedTuple):
    """An increasing function of a standard normal number, and its inverse above ``least``."""

    feature: Callable[[np.ndarray], np.ndarray]
    latent: Callable[[np.ndarray], np.ndarray]
    least: float = -np.inf


def _cubic(z: np.ndarray) -> np.ndarray:
    return z + z**3


def _cubic_latent(x: np.ndarray) -> np.ndarray:
    """The real root of z^3 + z = x, as sinh(3t) = 3 sinh(t) + 4 sinh(t)^3 gives it."""
    return 2 / np.sqrt(3) * np.sinh(np.arcsinh(1.5 * np.sqrt(3) * x) / 3)


def _exponential(z: np.ndarray) -> np.ndarray:
    return -scipy.special.log_ndtr(-z)


def _exponential_latent(x: np.ndarray) -> np.ndarray:
    return -scipy.special.ndtri_exp(-x)


MARGINS: dict[str, Margin] = {
    "cubic": Margin(_cubic, _cubic_latent),
    "exponential": Margin(_exponential, _exponential_latent, 0.0),
    "lognormal": Margin(np.exp, np.log, 0.0),
    "normal": Margin(np.positive, np.positive),
}


@dataclass(frozen=True, eq=False)
class CopulaLaw(Law):
    """X_j = g_j(Z_j) with Z ~ N(mean, covariance) and g_j the margin of the feature.

    Parameters
    ----------
    margins : (d,) keys of `MARGINS`
    mean : (d,), of Z: 0 before anything is given
    covariance : (d, d), of Z: its correlations before anything is given

    Raises `LawError` for an unknown margin, or a covariance that `GaussianLaw` refuses.
    """

    kind: ClassVar = "copula"

    margins: np.ndarray
    mean: np.ndarray
    covariance: np.ndarray

    def __post_init__(self) -> None:
        margins = np.asarray(self.margins, dtype=np.str_)
        if unknown := sorted(set(margins.tolist()) - set(MARGINS)):
            raise LawError(
                f"unknown margin {listed(unknown)}; the known ones are {listed(MARGINS)}"
            )
        latent = GaussianLaw(self.mean, self.covariance)
        if margins.shape != latent.mean.shape:
            raise LawError(
                f"{latent.n_features} features need as many margins, got {margins.shape}"
            )
        frozen(self, margins=margins, mean=latent.mean, covariance=latent.covariance)

    @classmethod
    def factor(
        cls, rng: np.random.Generator, n_features: int, margins: Sequence[str]
    ) -> "CopulaLaw":
        """Correlations by common factors; the margins are gone through in turn."""
        latent = GaussianLaw.factor(rng, n_features)
        turns = [margins[j % len(margins)] for j in range(n_features)]
        return cls(np.array(turns), latent.mean, latent.covariance)

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.mean)

    @property
    def n_uniforms(self) -> int:
        """One number per feature."""
        return len(self.mean)

    @property
    def latent(self) -> GaussianLaw:
        """The law of Z."""
        return GaussianLaw(self.mean, self.covariance)

    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """Rows of the latent law, through the margins."""
        rows = self.latent.from_uniforms(uniforms)
        for j, margin in enumerate(self.margins):
            rows[:, j] = MARGINS[margin].feature(rows[:, j])
        return rows

    def to_latent(self, members: np.ndarray, values: np.ndarray) -> np.ndarray:
        """What Z is (k,) where the members (d,) bool have these values (k,).

        Raises `LawError` naming the feature where a value is outside the range of its margin.
        """
        members, values = checked_given(self, members, values)
        latent = np.empty(len(values))
        for k, j in enumerate(np.flatnonzero(members).tolist()):
            margin = MARGINS[self.margins[j]]
            if values[k] <= margin.least:
                raise LawError(
                    f"feature {named(j)} is {values[k]:g}; its margin, {self.margins[j]}, has "
                    f"values above {margin.least:g} only"
                )
            latent[k] = margin.latent(values[k])
        return latent

    def given(self, members: np.ndarray, values: np.ndarray) -> "CopulaLaw":
        """The latent law given, with the same margins."""
        rest = self.latent.given(members, self.to_latent(members, values))
        return CopulaLaw(self.margins[~members], rest.mean, rest.covariance)
