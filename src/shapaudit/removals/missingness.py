"""Removal by missing values: a model of the target that was trained with features missing."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..models import CountedModel
from ..models.nodes import Nodes
from ..models.trees import TreeEnsemble
from ..models.xgboost import fit_booster
from .base import FittedRemoval, RemovalCard, TrainingData
from .masked_nets import NetworkRemoval, masked_values, refuse_no_probabilities, train_masked
from .own_training import AuxiliaryGame, target_of, uniform_size_masks


@dataclass(frozen=True)
class Missingness(NetworkRemoval):
    """v(S) = what a model predicts of x_S that was trained on the target with features missing.

    Chen et al. 2023, Section 5.1.3; Covert, Lundberg & Lee 2021. Not the model to explain, which
    is not asked. Coalitions have uniform sizes.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    trainer : "network", which is told what is present; or "xgboost", trained on copies of the rows
        with NaN in their absent features, which its trees send to learnt sides
    loss : of the network: "squared-error", or "logistic" for a target from 0 to 1
    n_estimators, max_depth, learning_rate : of the trees, which take ``masks`` copies of each row
    """

    id: ClassVar = "missingness"
    card: ClassVar = RemovalCard(
        definition="The prediction of a model that was trained with features missing.",
        source="Chen et al. 2023, Section 5.1.3; Covert, Lundberg & Lee 2021",
        target="conditional",
        noise="none",
        uses="training",
    )

    trainer: Literal["network", "xgboost"] = "network"
    loss: Literal["squared-error", "logistic"] = "squared-error"
    n_estimators: int = 100
    max_depth: int = 6
    learning_rate: float = 0.1

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The network, or the trees."""
        target = target_of(self, background)
        if self.trainer == "xgboost":
            return self._trees(background, target, rng)
        if self.loss == "logistic":
            refuse_no_probabilities(self, "the targets", target)
        return train_masked(self, background.rows, target, self.loss, rng)

    def _trees(
        self, background: TrainingData, target: np.ndarray, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        copies = np.tile(background.rows, (self.masks, 1))
        copies[~uniform_size_masks(len(copies), copies.shape[1], rng)] = np.nan
        ensemble = fit_booster(
            copies,
            np.tile(target, self.masks),
            f"{self.id}: rows with missing features",
            objective="reg:squarederror",
            n_estimators=self.n_estimators,
            max_depth=self.max_depth,
            learning_rate=self.learning_rate,
            random_state=int(rng.integers(2**31)),
        ).ensemble
        arrays = ensemble.nodes.stored() | {"roots": ensemble.roots}
        base, rows = np.array([ensemble.base_score]), np.array(len(copies))
        return arrays | {"base": base, "trained_rows": rows}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> AuxiliaryGame:
        """The predictions, without noise."""
        if self.trainer == "network":
            return AuxiliaryGame(fitted, masked_values(fitted, explicand, self.loss))
        arrays = fitted.arrays
        nodes = Nodes.made(arrays)
        ensemble = TreeEnsemble(nodes, arrays["roots"], arrays["base"][0], fitted.n_features)
        return AuxiliaryGame(
            fitted, lambda coalitions: ensemble.predict(np.where(coalitions, explicand, np.nan))
        )
