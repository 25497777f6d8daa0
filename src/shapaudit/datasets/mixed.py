"""A table of any columns: numbers, texts, categories, booleans, dates, with gaps.

A study computes with numbers. In its data set a feature of such a table is a place: the number of
the first row that has the same entries in the columns of a player. A model that knows the table
puts the rows together again (`models.mixed`).
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..optional import needed
from ..parameters import hint, listed
from ..registers import loader
from .base import Dataset, DatasetError, random_split

if TYPE_CHECKING:
    import pandas


class TableError(DatasetError):
    """A table, or a model of its rows, that does not do, with what to do about it."""


@dataclass(frozen=True)
class Players:
    """Names of the players, and the numbers of the columns that each of them moves."""

    names: tuple[str, ...]
    columns: tuple[tuple[int, ...], ...]

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

    Raises `TableError` for a column that the table lacks, or that is in two groups, and for a group
    that has the name of a column outside of it.
    """
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
    return Players(tuple(players), tuple(tuple(sorted(columns)) for columns in players.values()))


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
            raise TableError(f"{path} has no column {name!r}{hint(name, table.columns)}")
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
        table = pandas.read_parquet(path) if parquet else pandas.read_csv(path, low_memory=False)
    except FileNotFoundError as error:
        raise TableError(f"{path} does not exist; name a CSV file with a header") from error
    except UnicodeDecodeError as error:
        raise TableError(f"{path} is not UTF-8 ({error}); save it as UTF-8") from error
    except (ValueError, OSError) as error:  # those of the parsers of pandas and Arrow among them
        raise TableError(f"{path} is not a CSV file with a header: {error}") from error
    table.columns = [str(name) for name in table.columns]
    return table


def first_equal_rows(table: "pandas.DataFrame") -> np.ndarray:
    """For each entry the first row of equal entry in its column, (n, p); gaps are equal."""
    import pandas

    same = np.empty(table.shape, dtype=np.int64)
    for j, (_, column) in enumerate(table.items()):
        codes = pandas.factorize(column, use_na_sentinel=False)[0]
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
