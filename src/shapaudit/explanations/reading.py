"""Shapley values that are read from a model, where its sums are those that the model gives."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ..datasets.mixed import Players
from ..models.predictors import Predictor
from .trees import trees_of

ROWS = 256  # rows on which what was read is compared with the model


class ReadOutput(Protocol):
    """One output of a model, as it was read from it."""

    def outputs(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m,) of the rows of a table."""
        ...

    def shapley(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (m, p) of the columns, absent columns being taken from all background rows."""
        ...


@dataclass(frozen=True)
class Reading:
    """All outputs of a model, as they were read from it.

    Attributes
    ----------
    method : "trees" or "linear"
    outputs : each of the k outputs
    """

    method: str
    outputs: tuple[ReadOutput, ...]

    def values(
        self, table: pd.DataFrame, background: pd.DataFrame
    ) -> tuple[np.ndarray, np.ndarray]:
        """Values (n, p, k) of the rows of a table, and base values (k,)."""
        values = [output.shapley(table, background) for output in self.outputs]
        base = [output.outputs(background).mean() for output in self.outputs]
        return np.stack(values, axis=2), np.array(base)


def read(model: Any, predict: Predictor, players: Players, table: pd.DataFrame) -> Reading | None:
    """What a model is made of, if its sums are the outputs that ``predict`` gives of a table.

    They are compared on the last `ROWS` rows. None for models of another kind, for players that
    are several columns, and where the sums differ.
    """
    if any(len(columns) != 1 for columns in players.columns):
        return None
    rows = table.tail(ROWS).reset_index(drop=True)
    given = predict(rows)
    numbers = [None] if predict.total == 1 else predict.columns
    trees = [
        trees_of(model, number, players, rows, given[:, place])
        for place, number in enumerate(numbers)
    ]
    if any(each is None for each in trees):
        return None
    return Reading("trees", tuple(each for each in trees if each is not None))
