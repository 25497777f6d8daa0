"""The game of a table's row: absent players take their columns from rows of a background."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from .tables import Players

CHUNK = 1 << 16  # rows that are put together at a time


class RowsGame:
    """v(S) = mean over background rows b of f(x on the columns of S, b on the others).

    The marginal game of Chen, Covert, Lundberg & Lee (2023), Section 4.3; with one background row
    it is the baseline game. Columns may be of any type that pandas has, and a player may be several
    of them. Rows that are equal are evaluated once per call.

    Parameters
    ----------
    predict : maps a table of m rows to outputs (m,)
    explicand : table of one row
    background : table of k rows, of the same columns
    players : which columns move together

    Attributes
    ----------
    rows : rows of the model that were evaluated so far
    sources : the background rows and, last, the explained one
    """

    def __init__(
        self,
        predict: Callable[[pd.DataFrame], np.ndarray],
        explicand: pd.DataFrame,
        background: pd.DataFrame,
        players: Players,
    ):
        self.predict = predict
        self.players = players
        self.n_players = len(players)
        self.name = "rows of a table"
        self.rows = 0
        self.sources = pd.concat([background, explicand], ignore_index=True)
        self._owner = players.of_columns()
        self._k = len(background)
        self._same = self._first_equal_rows()

    def _first_equal_rows(self) -> np.ndarray:
        """For each source row and column the first source row of equal value, (k + 1, p)."""
        same = np.empty(self.sources.shape, dtype=np.int64)
        for j, (_, column) in enumerate(self.sources.items()):
            codes = pd.factorize(column, use_na_sentinel=False)[0]
            first = np.full(codes.max() + 1, len(codes))
            np.minimum.at(first, codes, np.arange(len(codes)))
            same[:, j] = first[codes]
        return same

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        size = max(1, CHUNK // self._k)
        parts = [
            self._values(coalitions[start : start + size])
            for start in range(0, len(coalitions), size)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _values(self, coalitions: np.ndarray) -> np.ndarray:
        present = coalitions[:, self._owner]
        taken = np.where(present[:, None], self._k, np.arange(self._k)[None, :, None])
        taken = taken.reshape(-1, len(self._owner))
        origin = np.take_along_axis(self._same, taken, axis=0)
        distinct, place = np.unique(origin, axis=0, return_inverse=True)
        outputs = self.predict(self._rows_of(distinct))
        self.rows += len(distinct)
        return outputs[place.ravel()].reshape(len(coalitions), self._k).mean(axis=1)

    def _rows_of(self, origin: np.ndarray) -> pd.DataFrame:
        """The rows that take each column from the source rows ``origin`` (m, p)."""
        columns = {
            name: column.take(origin[:, j]).set_axis(range(len(origin)))
            for j, (name, column) in enumerate(self.sources.items())
        }
        return pd.DataFrame(columns)
