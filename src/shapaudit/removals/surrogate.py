"""Removal by a surrogate: one network learns f's expectation from any features."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..models import CountedModel
from .base import FittedRemoval, RemovalCard, RemovalError, TrainingData
from .masked_nets import NetworkRemoval, masked_values, refuse_no_probabilities, train_masked
from .own_training import AuxiliaryGame


@dataclass(frozen=True)
class Surrogate(NetworkRemoval):
    """v(S) = g(x_S, S), where the network g is trained to predict f from any features.

    Frye et al. 2021; Chen et al. 2023, Section 5.1.3. Coalitions have uniform sizes, members
    uniform given the size; the network is told which features are present. Training takes f once
    on each row; a value takes no row of f, and one of g.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    loss : "squared-error", or "logistic" where f gives probabilities
    ends : whether v of the empty and the grand coalition are "learnt", or "known": the mean of f
        over the rows, and f(x)
    """

    id: ClassVar = "surrogate"
    card: ClassVar = RemovalCard(
        definition="The output of a network that predicts the model from the features of S.",
        source="Frye et al. 2021; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="none",
        uses="expectation",
    )

    loss: Literal["squared-error", "logistic"] = "squared-error"
    ends: Literal["learnt", "known"] = "learnt"

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The network, and the mean of f."""
        outputs = np.asarray(model.predict(background.rows), dtype=np.float64)
        if not np.isfinite(outputs).all():
            row = int(np.argmin(np.isfinite(outputs)))
            raise RemovalError(
                f"{self.id}: the model's output is {outputs[row]} on training row {row}; make the "
                "model give finite numbers."
            )
        if self.loss == "logistic":
            refuse_no_probabilities(self, "the model's outputs", outputs)
        learnt = train_masked(self, background.rows, outputs, self.loss, rng)
        return learnt | {"mean_output": np.array([outputs.mean()])}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> AuxiliaryGame:
        """The network's outputs, without noise."""
        values = masked_values(fitted, explicand, self.loss)
        if self.ends == "learnt":
            return AuxiliaryGame(fitted, values)
        empty = fitted.arrays["mean_output"][0]
        grand = fitted.model.predict(explicand[None])[0]

        def with_known_ends(coalitions: np.ndarray) -> np.ndarray:
            predicted = values(coalitions)
            predicted[~coalitions.any(axis=1)] = empty
            predicted[coalitions.all(axis=1)] = grand
            return predicted

        return AuxiliaryGame(fitted, with_known_ends, prepared_rows=1)
