"""Shallow ShapNets: a sum of modules of few features, explained exactly module by module."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..models import ModelError, ShapleyNetwork
from ..nets.shapnet import stage_forward
from .base import Background, ExplainerCard, ExplainerMethod, FittedExplainer, Names


@dataclass(frozen=True, eq=False)
class FittedShallowShapNet(FittedExplainer):
    """The modules of one network."""

    explainer: "ShallowShapNet"
    background: Background
    model: ShapleyNetwork

    def output(self, rows: np.ndarray) -> np.ndarray:
        """The network's output (m,): of a classifier its log-odds."""
        return self.model.predict(rows)

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        (stage,) = self.model.network.stages()
        moved = self.model.moved(explicands)[:, :, None]
        references = self.model.moved(baselines)[:, None, :, None]
        parts = (stage_forward(stage, moved, reference)[0] for reference in references)
        values = sum(parts, start=np.zeros(()))
        passes = len(explicands) * len(baselines) * 2 ** stage.groups.shape[1]
        base = float(self.model.predict(baselines).mean())
        return values[..., 0] / len(baselines), base, passes


@dataclass(frozen=True)
class ShallowShapNet(ExplainerMethod):
    """Exact marginal values of a network that is a sum of modules of h features each.

    2^h passes per explicand and baseline. `fit` takes what the trainer "shallow-shapnet" gives.

    Examples
    --------
    >>> model = train("shallow-shapnet", dataset, {"size": 3}, seed=0)
    >>> fitted = create("shallow-shapnet").fit(model, dataset)  # training rows are the baselines
    >>> values = fitted.explain(dataset.features[:5]).values  # (5, d), in units of the output
    """

    id: ClassVar[str] = "shallow-shapnet"
    names: ClassVar[Names] = {"Shallow ShapNet": {}}
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="shallow-shapnet",
        target="marginal",
        definition="The exact Shapley values of each module, summed.",
        cost=r"O(2^h \times \text{modules} \times \text{baselines})",
        source="Wang, Wang & Inouye 2021; Chen et al. 2023, Section 5.2.3",
        exact_for="every shallow ShapNet and every background",
    )

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        model = shapnet_of(self.id, model, shallow=True)
        self.check_features(background, model.n_features)
        return FittedShallowShapNet(self, background, model)


def shapnet_of(name: str, model: Any, shallow: bool) -> ShapleyNetwork:
    """The model; raises `ModelError` unless it is a ShapNet of the wanted depth."""
    if not isinstance(model, ShapleyNetwork) or model.shallow != shallow:
        kind = "shallow" if shallow else "deep"
        raise ModelError(
            f"{name} explains {kind} ShapNets, which the trainer '{kind}-shapnet' gives, not "
            f"{type(model).__name__}"
            + (" of another depth" if isinstance(model, ShapleyNetwork) else "")
        )
    return model
