"""The rows of a table that a comparison explains, and those of its background."""

from functools import cached_property

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError, first_equal_rows
from ..explanations.tables import typical_row
from ..seeding import generator
from .plan import FEWEST_ROWS, counted

BACKGROUNDS, EXPLICANDS = (20, 5, 1), (20, FEWEST_ROWS)  # looked at where neither is given


class DrawnRows:
    """Rows to explain and background rows of a table, no row being both.

    Which rows are explained does not depend on how many are the background, and the other way
    round: they come from two ends of one random order. ``places`` are the numbers, in the table,
    of the rows that may be explained.
    """

    def __init__(
        self, table: pd.DataFrame, background: int | None, explicands: int | None, seed: int
    ):
        if any(count is not None and count < 1 for count in (background, explicands)):
            raise TableError("background and explicands must be at least 1")
        if len(table) < 2:
            raise TableError(
                f"a comparison needs two rows at least; the table has {counted(len(table), 'row')}"
            )
        if background is not None and background > 1 and background + 1 > len(table):
            raise TableError(
                f"{background} background rows and a row to explain need {background + 1} rows; "
                f"the table has {len(table)}. Take fewer"
            )
        fitting = [min(count, len(table) // 2) for count in BACKGROUNDS]
        self._backgrounds = [background] if background else list(dict.fromkeys(fitting))
        most = len(table) - (0 if background == 1 else max(self._backgrounds))
        wanted = [explicands] if explicands else EXPLICANDS
        self._explicands = list(dict.fromkeys(min(count, most) for count in wanted))
        self._table = table
        self._order = generator(seed, "rows").permutation(len(table))
        self._typical = typical_row(table)
        self.places = self._order[: max(self._explicands)]
        self.explained = self._rows(self.places)

    def _rows(self, numbers: np.ndarray) -> pd.DataFrame:
        return self._table.iloc[numbers].reset_index(drop=True)

    def choices(self) -> list[tuple[int, int]]:
        """Background rows and rows to explain, the best first."""
        return [(k, count) for k in self._backgrounds for count in self._explicands]

    def background(self, count: int) -> pd.DataFrame:
        """So many rows, or the typical row."""
        return self._typical if count == 1 else self._rows(self._order[::-1][:count])

    @cached_property
    def known(self) -> pd.DataFrame:
        """All rows that a comparison may be made of: to explain, background, the typical row."""
        most = self._rows(self._order[::-1][: max(self._backgrounds)])
        return pd.concat([self.explained, most, self._typical], ignore_index=True)

    @cached_property
    def codes(self) -> np.ndarray:
        """Numbers of the entries of `known`, equal where those of a column are."""
        return first_equal_rows(self.known)

    def sources(self, background: int, number: int) -> list[int]:
        """Places in `known` of so many background rows and of the row of a number."""
        typical, first = len(self.known) - 1, len(self.explained)
        rows = [typical] if background == 1 else [*range(first, first + background)]
        return [*rows, number]
