"""The rows that stand for absent features, from whatever form they are given in."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..parameters import numbers_of


class ExplainerError(ValueError):
    """A model, rows or parameters that an explainer cannot work with."""


@dataclass(frozen=True, eq=False)
class Background:
    """Rows (n, d) of float64 with the names of their columns.

    Attributes
    ----------
    named : whether the names were given, by a table or by the model, and are not made up
    """

    rows: np.ndarray
    names: tuple[str, ...]
    named: bool = False

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.rows.shape[1]


def checked_table(what: str, table: Any, n_features: int | None, missing: bool) -> np.ndarray:
    """Rows (m, d) of float64, a single row (d,) as one of them.

    Raises `ExplainerError` for anything else, another number of columns, and entries that are not
    finite, except NaN where ``missing``.
    """
    rows = np.atleast_2d(numbers_of(what, table, ExplainerError))
    if rows.ndim != 2 or (n_features is not None and rows.shape[1] != n_features):
        wanted = "d" if n_features is None else n_features
        raise ExplainerError(f"{what} must have shape (m, {wanted}), not {np.shape(table)}.")
    if not rows.shape[1]:
        raise ExplainerError(f"{what} must have at least one column.")
    wrong = np.isinf(rows) if missing else ~np.isfinite(rows)
    if wrong.any():
        row, column = (int(k) for k in np.argwhere(wrong)[0])
        entry = rows[row, column]
        remedy = "replace it by a finite number." if missing else "impute it or leave the row out."
        raise ExplainerError(f"{what}: row {row} has {entry} in column {column}; {remedy}")
    return rows
