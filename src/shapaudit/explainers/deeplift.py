"""DeepLIFT: differences of activations handed back through a network, against one baseline."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from ..models.read_layers import Layers
from .base import Background, ExplainerCard, ExplainerMethod, FittedExplainer, Names
from .multipliers import RULES
from .network_reading import of_network
from .reading import Reading

CELLS = 1 << 18  # numbers (explicand, baseline, unit) at a time, so that they stay in the cache
BIAS = "interactions of features within and across units; none where the network is linear"


@dataclass(frozen=True, eq=False)
class FittedDeepLift(FittedExplainer):
    """DeepLIFT of one network, averaged over baselines."""

    explainer: "DeepLift"
    background: Background
    model: Layers

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The network's output (m,), before any softmax."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        contributions = RULES[self.explainer.rule]
        widest = max(weight.size // len(weight) for weight in self.model.weights)
        size = max(1, CELLS // (len(baselines) * max(widest, self.model.n_features)))
        values = np.empty_like(explicands)
        for start in range(0, len(explicands), size):
            chosen = slice(start, start + size)
            by_baseline = contributions(self.model, explicands[chosen], baselines)[0]
            values[chosen] = by_baseline.mean(axis=1)
        m, k = len(explicands), len(baselines)
        return values, float(self.model.predict(baselines).mean()), m + k + m * k


@dataclass(frozen=True)
class DeepLift(ExplainerMethod):
    """A network's difference from one baseline, handed back layer by layer.

    `fit` takes a `Perceptron`, `NetworkRegression` or `nets.Network`, scikit-learn's multilayer
    perceptrons, and arrays ``weight0`` (inputs, outputs), ``bias0`` (outputs,), ``activation0``,
    ``weight1``, ... as a mapping or npz file. A classifier's logit is explained, before softmax.
    Its passes are one forwards per row and one backwards per explicand and baseline.

    Parameters
    ----------
    rule : "rescale" or "reveal-cancel", which tells positive from negative parts
    output : class whose logit is explained; may be left out for networks with one output

    Examples
    --------
    >>> arrays = {"weight0": [[1.0], [1.0]], "bias0": [-1.0], "activation0": "relu",
    ...           "weight1": [[2.0]], "bias1": [0.0]}
    >>> create("deeplift").fit(arrays, [[0.0, 0.0]]).explain([1.0, 1.0]).values  # (d,)
    array([1., 1.])
    """

    rule: Literal["rescale", "reveal-cancel"] = "rescale"
    output: int | None = None

    id: ClassVar[str] = "deeplift"
    names: ClassVar[Names] = {
        "DeepLIFT": {},
        "DeepLIFT Rescale": {"rule": "rescale"},
        "DeepLIFT RevealCancel": {"rule": "reveal-cancel"},
    }
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="network",
        target="baseline",
        definition="Differences of activations handed back by multipliers, one per unit.",
        cost=r"O(\text{weights})",
        source="Shrikumar, Greenside & Kundaje 2017, Section 3; Chen et al. 2023, Section 5.2.3",
        exact_for="linear networks; single units as far as the rule is their Shapley value",
        bias=BIAS,
    )

    def _read(self, model: Any) -> Reading:
        return of_network(model, self.output)

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        self.check_features(background, model.n_features)
        return FittedDeepLift(self, background, model)
