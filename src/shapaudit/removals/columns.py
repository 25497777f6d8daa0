"""Tables whose columns a removal takes as numbers, categories by their places."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..models import Predicts
from ..parameters import listed

if TYPE_CHECKING:
    import pandas

NUMBERS = "iuf"  # kinds of columns; truth values are numbers where categories are refused


class ColumnsError(ValueError):
    """A table that does not have the columns of another, or entries that it lacks."""


@dataclass(frozen=True, eq=False)
class Columns:
    """Names of the columns, and the entries of those that hold no numbers.

    Attributes
    ----------
    names : as they are in the table
    entries : by name, in the order of their numbers; a missing entry is one of them
    """

    names: tuple[Any, ...]
    entries: Mapping[Any, "pandas.Series"]

    @classmethod
    def of(cls, table: "pandas.DataFrame", numbers_only: bool = False) -> "Columns":
        """The columns of a table; raises `ColumnsError` for equal names.

        With ``numbers_only`` truth values are numbers, and other columns raise it too.
        """
        names = tuple(table.columns)
        if twice := sorted({str(name) for name in names if names.count(name) > 1}):
            raise ColumnsError(f"have the column {listed(twice)} twice; keep one of each")
        kinds = NUMBERS + "b" * numbers_only
        others = [name for name in names if table[name].dtype.kind not in kinds]
        if others and numbers_only:
            raise ColumnsError(
                f"hold no numbers in {listed(map(str, others))}; encode them before, or take a "
                "removal that keeps categories, as marginal, product, kernel or cohort"
            )
        return cls(names, {name: _entries(table[name]) for name in others})

    @property
    def unsaved(self) -> str:
        """What a file of texts and numbers would not hold of the columns; empty for nothing."""
        if self.entries:
            return f"the columns {listed(self.entries)} hold entries that are not saved"
        others = [name for name in self.names if not isinstance(name, str)]
        return f"the names {listed(others)} are no texts" if others else ""

    def numbers(self, table: Any) -> np.ndarray:
        """Rows (m, d) of a table, or of a Series, which is one row.

        Columns are found by their names. Raises `ColumnsError` for columns that are missing or
        unknown, and for entries that are none of the known ones.
        """
        if hasattr(table, "to_frame"):
            table = table.to_frame().T
        missing = [str(name) for name in self.names if name not in table]
        unknown = [str(name) for name in table if name not in self.names]
        if missing or unknown:
            lacking = f"lacks the column {listed(missing)}" if missing else ""
            beyond = f"has {listed(unknown)}, which was not fitted" if unknown else ""
            raise ColumnsError(" and ".join(filter(None, (lacking, beyond))))
        return np.stack([self._column(table[name]) for name in self.names], axis=1)

    def _column(self, column: "pandas.Series") -> np.ndarray:
        if column.name not in self.entries:
            return column.to_numpy(dtype=np.float64, na_value=np.nan)
        places = {entry: k for k, entry in enumerate(_plain(self.entries[column.name]))}
        entries = _plain(column)
        if others := [entry for entry in entries if entry not in places]:
            raise ColumnsError(
                f"has {others[0]!r} in {str(column.name)!r}, and no row that was fitted has it; "
                "give the column the dtype category with all of its categories"
            )
        return np.array([places[entry] for entry in entries], dtype=np.float64)

    def table(self, rows: np.ndarray) -> "pandas.DataFrame":
        """The table of rows (m, d)."""
        import pandas

        columns = {
            name: self.entries[name].take(column.astype(np.int64)).reset_index(drop=True)
            if name in self.entries
            else column
            for name, column in zip(self.names, rows.T, strict=True)
        }
        return pandas.DataFrame(columns)


def _entries(column: "pandas.Series") -> "pandas.Series":
    """The distinct entries of a column in its own type, and the other categories that it knows."""
    import pandas

    distinct = column.drop_duplicates().reset_index(drop=True)
    if not isinstance(column.dtype, pandas.CategoricalDtype):
        return distinct
    others = [known for known in column.cat.categories if not (distinct == known).any()]
    return pandas.concat([distinct, pandas.Series(others, dtype=column.dtype)], ignore_index=True)


def _plain(column: "pandas.Series") -> list[Any]:
    """The entries of a column, None where one is missing."""
    return column.astype(object).where(column.notna(), None).tolist()


@dataclass(frozen=True, eq=False)
class TableModel:
    """A model of tables, for rows of numbers."""

    model: Predicts
    columns: Columns

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return np.asarray(self.model.predict(self.columns.table(rows)))
