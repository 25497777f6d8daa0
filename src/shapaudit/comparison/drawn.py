"""The rows of a table that a comparison explains, and those of its background."""

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError, first_equal_rows
from ..explanations.given import table_of
from ..explanations.tables import aligned, typical_row
from ..parameters import counted, whole_number
from ..seeding import generator
from .plan import FEWEST_ROWS

BACKGROUNDS, EXPLICANDS = (20, 5, 1), (20, FEWEST_ROWS)  # looked at where neither is given
Background: TypeAlias = (
    int | pd.DataFrame | np.ndarray | None
)  # how many rows, or the rows themselves
Explicands: TypeAlias = int | Sequence[int] | np.ndarray | None  # how many rows, or their numbers


class DrawnRows:
    """Rows to explain and background rows of a table, no row being both.

    Which rows are explained does not depend on how many are the background, and the other way
    round: they come from two ends of one random order. A background may be given as a table of the
    same columns, and rows to explain by their numbers. ``places`` are the numbers, in the table, of
    the rows that may be explained.

    Raises `TableError` for counts below 1 or that the table has no rows for, for a background of
    other columns or without rows, and for numbers of no row.
    """

    def __init__(
        self, table: pd.DataFrame, background: Background, explicands: Explicands, seed: int
    ):
        self._table = table
        self._given = _given_background(background, table)
        numbers = _given_numbers(explicands, len(table))
        size = _count("background", background) if self._given is None else len(self._given)
        count = _count("explicands", explicands) if numbers is None else len(numbers)
        if len(table) < 2 and self._given is None:
            raise TableError(
                f"a comparison needs two rows at least; the table has {counted(len(table), 'row')}"
            )
        fitting = [min(number, len(table) // 2) for number in BACKGROUNDS]
        sizes = [size] if size else list(dict.fromkeys(fitting))
        taken = max(sizes) if size is None else self._taken(size)
        most = max(1, len(table) - taken)
        counts = (
            [count] if count else list(dict.fromkeys(min(number, most) for number in EXPLICANDS))
        )
        self._choices = [(k, m) for k in sizes for m in counts if self._taken(k) + m <= len(table)]
        if not self._choices:
            raise TableError(_too_many(min(sizes), min(counts), len(table)))
        order = generator(seed, "rows").permutation(len(table))
        if numbers is not None:
            order = np.concatenate([numbers, order[~np.isin(order, numbers)]])
        self._order = order
        self._largest = max(k for k, _ in self._choices)
        self._typical = typical_row(table)
        self.places = order[: max(m for _, m in self._choices)]
        self.explained = self._rows(self.places)

    def _taken(self, background: int) -> int:
        """Rows of the table that a background takes: none where it is given, or the typical row."""
        return 0 if background == 1 or self._given is not None else background

    def _rows(self, numbers: np.ndarray) -> pd.DataFrame:
        return self._table.iloc[numbers].reset_index(drop=True)

    def choices(self) -> list[tuple[int, int]]:
        """Background rows and rows to explain, the best first."""
        return self._choices

    def background(self, count: int) -> pd.DataFrame:
        """So many rows, or the typical row; or those that were given."""
        if self._given is not None:
            return self._given
        return self._typical if count == 1 else self._rows(self._order[::-1][:count])

    @cached_property
    def known(self) -> pd.DataFrame:
        """All rows that a comparison may be made of: to explain, background, the typical row."""
        most = self._rows(self._order[::-1][: self._largest])
        rows = most if self._given is None else self._given
        return pd.concat([self.explained, rows, self._typical], ignore_index=True)

    @cached_property
    def codes(self) -> np.ndarray:
        """Numbers of the entries of `known`, equal where those of a column are."""
        return first_equal_rows(self.known)

    def sources(self, background: int, number: int) -> list[int]:
        """Places in `known` of so many background rows and of the row of a number."""
        typical, first = len(self.known) - 1, len(self.explained)
        lone = background == 1 and self._given is None
        rows = [typical] if lone else [*range(first, first + background)]
        return [*rows, number]


def _given_background(background: Background, table: pd.DataFrame) -> pd.DataFrame | None:
    """The background where it is a table or an array, its columns in the order of the table's."""
    if background is None or np.ndim(background) == 0:
        return None
    rows = table_of(background, what="the background", known=list(table.columns))
    rows = rows.reset_index(drop=True)
    return aligned(rows, list(table.columns), "the background", "the table of rows to explain")


def _given_numbers(explicands: Explicands, rows: int) -> np.ndarray | None:
    """Numbers of the rows to explain, where these are given."""
    if explicands is None or isinstance(explicands, int | np.integer | float):
        return None
    if isinstance(explicands, pd.DataFrame) or np.ndim(explicands) != 1 or len(explicands) == 0:
        raise TableError("explicands must be a count, or numbers of rows of the table, from 0 on")
    numbers = np.array(
        [whole_number("a row to explain", number, TableError) for number in explicands]
    )
    if (wrong := numbers[(numbers < 0) | (numbers >= rows)]).size:
        raise TableError(f"row {wrong[0]} to explain does not exist: there are 0 to {rows - 1}")
    if len(np.unique(numbers)) < len(numbers):
        raise TableError("explicands names a row twice; name each once")
    return numbers


def _count(what: str, value: object) -> int | None:
    if value is None:
        return None
    if (number := whole_number(what, value, TableError)) < 1:
        raise TableError("background and explicands must be at least 1")
    return number


def _too_many(background: int, explicands: int, rows: int) -> str:
    taken = background if background > 1 else 0
    explained = "a row" if explicands == 1 else f"{explicands:,} rows"
    backing = f"{background:,} background rows and " if taken else ""
    return (
        f"{backing}{explained} to explain need {taken + explicands:,} rows; the table has "
        f"{rows:,}. Take fewer"
    )
