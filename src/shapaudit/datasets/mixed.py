"""A table of any columns: numbers, texts, categories, booleans, dates, with gaps.

A study computes with numbers. In its data set a feature of such a table is a place: the number of
the first row that has the same entries in the columns of a player. A model that knows the table
puts the rows together again (`models.mixed`).
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..optional import needed
from ..parameters import hint, listed, shortlist
from ..registers import loader
from .base import Dataset, DatasetError, random_split

if TYPE_CHECKING:
    import pandas


class TableError(DatasetError):
    """A table, or a model of its rows, that does not do, with what to do about it."""


@dataclass(frozen=True)
class Players:
    """Names of the players, and the numbers of the columns that each of them moves.

    Attributes
    ----------
    names : of the players
    columns : numbers of each player's columns
    of : names of all columns, in their order; empty where they have none
    """

    names: tuple[str, ...]
    columns: tuple[tuple[int, ...], ...]
    of: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def of_columns(self) -> np.ndarray:
        """Player (p,) of each column."""
        owner = np.empty(sum(map(len, self.columns)), dtype=np.int64)
        for player, columns in enumerate(self.columns):
            owner[list(columns)] = player
        return owner


def players_of(columns: Sequence[str], groups: Mapping[str, Sequence[str]] | None) -> Players:
    """Each group is one player, and each column that is in none of them.

    Raises `TableError` for columns of one name, a column that the table lacks, or that is in two
    groups, and for a group that has the name of a column outside of it.
    """
    check_distinct(columns)
    place = {name: number for number, name in enumerate(columns)}
    taken: dict[str, str] = {}
    for group, members in (groups or {}).items():
        for member in members:
            if member not in place:
                raise TableError(
                    f"group {group!r} names the column {member!r}, which the table lacks"
                    f"{hint(member, place)}"
                )
            if member in taken:
                raise TableError(
                    f"column {member!r} is in the groups {taken[member]!r} and {group!r}; a column "
                    "moves with one player"
                )
            taken[member] = group
    for group in {*taken.values()} & {*place}:
        if taken.get(group) != group:
            raise TableError(
                f"the group {group!r} has the name of another column; rename the group"
            )
    players: dict[str, list[int]] = {}
    for name, number in place.items():
        players.setdefault(taken.get(name, name), []).append(number)
    moved = tuple(tuple(sorted(numbers)) for numbers in players.values())
    return Players(tuple(players), moved, tuple(columns))


def check_distinct(columns: Sequence[str], what: str = "the table") -> None:
    """Raise `TableError` where two columns have the same name."""
    if twice := [name for name, count in Counter(columns).items() if count > 1]:
        raise TableError(
            f"{what} has {columns.count(twice[0])} columns named {twice[0]!r}; give each column a "
            "name of its own"
        )


def read_table(
    path: str | Path, target: str | None, drop: Sequence[str] = ()
) -> "pandas.DataFrame":
    """Features of a CSV or Parquet file: all columns but the target and those to drop.

    Columns keep what pandas reads: numbers, booleans, texts, missing values; and of a Parquet file
    categories and dates. Raises `TableError` for a file that is missing or no such table, for one
    without two rows and a feature, and for columns that it lacks.
    """
    table = whole_table(path)
    away = [*([target] if target else []), *drop]
    for name in away:
        if name not in table:
            raise TableError(
                f"{path} has no column {name!r}{hint(name, table.columns)}; it has "
                f"{shortlist(table.columns)}"
            )
    features = table.drop(columns=away)
    if features.shape[1] == 0 or len(features) < 2:
        raise TableError(
            f"{path} has {len(features)} rows and {features.shape[1]} features besides "
            f"{listed(away)}; a comparison needs at least two rows and one feature"
        )
    return features


def whole_table(path: str | Path) -> "pandas.DataFrame":
    """All columns of a CSV or Parquet file; raises `TableError` as `read_table` does."""
    import pandas  # a third of a second, only where it is used

    path = Path(path)
    parquet = path.suffix == ".parquet"
    if parquet:
        needed("pyarrow", f"the Parquet file {path}", "audit")
    try:
        if not parquet:
            _check_header(path)
        table = pandas.read_parquet(path) if parquet else pandas.read_csv(path, low_memory=False)
    except FileNotFoundError as error:
        raise TableError(f"{path} does not exist; name a CSV file with a header") from error
    except TableError:
        raise
    except (ValueError, OSError) as error:  # those of the parsers of pandas and Arrow among them
        raise TableError(_unreadable(path, parquet, error)) from error
    table.columns = [str(name) for name in table.columns]
    check_distinct(list(table.columns), str(path))
    return table


def _check_header(path: Path) -> None:
    """Raise `TableError` for a CSV file that is separated otherwise, or names a column twice.

    pandas would rename the second of two equal names.
    """
    import pandas

    header = pandas.read_csv(path, header=None, nrows=1, dtype=str)
    names = header.iloc[0].dropna().tolist()
    check_distinct(names, str(path))
    for separator, word in ((";", "semicolons"), ("\t", "tabs")):
        if len(names) == 1 and separator in names[0]:
            raise TableError(f"the columns of {path} are separated by {word}; separate by commas")


def _unreadable(path: Path, parquet: bool, error: Exception) -> str:
    """Why a file is no table, and what to do."""
    if parquet:
        return f"{path} is not a Parquet file: {error}"
    if path.is_file() and b"\0" in path.read_bytes():
        return (
            f"{path} holds binary data, not a table; name a CSV file, or one that ends in .parquet"
        )
    if isinstance(error, UnicodeDecodeError):
        return f"{path} is not UTF-8 ({error}); save it as UTF-8"
    return f"{path} is not a CSV file with a header: {error}"


def first_equal_rows(table: "pandas.DataFrame") -> np.ndarray:
    """For each entry the first row of equal entry in its column, (n, p); gaps are equal."""
    import pandas

    same = np.empty(table.shape, dtype=np.int64)
    for j, (name, column) in enumerate(table.items()):
        try:
            codes = pandas.factorize(column, use_na_sentinel=False)[0]
        except TypeError as error:  # entries that have no hash
            raise TableError(
                f"the column {name!r} holds entries that cannot be compared ({error}); make them "
                "texts or numbers"
            ) from error
        first = np.full(codes.max() + 1, len(codes))
        np.minimum.at(first, codes, np.arange(len(codes)))
        same[:, j] = first[codes]
    return same


def distinct_rows(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First place of each distinct row, and which of these each row is; (m, p) from 0 on.

    As `numpy.unique` over rows, ten times as fast: a row is one number, whose digits are its
    entries, and numbers that grow too large are replaced by their ranks on the way.
    """
    base = int(numbers.max(initial=0)) + 1
    codes, largest = np.zeros(len(numbers), dtype=np.int64), 1
    for column in numbers.T:
        if largest * base >= 2**63:
            distinct, codes = np.unique(codes, return_inverse=True)
            largest = len(distinct)
        codes, largest = codes * base + column, largest * base
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    return first, inverse


def rows_from(table: "pandas.DataFrame", origin: np.ndarray) -> "pandas.DataFrame":
    """Rows that take column j from the table's rows ``origin[:, j]``; origin is (m, p)."""
    import pandas

    columns = {
        name: column.take(origin[:, j]).set_axis(range(len(origin)))
        for j, (name, column) in enumerate(table.items())
    }
    return pandas.DataFrame(columns)


def places(table: "pandas.DataFrame", players: Players) -> np.ndarray:
    """For each row and player the first row with the same entries in all its columns, (n, d)."""
    same = first_equal_rows(table)
    numbers = np.empty((len(table), len(players)), dtype=np.int64)
    for player, columns in enumerate(players.columns):
        first, inverse = distinct_rows(same[:, list(columns)])
        numbers[:, player] = first[inverse]
    return numbers


def named_players(
    *,
    path: str,
    target: str | None = None,
    drop: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, ...]:
    """Names of the players of `load`, which it raises for the same reasons."""
    return players_of(list(read_table(path, target, drop).columns), groups).names


@loader("mixed")
def load(
    rng: np.random.Generator,
    *,
    path: str,
    target: str | None = None,
    drop: Sequence[str] = (),
    groups: Mapping[str, Sequence[str]] | None = None,
) -> Dataset:
    """Places of the players of a table, see `places`; the split is drawn from ``rng``.

    Parameters
    ----------
    path : CSV or Parquet file, from the folder in which Snakemake runs
    target : column to predict; it becomes the target where it holds numbers without gaps
    drop : further columns that are no features
    groups : columns that are one player together, by its name

    Raises `TableError` as `read_table` and `players_of` do.
    """
    table = read_table(path, target, drop)
    players = players_of(list(table.columns), groups)
    wanted = None if target is None else whole_table(path)[target]
    if wanted is not None and (wanted.dtype.kind not in "biuf" or wanted.isna().any()):
        wanted = None
    content = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return Dataset(
        name=Path(path).stem,
        features=places(table, players).astype(np.float64),
        target=None if wanted is None else wanted.to_numpy(dtype=np.float64),
        feature_names=players.names,
        split=random_split(len(table), rng),
        provenance=f"{path}, SHA-256 {content}",
    )
