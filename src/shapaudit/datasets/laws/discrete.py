"""Joint tables with whole-number weights: their probabilities are fractions, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np

from .base import Law, LawError, checked_given, frozen, named

MOST_ATOMS = 1 << 16
TOTAL = 1 << 20  # to which random weights add up, about


@dataclass(frozen=True, eq=False)
class DiscreteLaw(Law):
    """Row k of the support has the probability weights_k / sum of the weights.

    Parameters
    ----------
    support : (n, d), distinct rows
    weights : (n,) positive whole numbers

    Raises `LawError` when these do not fit together.
    """

    kind: ClassVar = "discrete"

    support: np.ndarray
    weights: np.ndarray

    def __post_init__(self) -> None:
        support = np.asarray(self.support, dtype=np.float64)
        weights = np.asarray(self.weights)
        if support.ndim != 2 or weights.shape != (len(support),) or len(support) == 0:
            raise LawError(
                f"a table needs rows (n, d) and as many weights, got {support.shape} and "
                f"{weights.shape}"
            )
        if not np.issubdtype(weights.dtype, np.integer) or (weights < 1).any():
            raise LawError("the weights of a table must be positive whole numbers")
        if len(np.unique(support, axis=0)) < len(support):
            raise LawError("a table has a row twice; add up its weights")
        frozen(self, support=support, weights=weights.astype(np.int64))

    @classmethod
    def square(cls) -> "DiscreteLaw":
        """X1 uniform on -1, 0, 1 and X2 = X1^2: uncorrelated, not independent."""
        return cls(np.array([[-1, 1], [0, 0], [1, 1]]), np.array([1, 1, 1]))

    @classmethod
    def ising(
        cls, rng: np.random.Generator, n_features: int, levels: Sequence[float] = (0.0, 1.0)
    ) -> "DiscreteLaw":
        """A random pairwise model: log-weights are linear and bilinear in the scaled levels.

        Fields N(0, 1/4) and couplings N(0, 1/d), on levels scaled to [-1, 1].
        """
        support = grid(levels, n_features)
        low, high = min(levels), max(levels)
        spins = 2 * (support - low) / (high - low) - 1
        fields = 0.5 * rng.standard_normal(n_features)
        couplings = np.triu(rng.standard_normal((n_features, n_features)), 1)
        energy = spins @ fields + np.einsum("ni,ij,nj->n", spins, couplings, spins) / np.sqrt(
            n_features
        )
        mass = np.exp(energy - energy.max())
        return cls(support, np.maximum(np.rint(TOTAL * mass / mass.sum()), 1).astype(np.int64))

    @classmethod
    def independent(cls, n_features: int, levels: Sequence[float] = (0.0, 1.0)) -> "DiscreteLaw":
        """Independent features, each uniform on the levels."""
        support = grid(levels, n_features)
        return cls(support, np.ones(len(support), dtype=np.int64))

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return self.support.shape[1]

    @property
    def n_uniforms(self) -> int:
        """One number chooses the row."""
        return 1

    @property
    def probabilities(self) -> np.ndarray:
        """Probability (n,) of each row of the support, as a float."""
        return self.weights / self.weights.sum()

    def fractions(self) -> list[Fraction]:
        """Probability of each row of the support, exactly."""
        total = int(self.weights.sum())
        return [Fraction(int(weight), total) for weight in self.weights]

    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """The row in whose stretch of [0, 1] the number lies."""
        ends = np.cumsum(self.weights)
        chosen = np.searchsorted(ends, uniforms[:, 0] * ends[-1], side="right")
        return self.support[np.minimum(chosen, len(ends) - 1)]

    def given(self, members: np.ndarray, values: np.ndarray) -> "DiscreteLaw":
        """The matching rows with their weights; raises `LawError` where there are none."""
        members, values = checked_given(self, members, values)
        matches = (self.support[:, members] == values).all(axis=1)
        if not matches.any():
            told = zip(np.flatnonzero(members).tolist(), values, strict=True)
            raise LawError(
                f"the law has no row with {', '.join(f'{named(j)} = {v:g}' for j, v in told)}; "
                "explain rows that can occur"
            )
        rest = self.support[matches][:, ~members]
        return DiscreteLaw(rest, self.weights[matches])


def grid(levels: Sequence[float], n_features: int) -> np.ndarray:
    """All rows (L^d, d) over the levels."""
    if len(set(levels)) < 2 or len(set(levels)) < len(levels):
        raise LawError(f"levels must be two or more different numbers, got {list(levels)}")
    if len(levels) ** n_features > MOST_ATOMS:
        raise LawError(
            f"{n_features} features of {len(levels)} levels make {len(levels)}^{n_features} rows; "
            f"a table has at most {MOST_ATOMS}; take fewer features"
        )
    return np.array(list(product(levels, repeat=n_features)), dtype=np.float64)
