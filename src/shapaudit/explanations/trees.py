"""Shapley values that are read off the trees of a model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ..datasets.mixed import Players
from ..models.model_files import Ordered
from ..models.read_trees import ReadTrees, read_trees
from ..truth import read_tree_shapley

CLOSE = 1e-4  # of the largest output: XGBoost and LightGBM sum in single precision


@dataclass(frozen=True)
class Trees:
    """Trees of a model of a table's columns.

    Attributes
    ----------
    trees : over the features
    places : number of the column of each feature
    """

    trees: ReadTrees
    places: np.ndarray

    def values(self, sources: pd.DataFrame) -> np.ndarray:
        """Values (p,) of the columns for the last row, the others being the background."""
        return self.shapley(sources.tail(1), sources[:-1])[0]

    def shapley(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (m, p) of the columns for the rows of a table, over all background rows."""
        rows, others = (self._features(each) for each in (table, background))
        values = np.zeros(table.shape)
        values[:, self.places] = read_tree_shapley(self.trees, rows, others)
        return values

    def outputs(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m,) of the rows of a table."""
        return self.trees.predict(self._features(table))

    def _features(self, table: pd.DataFrame) -> np.ndarray:
        return self.trees.numbers(table.iloc[:, self.places])


def trees_of(
    model: Any,
    output: int | None,
    players: Players,
    rows: pd.DataFrame,
    outputs: np.ndarray,
) -> Trees | None:
    """Trees that give one of the model's outputs (m,) on the first rows, a player being a column.

    ``output`` is its number, None where there is one. None for a model of another kind, for one
    whose outputs are no sum of its trees, such as the probabilities of a booster, and for columns
    that hold neither numbers nor categories that the model knows.
    """
    if any(len(columns) != 1 for columns in players.columns):
        return None
    trees = trees_in(model, output, rows.columns)
    return trees if trees is not None and gives(trees, rows[: len(outputs)], outputs) else None


def trees_in(model: Any, output: int | None, columns: pd.Index) -> Trees | None:
    """The trees of a model of some columns, found by their names; None for another kind."""
    named = isinstance(model, Ordered)
    try:
        trees = model.trees(output) if named else read_trees(model, output)
        return Trees(trees, places_of(model.names if named else trees.names, columns))
    except Exception:  # whatever a version of another package makes of it
        return None


def places_of(names: Sequence[str], columns: pd.Index) -> np.ndarray:
    """Numbers of the columns that the features of a model are, by name where they are theirs."""
    known = [str(name) for name in columns]
    if len(names) and {*names} <= {*known}:
        return np.array([known.index(name) for name in names])
    return np.arange(len(columns))


class Readable(Protocol):
    """One output of a model, as it was read from it."""

    def outputs(self, table: pd.DataFrame) -> np.ndarray:
        """Outputs (m,) of the rows of a table."""
        ...


def gives(read: Readable, rows: pd.DataFrame, outputs: np.ndarray) -> bool:
    """Whether what was read has the outputs (m,) that the model gives of some rows."""
    try:
        gap = np.abs(read.outputs(rows) - outputs).max()
    except Exception:  # whatever a version of another package makes of it
        return False
    return bool(gap <= CLOSE * np.abs(outputs).max())
