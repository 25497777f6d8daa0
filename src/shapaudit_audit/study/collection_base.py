"""Base class of collections of games: games for experiments and for tuning, tables, files."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from shapaudit.archives import UNREADABLE
from shapaudit.games import Game, RegressionGame, TabularGame, tabulate
from shapaudit.models import Model

from .blocks.games import TABULATED_PLAYERS
from .fingerprint import check_fingerprint, write_fingerprint
from .sealed import damaged

EXPLICANDS, TABLES = "explicands.npz", "tables.npy"
CHECKSUM = "tables_sha256"  # of the file of tables, in the file of explicands


class Predicting(Protocol):
    """Games whose model predicts on fixed rows: collections, and the world of a removal study."""

    def predictions(self) -> np.ndarray | None:
        """Predictions of the model (m,); None where the games have no rows."""
        ...


@dataclass(frozen=True, eq=False)
class Collection(ABC):
    """Games of one kind, the first ``n_experiment`` for experiments, the others for tuning.

    Attributes
    ----------
    name : the game's name in the configuration
    model : the model of the games
    n_experiment : number of games that experiments use
    tables : (n_games, 2^d) values, or None for more than 20 players
    """

    saved: ClassVar[tuple[str, ...]]  # fields in the file, beside the model and the tables

    name: str
    model: Model
    n_experiment: int
    tables: np.ndarray | None

    @property
    @abstractmethod
    def n_players(self) -> int:
        """Number of players d."""

    @property
    @abstractmethod
    def n_games(self) -> int:
        """Number of games, those for tuning included."""

    @abstractmethod
    def structured(self, number: int) -> Game:
        """The game as the model defines it."""

    def predictions(self) -> np.ndarray | None:
        """Predictions of the model on fixed rows of the games (m,); None without such rows."""
        return None

    def kept(self) -> dict[str, Any]:
        """Contents of the file of explicands: arrays, texts and numbers."""
        return {field: getattr(self, field) for field in self.saved}

    @classmethod
    def restored(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a collection, from the fields of its file."""
        return {field: fields[field] for field in cls.saved}

    def game(self, number: int) -> Game:
        """The game, from its table where there is one."""
        if self.tables is None:
            return self.structured(number)
        return TabularGame(self.tables[number], self.label(number))

    def label(self, number: int) -> str:
        """Name of a game in messages."""
        return f"{self.name}[{number}]"

    def experiment_games(self) -> list[Game]:
        """Games of the experiment."""
        return [self.game(number) for number in range(self.n_experiment)]

    def tuning_games(self) -> list[Game]:
        """Games kept out of the experiment."""
        return [self.game(number) for number in range(self.n_experiment, self.n_games)]

    def tabulated(self) -> Self:
        """The same games with their tables, where there are at most 20 players."""
        if self.n_players > TABULATED_PLAYERS:
            return self
        tables = [_table(self.structured(number)) for number in range(self.n_games)]
        return replace(self, tables=np.stack(tables))

    def save(self, directory: str | Path) -> None:
        """Write ``explicands.npz``, the model's fingerprint, and any tables as ``tables.npy``."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        fields = self.kept()
        if self.tables is not None:
            np.save(directory / TABLES, self.tables, allow_pickle=False)
            fields[CHECKSUM] = _digest(directory / TABLES)
        with (directory / EXPLICANDS).open("wb") as file:
            np.savez(file, **fields)
        if (predictions := self.predictions()) is not None:
            write_fingerprint(directory, predictions)

    @classmethod
    def load(cls, directory: str | Path, model: Model) -> Self:
        """Read what `save` wrote; tables are mapped into memory, not read.

        Raises `GameError` where the model's predictions differ from those that `save` wrote.
        """
        directory = Path(directory)
        fields = read_fields(directory)
        tables = read_tables(directory) if CHECKSUM in fields else None
        games = cls(model=model, tables=tables, **cls.restored(fields))
        if (predictions := games.predictions()) is not None:
            check_fingerprint(directory, games.name, predictions)
        return games


def read_fields(directory: str | Path) -> dict[str, Any]:
    """Contents of ``explicands.npz``: arrays, texts and numbers by name.

    Raises `DamagedResult` where the checksums of the archive do not match.
    """
    try:
        with np.load(Path(directory) / EXPLICANDS, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except FileNotFoundError:
        raise
    except UNREADABLE as error:
        raise damaged(directory, f"{EXPLICANDS} cannot be read ({error})") from error
    return {key: array.item() if array.ndim == 0 else array for key, array in arrays.items()}


def read_tables(directory: str | Path) -> np.ndarray:
    """Values (n_games, 2^d) of the games in a folder, mapped into memory.

    Raises `DamagedResult` naming the folder where their checksum does not match.
    """
    path = Path(directory) / TABLES
    if _digest(path) != read_fields(directory).get(CHECKSUM):
        raise damaged(directory, f"the checksum of {TABLES} does not match its values")
    return np.load(path, mmap_mode="r", allow_pickle=False)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _table(game: Game) -> np.ndarray:
    return game.table() if isinstance(game, RegressionGame) else tabulate(game).values
