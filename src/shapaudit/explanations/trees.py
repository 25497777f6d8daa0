"""Shapley values that are read off the trees of a model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import Players
from ..models.model_files import Ordered
from ..models.read_trees import ReadTrees, read_trees
from ..truth import mean_tree_shapley

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
        rows = self.trees.encode(self._features(sources))
        values = np.zeros(sources.shape[1])
        values[self.places] = mean_tree_shapley(self.trees.ensemble, rows[-1], rows[:-1])
        return values

    def shapley(self, table: pd.DataFrame, background: pd.DataFrame) -> np.ndarray:
        """Values (m, p) of the columns for the rows of a table, over all background rows."""
        rows, others = (self.trees.encode(self._features(each)) for each in (table, background))
        values = np.zeros(table.shape)
        values[:, self.places] = mean_tree_shapley(self.trees.ensemble, rows, others)
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
    named = isinstance(model, Ordered)
    try:
        trees = model.trees(output) if named else read_trees(model, output)
        columns = [rows.columns.get_loc(name) for name in model.names] if named else rows.columns
        made = Trees(trees, np.array(columns) if named else np.arange(len(columns)))
        gap = np.abs(made.outputs(rows.iloc[: len(outputs)]) - outputs).max()
    except Exception:  # whatever a version of another package makes of it
        return None
    return made if gap <= CLOSE * np.abs(outputs).max() else None
