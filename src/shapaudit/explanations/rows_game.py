"""The game of a table's row: absent players take their columns from rows of a background."""

import hashlib
from collections.abc import Callable
from functools import cached_property

import numpy as np
import pandas as pd

from ..datasets.mixed import (
    Players,
    TableError,
    check_distinct,
    distinct_rows,
    first_equal_rows,
    rows_from,
)
from ..parameters import shortlist
from .asking import MOST_ROWS, Outputs
from .given import table_of
from .tables import aligned


class RowsGame:
    """v(S) = mean over background rows b of f(x on the columns of S, b on the others).

    The marginal game of Chen, Covert, Lundberg & Lee (2023), Section 4.3; with one background row
    it is the baseline game. Columns may be of any type that pandas has, and a player may be several
    of them. Rows that are equal are evaluated once per call; with ``outputs`` once in all.

    Parameters
    ----------
    predict : maps a table of m rows to outputs (m,), or to k outputs of each (m, k); it is given
        arrays where the background is one
    explicand : table of one row
    background : table of b rows, of the same columns; the model is given them in this order
    players : which columns move together
    outputs : those remembered, by the numbers that ``codes`` gives the entries of the sources
    codes : (b + 1, p), equal where entries of a column are, in all games that share the outputs
    batch : rows per call of the model, at most

    Attributes
    ----------
    rows : rows of the model that were evaluated so far
    sources : the background rows and, last, the explained one

    Columns are matched by name, in whatever order they come. Raises `TableError` where they are not
    the same, and for a background without rows.
    """

    def __init__(
        self,
        predict: Callable[..., np.ndarray],
        explicand: pd.DataFrame | np.ndarray,
        background: pd.DataFrame | np.ndarray,
        players: Players,
        *,
        outputs: Outputs | None = None,
        codes: np.ndarray | None = None,
        batch: int = MOST_ROWS,
    ):
        self.predict = predict
        self.players = players
        self.n_players = len(players)
        self.name = "rows of a table"
        self.rows = 0
        self._arrays = not isinstance(background, pd.DataFrame)
        rows = table_of(background, what="the background").reset_index(drop=True)
        row = table_of(explicand, what="the explicand")
        if len(row) != 1:
            raise TableError(f"the explicand has {len(row)} rows; give one, as table.iloc[[0]]")
        row = aligned(row, list(rows.columns), "the explicand", "the background")
        self.sources = pd.concat([rows, row], ignore_index=True)
        self._known, self._codes, self._batch = outputs, codes, batch
        self._owner = _owners(players, [str(name) for name in rows.columns])
        self._k = len(rows)
        self._same = first_equal_rows(self.sources)
        self._marks = np.random.default_rng(0).integers(
            0, 2**64, size=self._same.shape, dtype=np.uint64
        )
        plain = all(dtype == np.float64 for dtype in self.sources.dtypes)
        self._numbers = self.sources.to_numpy() if plain else None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of explicand, background and players, by which files of values are recognised."""
        rows = pd.util.hash_pandas_object(self.sources, index=False).to_numpy().tobytes()
        names = repr((list(map(str, self.sources.columns)), self.players))
        return hashlib.sha256(rows + names.encode()).hexdigest()

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values of the coalitions (m, d) bool: (m,), or (m, k) for a model of k outputs."""
        size = max(1, MOST_ROWS // self._k)
        parts = [
            self._values(coalitions[start : start + size])
            for start in range(0, len(coalitions), size)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _values(self, coalitions: np.ndarray) -> np.ndarray:
        present = coalitions[:, self._owner]
        origin = np.where(present[:, None], self._same[-1], self._same[None, :-1])
        first, place = self._distinct(origin.reshape(-1, len(self._owner)))
        outputs = self._outputs(first)[place]
        return outputs.reshape(len(coalitions), self._k, *outputs.shape[1:]).mean(axis=1)

    def _distinct(self, origin: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The distinct rows of an array (m, p), and which of these each row is.

        Rows are told apart by a random number of 64 bits for each entry, joined by exclusive or.
        Should two that differ have the same number, all rows are compared.
        """
        keys = np.bitwise_xor.reduce(np.take_along_axis(self._marks, origin, axis=0), axis=1)
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        distinct = origin[first]
        if not np.array_equal(distinct[place], origin):
            first, place = distinct_rows(origin)
            distinct = origin[first]
        return distinct, place

    def _outputs(self, origin: np.ndarray) -> np.ndarray:
        """Outputs (m,) or (m, k) of rows by the source row of each column (m, p)."""
        if self._known is None:
            starts = range(0, len(origin), self._batch)
            return np.concatenate([self._ask(origin[k : k + self._batch]) for k in starts])
        names = np.take_along_axis(self._codes, origin, axis=0)
        return self._known.of(names, lambda new: self._ask(origin[new]), self._batch)

    def _ask(self, origin: np.ndarray) -> np.ndarray:
        outputs = self.predict(self._rows(origin))
        self.rows += len(origin)
        return outputs

    def _rows(self, origin: np.ndarray) -> pd.DataFrame | np.ndarray:
        """Rows by the source row of each column (m, p), as the background was given."""
        if self._numbers is None:
            table = rows_from(self.sources, origin)
            return table.to_numpy() if self._arrays else table
        numbers = np.take_along_axis(self._numbers, origin, axis=0)
        if self._arrays:
            return numbers
        return pd.DataFrame(numbers, columns=self.sources.columns, copy=False)


def _owners(players: Players, names: list[str]) -> np.ndarray:
    """Player (p,) of each column of a name."""
    owner = players.of_columns()
    if len(owner) != len(names) or {*players.of} - {*names}:
        raise TableError(
            f"the players are made of the columns {shortlist(players.of or range(len(owner)))}, "
            f"and the background has {shortlist(names)}; make players_of its columns"
        )
    check_distinct(names, "the background")
    places = {name: place for place, name in enumerate(players.of)}
    return owner[[places[name] for name in names]] if places else owner


class SharedValues:
    """Values (m, k) of a game of k outputs, each coalition evaluated once for all of them."""

    def __init__(self, game: Callable[[np.ndarray], np.ndarray], outputs: int):
        self._game, self._outputs = game, outputs
        self._known: dict[bytes, np.ndarray] = {}

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m, k) of the coalitions (m, d) bool."""
        keys = [row.tobytes() for row in np.packbits(coalitions, axis=1)]
        new = {key: place for place, key in enumerate(keys) if key not in self._known}
        if new:
            values = self._game(coalitions[list(new.values())]).reshape(len(new), self._outputs)
            self._known.update(zip(new, values, strict=True))
        return np.array([self._known[key] for key in keys]).reshape(len(keys), self._outputs)


class OutputGame:
    """The game of one of the outputs of a game with ``values`` (m, k)."""

    def __init__(self, game: RowsGame, values: Callable[[np.ndarray], np.ndarray], output: int):
        self._values, self._output = values, output
        self.n_players, self.name = game.n_players, game.name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return self._values(coalitions).reshape(len(coalitions), -1)[:, self._output]
