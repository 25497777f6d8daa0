"""DASP: mean outputs of coalitions of each size, by moments handed through a network.

Ancona, Öztireli & Gross 2019. A player's Shapley value is the mean over sizes k of the difference
between coalitions with it and without, k of the others drawn at random. What enters the first layer
is a sum over the players, c_j = (x_j - r_j) W_j beyond the baseline: over draws of k from the N = d
- 1 others its mean is k times theirs, and its variance k (N - k) / (N - 1) times that of theirs,
finite as the population is. It is taken for normal, and from layer to layer only mean and variance
of each unit are handed on, as if units were independent.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models.read_layers import Layers
from .base import Background, ExplainerCard, ExplainerError, ExplainerMethod, FittedExplainer, Names
from .gaussian_moments import activation_moments
from .network_reading import of_network
from .reading import Reading

CELLS = 1 << 18  # numbers (player, size, unit) at a time


@dataclass(frozen=True, eq=False)
class FittedDasp(FittedExplainer):
    """DASP of one network and sizes (K,)."""

    explainer: "Dasp"
    background: Background
    model: Layers
    sizes: np.ndarray

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The network's output (m,), before any softmax."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        values = np.array([self._of_one(row, baselines[0]) for row in explicands])
        base = float(self.model.predict(baselines)[0])
        passes = 2 * len(self.sizes) * explicands.size
        return values.reshape(explicands.shape), base, passes

    def _of_one(self, explicand: np.ndarray, baseline: np.ndarray) -> np.ndarray:
        weight = self.model.weights[0]
        parts = (explicand - baseline)[:, None] * weight  # (d, units)
        start = baseline @ weight + self.model.biases[0]
        block = max(1, CELLS // (2 * len(self.sizes) * weight.shape[1]))
        values = np.empty(len(parts))
        for first in range(0, len(parts), block):
            chosen = slice(first, first + block)
            with_and_without = self._expected(*self._entering(parts, start, chosen))
            values[chosen] = (with_and_without[0] - with_and_without[1]).mean(axis=1)
        return values

    def _entering(
        self, parts: np.ndarray, start: np.ndarray, chosen: slice
    ) -> tuple[np.ndarray, np.ndarray]:
        """Means (2, b, K, units) with and without the b players, and variances (1, b, K, units)."""
        others = len(parts) - 1
        own = parts[chosen]
        mean = (parts.sum(axis=0) - own) / max(others, 1)
        spread = ((parts**2).sum(axis=0) - own**2) / max(others, 1) - mean**2
        sizes = self.sizes[:, None]
        factor = sizes * (others - sizes) / max(others - 1, 1)
        without = start + sizes * mean[:, None]
        means = np.stack([without + own[:, None], without])
        return means, (factor * np.maximum(spread, 0.0)[:, None])[None]

    def _expected(self, mean: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Expected outputs (2, b, K)."""
        model, last = self.model, len(self.model.activations) - 1
        for k, name in enumerate(model.activations):
            mean, left = activation_moments(name, mean, variance, with_variance=k < last)
            mean = mean @ model.weights[k + 1] + model.biases[k + 1]
            if left is not None:
                variance = left @ model.weights[k + 1] ** 2
        return mean[..., 0]


@dataclass(frozen=True)
class Dasp(ExplainerMethod):
    """Baseline values of a network by mean and variance of its units, size by size.

    Two passes per player and size of coalitions, all at once: 2 d^2, or 2 d K with K sizes in equal
    steps. Deterministic. The baseline may be any row, not only zero. `fit` takes the networks that
    `DeepLift` takes.

    Parameters
    ----------
    sizes : K, at most d; 0 for all d
    output : class whose logit is explained; may be left out for networks with one output

    Examples
    --------
    >>> arrays = {"weight0": [[1.0], [1.0]], "bias0": [-1.0], "activation0": "relu",
    ...           "weight1": [[2.0]], "bias1": [0.0]}
    >>> create("dasp").fit(arrays, [[0.0, 0.0]]).explain([1.0, 1.0]).values  # (d,)
    array([1., 1.])
    """

    sizes: int = 0
    output: int | None = None

    id: ClassVar[str] = "dasp"
    names: ClassVar[Names] = {"DASP": {}}
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="network",
        target="baseline",
        definition="Mean and variance of each unit over coalitions of each size, layer by layer.",
        cost=r"O(d K \times \text{weights})",
        source="Ancona, Öztireli & Gross 2019; Chen et al. 2023, Section 5.2.3",
        exact_for="linear networks",
        bias="sums are not normal, and units of a layer not independent",
        efficient=False,
    )

    def _read(self, model: Any) -> Reading:
        return of_network(model, self.output)

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        d = model.n_features
        self.check_features(background, d)
        if not 0 <= self.sizes <= d:
            raise ExplainerError(
                f"{self.id}: coalitions of the other {d - 1} features have {d} sizes; got sizes "
                f"{self.sizes}, give 1 to {d}, or 0 for all."
            )
        count = self.sizes or d
        middles = (2 * np.arange(count) + 1) * d // (2 * count)
        return FittedDasp(self, background, model, middles.astype(np.float64))
