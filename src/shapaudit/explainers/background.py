"""The rows that stand for absent features, from whatever form they are given in."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..datasets.base import Dataset


class ExplainerError(ValueError):
    """A model, rows or parameters that an explainer cannot work with."""


@dataclass(frozen=True, eq=False)
class Background:
    """Rows (n, d) of float64 with the names of their columns."""

    rows: np.ndarray
    names: tuple[str, ...]

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return self.rows.shape[1]


def as_background(name: str, data: Any, missing: bool) -> Background:
    """Rows from an array (n, d) or (d,), a data frame, or the training part of a `Dataset`.

    Raises `ExplainerError`, naming the explainer, for no row, an empty table, or entries that are
    not finite; NaN passes where ``missing``.
    """
    columns: Iterable[Any] | None
    if isinstance(data, Dataset):
        table, columns = data.rows("train")[0], data.feature_names
    else:
        table, columns = data, getattr(data, "columns", None)
    rows = checked_table(f"{name}: background", table, None, missing)
    if columns is None:
        columns = tuple(f"x{j}" for j in range(rows.shape[1]))
    names = tuple(str(column) for column in columns)
    if not len(rows):
        raise ExplainerError(f"{name}: the background has no row.")
    return Background(rows, names)


def checked_table(what: str, table: Any, n_features: int | None, missing: bool) -> np.ndarray:
    """Rows (m, d) of float64, a single row (d,) as one of them.

    Raises `ExplainerError` for anything else, another number of columns, and entries that are not
    finite, except NaN where ``missing``.
    """
    try:
        rows = np.atleast_2d(np.ascontiguousarray(table, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise ExplainerError(f"{what} must be rows of numbers ({error}).") from error
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
