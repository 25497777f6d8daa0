"""Games that are known by all their values, in the place of a model."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import Dataset, save_arrays
from ..registers import reader, trainer
from .base import ModelError, UndefinedScore, checked_rows, write_manifest

KIND, ARRAYS = "table", "tables.npz"


@dataclass(frozen=True, eq=False)
class ValueTables:
    """Values (n_games, 2^d) of games of the same d players, in binary order."""

    values: np.ndarray

    @property
    def n_players(self) -> int:
        """Number of players d."""
        return self.values.shape[1].bit_length() - 1

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Values (m,) of the first game for coalitions (m, d) of 0 and 1; else `ModelError`."""
        rows = checked_rows(rows, self.n_players)
        if not np.isin(rows, (0, 1)).all():
            raise ModelError("a table of values has a value for rows of 0 and 1 alone")
        return self.values[0, rows.astype(np.int64) @ (1 << np.arange(self.n_players))]

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """Raises `UndefinedScore`: nothing is predicted."""
        raise UndefinedScore("the values are given, and nothing is predicted")

    def save(self, directory: str | Path) -> None:
        """Write the values."""
        directory = write_manifest(directory, KIND, ARRAYS)
        save_arrays(directory / ARRAYS, {"values": self.values})


@trainer("table")
def take_tables(dataset: Dataset, seed: int) -> ValueTables:
    """The games of data that the loader "game-tables" has read; raises `ModelError` for others."""
    d, target = dataset.n_features, dataset.target
    games, rest = divmod(dataset.n_rows, 1 << min(d, 62))
    coalitions = np.arange(dataset.n_rows)[:, None] >> np.arange(min(d, 62)) & 1
    if rest or not games or target is None or not np.array_equal(dataset.features, coalitions):
        raise ModelError(
            f"trainer {KIND!r}: the rows of {dataset.name!r} are not the coalitions of games; "
            "choose the loader 'game-tables'"
        )
    return ValueTables(target.reshape(games, -1))


@reader("table")
def read_tables(directory: Path, manifest: dict[str, Any]) -> ValueTables:
    """The tables of a saved model."""
    with np.load(directory / ARRAYS, allow_pickle=False) as file:
        return ValueTables(file["values"])
