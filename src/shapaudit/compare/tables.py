"""Tables of any columns, and which of them are one player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from ..parameters import hint, listed


class CompareError(ValueError):
    """A table, a model or a plan that cannot be compared on, with what to do about it."""


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

    Raises `CompareError` for a column that the table lacks, or that is in two groups.
    """
    place = {name: number for number, name in enumerate(columns)}
    taken: dict[str, str] = {}
    for group, members in (groups or {}).items():
        for member in members:
            if member not in place:
                raise CompareError(
                    f"group {group!r} names the column {member!r}, which the table lacks"
                    f"{hint(member, place)}"
                )
            if member in taken:
                raise CompareError(
                    f"column {member!r} is in the groups {taken[member]!r} and {group!r}; a column "
                    "moves with one player"
                )
            taken[member] = group
    players: dict[str, list[int]] = {}
    for name, number in place.items():
        players.setdefault(taken.get(name, name), []).append(number)
    return Players(tuple(players), tuple(tuple(sorted(one)) for one in players.values()))


def read_table(path: str | Path, target: str | None, drop: Sequence[str] = ()) -> pd.DataFrame:
    """Features of a CSV file with a header: all columns but the target and those to drop.

    Columns keep what pandas reads: numbers, booleans, texts, missing values. Raises `CompareError`
    for a file that is missing or no such table, and for columns that it lacks.
    """
    path = Path(path)
    try:
        table = pd.read_csv(path)
    except FileNotFoundError as error:
        raise CompareError(f"{path} does not exist; name a CSV file with a header") from error
    except UnicodeDecodeError as error:
        raise CompareError(f"{path} is not UTF-8 ({error}); save it as UTF-8") from error
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise CompareError(f"{path} is no CSV file with a header: {error}") from error
    away = [*([target] if target else []), *drop]
    for name in away:
        if name not in table:
            raise CompareError(f"{path} has no column {name!r}{hint(name, table.columns)}")
    features = table.drop(columns=away)
    if features.shape[1] == 0 or len(features) < 2:
        raise CompareError(
            f"{path} has {len(features)} rows and {features.shape[1]} features beside "
            f"{listed(away)}; a comparison needs two rows and a feature at least"
        )
    return features


def as_table(rows: object) -> pd.DataFrame:
    """A DataFrame of rows (n, p); an array's columns are called x0, x1, and so on."""
    if isinstance(rows, pd.DataFrame):
        return rows.reset_index(drop=True)
    array = np.asarray(rows)
    if array.ndim != 2 or array.shape[1] == 0:
        raise CompareError(f"rows must be a table (n, p); got shape {array.shape}")
    return pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])])


def typical_row(table: pd.DataFrame) -> pd.DataFrame:
    """One row: the median of numbers, the most frequent value of all other columns."""
    values = {}
    for name, column in table.items():
        numeric = pd.api.types.is_numeric_dtype(column) and column.dtype != bool
        if numeric:
            middle = column.quantile(0.5, interpolation="nearest")
        else:
            middle = column.mode(dropna=False).iloc[0]
        values[name] = pd.Series([middle], dtype=column.dtype)
    return pd.DataFrame(values)
