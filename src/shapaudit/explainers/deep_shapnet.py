"""Deep ShapNets: what the last stage hands on is the explanation."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models import ShapleyNetwork
from .base import Background, ExplainerCard, ExplainerError, ExplainerMethod, FittedExplainer, Names
from .shallow_shapnet import shapnet_of


@dataclass(frozen=True, eq=False)
class FittedDeepShapNet(FittedExplainer):
    """One network."""

    explainer: "DeepShapNet"
    background: Background
    model: ShapleyNetwork

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The network's output (m,): of a classifier its log-odds."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        _check_reference(self.model, baselines)
        shares = self.model.network.shares(self.model.moved(explicands))
        base = float(self.model.network.bias[0])
        return shares[:, : self.model.n_features], base, len(explicands)


@dataclass(frozen=True)
class DeepShapNet(ExplainerMethod):
    """The parts that a network of stages sums: one pass, and efficient by construction.

    Each stage hands on the Shapley values of its modules, against the network's own reference and
    no other; those of the whole network they are not. `fit` takes what the trainer "deep-shapnet"
    gives, and its reference as the baseline.

    Examples
    --------
    >>> model = train("deep-shapnet", dataset, {}, seed=0)
    >>> fitted = create("deep-shapnet").fit(model, model.reference)  # (d,)
    >>> values = fitted.explain(dataset.features[:5]).values  # (5, d), in units of the output
    """

    id: ClassVar[str] = "deep-shapnet"
    names: ClassVar[Names] = {"Deep ShapNet": {}}
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="deep-shapnet",
        target="baseline",
        definition="Shapley values of modules, handed on as the inputs of the next stage.",
        cost=r"O(2^h \times \text{modules} \times \text{stages})",
        source="Wang, Wang & Inouye 2021; Chen et al. 2023, Section 5.2.3",
        exact_for="networks whose stages after the first are linear and weigh all features alike",
        bias="Shapley values of Shapley values, stage by stage, are not those of the whole",
    )

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        model = shapnet_of(self.id, model, shallow=False)
        self.check_features(background, model.n_features)
        _check_reference(model, background.rows)
        return FittedDeepShapNet(self, background, model)


def _check_reference(model: ShapleyNetwork, baselines: np.ndarray) -> None:
    if not np.array_equal(baselines[0], model.reference):
        raise ExplainerError(
            f"{DeepShapNet.id}: the network was built for one baseline; give model.reference."
        )
