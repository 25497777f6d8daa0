"""Shapley values that are read from a model, where its sums are those that the model gives."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ..datasets.mixed import Players
from ..models.predictors import Predictor
from ..models.read_linear import ReadLinear, read_linear
from .trees import Readable, gives, places_of, trees_in

ROWS = 256  # rows on which what was read is compared with the model


class ReadOutput(Readable, Protocol):
    """One output of a model, as it was read from it."""

    def shapley(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (m, p) of the columns, absent columns being taken from all background rows."""
        ...


@dataclass(frozen=True)
class Linear:
    """A linear function of the columns of a table.

    Attributes
    ----------
    read : over the features
    places : number of the column of each feature
    """

    read: ReadLinear
    places: np.ndarray

    def shapley(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (m, p): coefficients times the distances from the means of the background."""
        values = np.zeros(table.shape)
        means = self._features(background).mean(axis=0)
        values[:, self.places] = self.read.coefficients * (self._features(table) - means)
        return values

    def outputs(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m,) of the rows of a table."""
        return self.read.predict(self._features(table))

    def _features(self, table: pd.DataFrame) -> np.ndarray:
        return self.read.numbers(table.iloc[:, self.places])


@dataclass(frozen=True)
class Reading:
    """All outputs of a model, as they were read from it.

    Attributes
    ----------
    method : "trees" or "linear"
    outputs : each of the k outputs
    players : which columns move together
    """

    method: str
    outputs: Sequence[ReadOutput]
    players: Players

    def values(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (n, d, k) of the rows of a table."""
        values = [self._of_players(read.shapley(table, background)) for read in self.outputs]
        return np.stack(values, axis=2)

    def base(self, background: pd.DataFrame) -> np.ndarray:
        """Base values (k,): mean outputs over a background."""
        return np.array([read.outputs(background).mean() for read in self.outputs])

    def _of_players(self, values: np.ndarray) -> np.ndarray:
        """Values (n, d) of the players: of a linear function the sums of those of its columns."""
        owned = [values[:, list(columns)].sum(axis=1) for columns in self.players.columns]
        return np.stack(owned, axis=1)


def read(model: Any, predict: Predictor, players: Players, table: pd.DataFrame) -> Reading | None:
    """What a model is made of, if its sums are the outputs that ``predict`` gives of a table.

    They are compared on the last `ROWS` rows, for which the model is asked only where it could be
    read. None for models of another kind, and where the sums differ.
    """
    numbers: Sequence[int | None] = [None] if predict.total == 1 else predict.columns
    single = all(len(columns) == 1 for columns in players.columns)
    readers = {"linear": _linear_in} | ({"trees": trees_in} if single else {})
    for method, reader in readers.items():
        outputs: list[Any] = [reader(model, number, table.columns) for number in numbers]
        if all(read is not None for read in outputs):
            rows = table.tail(ROWS).reset_index(drop=True)
            given = predict(rows)
            if all(gives(read, rows, given[:, k]) for k, read in enumerate(outputs)):
                return Reading(method, outputs, players)
    return None


def _linear_in(model: Any, output: int | None, columns: pd.Index) -> Linear | None:
    """The linear function that a model is; None for another kind."""
    try:
        linear = read_linear(model, output)
        return Linear(linear, places_of(linear.names, columns))
    except Exception:  # whatever a version of another package makes of it
        return None
