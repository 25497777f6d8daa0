"""The contract of a removal: model, data and explicand make a game, its noise made explicit.

Chen, Covert, Lundberg & Lee 2023, Sections 4.2, 4.3 and 5.1.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from ..archives import UNREADABLE
from ..datasets import Dataset
from ..datasets.base import save_arrays
from ..games import Game, GameError
from ..models import CountedModel, Predicts
from ..own_files import check_manifest
from ..parameters import check_fields, listed, numbers_of
from .columns import Columns, ColumnsError, TableModel

ARRAYS, MANIFEST = "removal.npz", "removal.json"
TARGETS = ("baseline", "marginal", "product", "uniform", "conditional")
NOISES = ("none", "frozen")
USES = ("rows", "distribution", "expectation", "training")


class RemovalError(GameError):
    """A removal that cannot be made, fitted or played as asked."""


@dataclass(frozen=True)
class RemovalCard:
    """What a removal is and promises: printed in tables, put to the test by the contract.

    Attributes
    ----------
    definition : one sentence
    source : paper, section, equation
    target : the game that it is or estimates, one of `TARGETS`
    noise : "none" where the value of a coalition is settled once the removal is fitted; "frozen"
        where each game draws its own noise, once
    uses : what is fitted: "rows" of the data; a "distribution" of absent features; an
        "expectation" of the model's output; or a "training" of its own, on the data's target
    exact_for : when the values are exact, in words; empty for never
    """

    definition: str
    source: str
    target: str
    noise: str
    uses: str
    exact_for: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError for a word outside the lists."""
        for key, known in (("target", TARGETS), ("noise", NOISES), ("uses", USES)):
            if getattr(self, key) not in known:
                raise ValueError(f"{key} {getattr(self, key)!r} is none of {', '.join(known)}.")


@runtime_checkable
class RemovalGame(Game, Protocol):
    """A pure game of one explicand, which also says what its values cost.

    The same coalition has the same value in any batch: noise is drawn before the first value.

    Attributes
    ----------
    prepared_rows : rows of the model that making the game took
    """

    prepared_rows: int

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,) int64 that the values of coalitions (m, d) take."""
        ...

    def realisation(self, rng: np.random.Generator) -> Game:
        """A game of one fresh draw, whose values have the removal's as their expectation.

        A removal without noise in its definition returns the game itself.
        """
        ...


@dataclass(frozen=True, eq=False)
class TrainingData:
    """The data that a removal is fitted to.

    Attributes
    ----------
    rows : (n, d), finite
    target : (n,), or None where the data have none
    names : names of the d features
    categorical : those whose numbers are places of categories
    """

    rows: np.ndarray
    target: np.ndarray | None
    names: tuple[str, ...]
    categorical: tuple[str, ...] = ()


@dataclass(frozen=True)
class Removal(ABC):
    """A way to remove features from any model; its dataclass fields are its parameters.

    A subclass says what it learns, `learn`, and how it plays, `play`; `fit` is what users call.

    Attributes
    ----------
    id : its name in a configuration
    card : what it is and promises; None for a removal that does not say
    """

    id: ClassVar[str]
    card: ClassVar[RemovalCard | None] = None

    def __post_init__(self) -> None:
        """Raise `RemovalError` for a parameter outside its declared choices, or of another type."""
        try:
            check_fields(self.id, self)
        except ValueError as error:
            raise RemovalError(str(error)) from None

    @abstractmethod
    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Learn from the training data; returns named arrays, which are all that is kept."""

    @abstractmethod
    def play(
        self, fitted: "FittedRemoval", explicand: np.ndarray, rng: np.random.Generator
    ) -> RemovalGame:
        """The game of an explicand (d,), which is finite; noise is drawn here."""

    @property
    def keeps_categories(self) -> bool:
        """Whether what it puts in the place of an absent feature is an entry of the data."""
        return False

    def auxiliary_fit_rows(self, arrays: Mapping[str, np.ndarray]) -> int:
        """Rows of a model of its own that learning took; 0 without one."""
        return 0

    def fit(self, model: Predicts, data: Any, rng: np.random.Generator) -> "FittedRemoval":
        """Learn from data, counting the rows of the model.

        Parameters
        ----------
        model : of rows as the data have them: tables where they are a table
        data : a `Dataset`, whose training rows are taken; rows (n, d); or a pandas DataFrame, whose
            columns may hold categories where the removal `keeps_categories`
        rng : generator

        Raises `RemovalError` naming the removal, the features and a remedy for data that it
        cannot use.
        """
        columns, what = None, f"{self.id}: training rows"
        if isinstance(data, Dataset):
            what = f"{what} of dataset {data.name!r}"
            training = TrainingData(*data.rows("train"), data.feature_names)
        elif hasattr(data, "iloc"):
            columns, training = self._of_table(data)
            model = TableModel(model, columns)
        else:
            rows = numbers_of(what, data, RemovalError)
            if rows.ndim != 2:
                raise RemovalError(f"{what} must have shape (n, d), not {np.shape(data)}.")
            training = TrainingData(rows, None, tuple(f"x{j}" for j in range(rows.shape[1])))
        if not training.rows.size:
            raise RemovalError(f"{what} are none, of shape {training.rows.shape}; give some.")
        refuse_columns(
            ~np.isfinite(training.rows).all(axis=0),
            training.names,
            f"{what} are NaN or infinite in",
            "impute or drop them before" if columns else "impute or drop them in the loader",
        )
        counted = CountedModel(model)
        arrays = self.learn(counted, training, rng)
        return FittedRemoval(self, model, training.names, arrays, counted.rows, columns)

    def _of_table(self, table: Any) -> tuple[Columns, TrainingData]:
        try:
            columns = Columns.of(table, numbers_only=not self.keeps_categories)
            rows = columns.numbers(table)
        except ColumnsError as error:
            raise RemovalError(f"{self.id}: the training rows {error}.") from None
        names, by_category = (tuple(map(str, each)) for each in (columns.names, columns.entries))
        return columns, TrainingData(rows, None, names, by_category)


@dataclass(frozen=True, eq=False)
class FittedRemoval:
    """A fitted removal, for any number of explicands.

    Attributes
    ----------
    removal : what was fitted
    model : the model to explain
    names : names of the d features
    arrays : what was learnt
    fit_rows : rows of the model that learning took
    columns : of the table that it was fitted to; None where it was another kind of data
    """

    removal: Removal
    model: Predicts
    names: tuple[str, ...]
    arrays: Mapping[str, np.ndarray]
    fit_rows: int
    columns: Columns | None = None

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.names)

    @property
    def auxiliary_fit_rows(self) -> int:
        """Rows of the removal's own model that learning took."""
        return self.removal.auxiliary_fit_rows(self.arrays)

    def game(self, explicand: Any, rng: np.random.Generator) -> RemovalGame:
        """The game of an explicand; its noise is drawn from ``rng`` here, and only here.

        It is a row (d,); where a table was fitted also a table of one row or a Series, whose
        columns are found by their names. Raises `RemovalError` for another number of features,
        columns that were not fitted, unknown categories, and missing values by name.
        """
        if self.columns is not None and hasattr(explicand, "iloc"):
            explicand = self._numbers(self.columns, explicand)
        elif self.columns is not None and self.columns.entries:
            raise RemovalError(
                f"{self.removal.id}: an explicand with categories is a table of one row, as "
                "table.iloc[[0]]."
            )
        what = f"{self.removal.id}: the entries of an explicand"
        explicand = numbers_of(what, explicand, RemovalError)
        if explicand.shape != (self.n_features,):
            raise RemovalError(
                f"{self.removal.id}: an explicand has the {self.n_features} features that were "
                f"fitted; got shape {explicand.shape}."
            )
        refuse_columns(
            ~np.isfinite(explicand),
            self.names,
            f"{self.removal.id}: the explicand is NaN or infinite in",
            "impute them before explaining",
        )
        return self.removal.play(self, explicand, rng)

    def _numbers(self, columns: Columns, explicand: Any) -> np.ndarray:
        try:
            rows = columns.numbers(explicand)
        except ColumnsError as error:
            raise RemovalError(f"{self.removal.id}: the explicand {error}.") from None
        return rows[0] if len(rows) == 1 else rows

    def save(self, directory: str | Path) -> None:
        """Write ``removal.json`` and ``removal.npz``, without pickled objects or the model.

        Raises `FolderError` rather than overwrite a file that was not written here, and
        `RemovalError` for a removal that was fitted to a table with other columns than numbers, or
        with names that are no texts.
        """
        if self.columns is not None and (others := self.columns.unsaved):
            raise RemovalError(
                f"{self.removal.id} was fitted to a table, of which {others}; fit it again where "
                "it is needed, or save one that was fitted to numbers."
            )
        directory = Path(directory)
        check_manifest(directory, MANIFEST, ("removal", "params", "fit_rows"), [ARRAYS])
        directory.mkdir(parents=True, exist_ok=True)
        manifest = {
            "removal": name_of(type(self.removal)),
            "params": asdict(self.removal),
            "names": list(self.names),
            "fit_rows": self.fit_rows,
            "table": self.columns is not None,
        }
        text = json.dumps(manifest, indent=2, sort_keys=True)
        (directory / MANIFEST).write_text(text + "\n", encoding="utf-8")
        save_arrays(directory / ARRAYS, self.arrays)


def read_saved(directory: str | Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Manifest and arrays that `FittedRemoval.save` wrote; raises `RemovalError` for others."""
    directory = Path(directory)
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        with np.load(directory / ARRAYS, allow_pickle=False) as file:
            return manifest, {key: file[key] for key in file.files}
    except UNREADABLE as error:
        raise RemovalError(
            f"{directory} holds no fitted removal ({error}); delete it and fit it again."
        ) from error


def name_of(cls: type[Removal]) -> str:
    """Id of a removal of the package, or the dotted path of another."""
    inside = cls.__module__.startswith(f"{__package__}.")
    return cls.id if inside else f"{cls.__module__}.{cls.__qualname__}"


def refuse_columns(wrong: np.ndarray, names: tuple[str, ...], fault: str, remedy: str) -> None:
    """Raise `RemovalError` "fault: names; remedy." where any column is wrong (d,)."""
    if wrong.any():
        columns = listed(names[j] for j in np.flatnonzero(wrong))
        raise RemovalError(f"{fault} {columns}; {remedy}.")


def columns_of(
    what: str, wanted: tuple[str, ...] | list[str], names: tuple[str, ...]
) -> np.ndarray:
    """Mask (d,) of the features of some names; raises `RemovalError` for a name that is none."""
    if unknown := [name for name in wanted if name not in names]:
        raise RemovalError(
            f"{what}: no feature is called {listed(unknown)}; there are {listed(names)}."
        )
    return np.isin(names, list(wanted))
