"""Removal by a baseline: absent features take the values of one reference row."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..games import BaselineGame
from ..models import CountedModel
from .base import FittedRemoval, Removal, RemovalCard, TrainingData
from .completed import refuse_outputs


@dataclass(frozen=True)
class Baseline(Removal):
    """v(S) = f(x_S, b_absent) (Chen et al. 2023, Section 4.2, Equation 2): one row per value.

    Categories are kept by a drawn row; other rows need columns of numbers.

    Parameters
    ----------
    row : "mean" or "median" of each feature over the training rows, "zero" in all features, or
        "drawn", a training row for each game
    """

    id: ClassVar = "baseline"
    card: ClassVar = RemovalCard(
        definition="Absent features take the values of one reference row.",
        source="Chen et al. 2023, Section 4.2, Equation 2",
        target="baseline",
        noise="frozen",
        uses="rows",
        exact_for="the game of its own reference row",
    )

    row: Literal["mean", "median", "zero", "drawn"] = "mean"

    @property
    def keeps_categories(self) -> bool:
        """A row that was drawn has categories; means have none."""
        return self.row == "drawn"

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The reference row, or all rows to draw it from."""
        rows = background.rows
        if self.row == "drawn":
            return {"baselines": rows}
        centres = {"mean": rows.mean(axis=0), "median": np.median(rows, axis=0)}
        return {"baselines": centres.get(self.row, np.zeros(rows.shape[1]))[None]}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> "CheckedGame":
        """The baseline game of the reference row."""
        baselines = fitted.arrays["baselines"]
        chosen = baselines[rng.integers(len(baselines))] if len(baselines) > 1 else baselines[0]
        return CheckedGame(fitted, explicand, chosen)


class CheckedGame(BaselineGame):
    """The game of a reference row; raises `RemovalError` for outputs that are not finite."""

    def __init__(self, fitted: FittedRemoval, explicand: np.ndarray, baseline: np.ndarray):
        super().__init__(fitted.model.predict, explicand, baseline, fitted.removal.id)
        self.names = fitted.names

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        values = super().__call__(coalitions)
        refuse_outputs(self.name, self.names, values, lambda row: coalitions[row])
        return values
