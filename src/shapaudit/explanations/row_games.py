"""The game of each row of a table: absent columns come from a background, or from a removal."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd

from ..datasets.mixed import Players, TableError
from ..models.model_files import Ordered
from ..models.predictors import Predictor
from ..models.read_trees import ReadTrees, read_trees
from ..removals import FittedRemoval, Removal, RemovalError
from .asking import MOST_ROWS, Outputs
from .rows_game import RowsGame
from .sampling import Values

SETS = 10  # of draws of a removal, whose values are averaged and whose spread gives the errors


class RowGames(Protocol):
    """What makes the game of each row."""

    def of(self, row: pd.DataFrame, codes: np.ndarray, seed: int) -> list[Values]:
        """The game of a table of one row, whose entries have the numbers ``codes`` (1, p).

        Of a removal that draws there are several, each with draws of its own.
        """
        ...


@dataclass(frozen=True)
class MarginalGames:
    """Absent columns are taken from the rows of a background.

    Attributes
    ----------
    predict : the model
    background : table (b, p)
    players : which columns move together
    batch : rows per call of the model, at most
    outputs : those of a slow model, which are remembered; None: they are not
    codes : (b, p) numbers of the entries of the background, see `entry_codes`
    """

    predict: Callable[[pd.DataFrame], np.ndarray]
    background: pd.DataFrame
    players: Players
    batch: int = MOST_ROWS
    outputs: Outputs | None = None
    codes: np.ndarray | None = None

    def of(self, row: pd.DataFrame, codes: np.ndarray, seed: int) -> list[Values]:
        """The game of a row."""
        own = None if self.codes is None else np.concatenate([self.codes, codes])
        game = RowsGame(
            self.predict,
            row,
            self.background,
            self.players,
            outputs=self.outputs,
            codes=own,
            batch=self.batch,
        )
        return [game]


@dataclass(frozen=True)
class RemovalGames:
    """Absent columns are removed by a removal that was fitted for each output.

    Attributes
    ----------
    fitted : for each output; of a removal that draws, for one of the sets
    players : which columns move together
    sets : of draws
    """

    fitted: tuple[FittedRemoval, ...]
    players: Players
    sets: int = 1

    def of(self, row: pd.DataFrame, codes: np.ndarray, seed: int) -> list[Values]:
        """The games of a row, one for each set of draws; these come from the seed and the row."""
        own = [int(code) for code in codes[0]]
        return [self._game(row, [seed, number, *own]) for number in range(self.sets)]

    def _game(self, row: pd.DataFrame, seed: list[int]) -> Values:
        owner = self.players.of_columns()
        games = [
            fitted.game(row, np.random.default_rng([*seed, number]))
            for number, fitted in enumerate(self.fitted)
        ]
        return lambda coalitions: np.stack([game(coalitions[:, owner]) for game in games], axis=1)


class OneOutput:
    """One of the outputs of a model of tables."""

    def __init__(self, predict: Predictor, output: int):
        self._predict, self._output = predict, output

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        """Outputs (m,) of the rows of a table."""
        return self._predict(rows)[:, self._output]

    def trees(self) -> ReadTrees:
        """The trees of the model, whose sum may differ from the output.

        Raises `ModelError` for a model of another kind.
        """
        model = self._predict.model
        output = None if self._predict.total == 1 else self._predict.columns[self._output]
        named = isinstance(model, Ordered)
        trees = model.trees(output) if named else read_trees(model, output)
        names = tuple(map(str, model.names)) if named else trees.names
        return replace(trees, own=self.predict, names=names, what="the model")


def removal_games(
    removal: Removal, predict: Predictor, background: pd.DataFrame, players: Players, seed: int
) -> RemovalGames:
    """A removal fitted to the rows of a background, once for each output.

    The draws of a removal are divided into `SETS`, whose values differ by what their number lacks.
    Raises `TableError` for categories of a removal that does not keep them, and data that the
    removal cannot use.
    """
    try:
        fitted = [
            removal.fit(
                OneOutput(predict, number), background, np.random.default_rng([seed, number])
            )
            for number in range(len(predict.names))
        ]
    except RemovalError as error:
        raise TableError(str(error)) from error
    draws = getattr(removal, "draws", 0)
    if removal.card is None or removal.card.noise != "frozen" or draws < SETS:
        return RemovalGames(tuple(fitted), players)
    fewer: Any = {"draws": draws // SETS}
    parts = [replace(each, removal=replace(removal, **fewer)) for each in fitted]
    return RemovalGames(tuple(parts), players, SETS)
