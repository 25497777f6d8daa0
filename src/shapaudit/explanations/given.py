"""Rows in whatever form they are given, as a table; and back, for a model that wants that form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError, check_distinct
from ..parameters import listed, shortlist
from .tables import aligned

Kind = Literal["table", "array", "sparse"]


@dataclass(frozen=True)
class Form:
    """How rows were given, and so what the model takes.

    Attributes
    ----------
    kind : "table" of named columns; "array" or "sparse" matrix of numbers
    dtype : of the entries of an array or a sparse matrix; rows that it cannot hold, as fractions
        in whole numbers, have a wider one
    columns : of a table whose columns are not all called by texts, as the model knows them
    """

    kind: Kind
    dtype: np.dtype[Any] | None = None
    columns: pd.Index | None = None

    def of(self, table: pd.DataFrame) -> Any:
        """The rows of a table in this form."""
        if self.kind == "table":
            return table if self.columns is None else table.set_axis(self.columns, axis=1)
        array = table.to_numpy(dtype=self._holding(table), copy=True)  # which the model may change
        if self.kind == "array":
            return array
        from scipy import sparse

        return sparse.csr_matrix(array)

    def _holding(self, table: pd.DataFrame) -> np.dtype[Any] | None:
        """The type of the entries, or a wider one where whole numbers are not enough."""
        types = [dtype for dtype in table.dtypes.unique() if isinstance(dtype, np.dtype)]
        whole = self.dtype is not None and self.dtype.kind in "biu"
        return np.result_type(self.dtype, *types) if whole else self.dtype


def table_of(
    rows: Any, names: Sequence[str] | None = None, what: str = "rows", known: Sequence[str] = ()
) -> pd.DataFrame:
    """A DataFrame of rows given as a DataFrame of any package, an array, or a sparse matrix.

    A Series, or an array of one axis, is one row. Columns of an array are called by ``names``; else
    as those that the model knows, if there are as many ``known``; else x0, x1, and so on.

    Raises
    ------
    TableError
        For what is no table, one without rows or columns, names that are not those of a DataFrame,
        or as many as there are columns, and columns of the same name.
    """
    table = _frame(rows, what)
    if table is None:
        array = _array(rows, what)
        numbered = [f"x{j}" for j in range(array.shape[1])]
        suggested = list(known) if len(known) == len(numbered) else numbered
        named = suggested if names is None else list(names)
        if len(named) != array.shape[1]:
            raise TableError(f"names has {len(named)} names for {array.shape[1]} columns")
        table = pd.DataFrame(array, columns=named)
    elif names is not None and texts_of(table.columns) != list(map(str, names)):
        raise TableError(
            f"{what} is a table with the columns {shortlist(table.columns)}; leave out names, or "
            "rename the columns"
        )
    if table.shape[1] == 0:
        raise TableError(f"{what} must be a table (n, p); got shape {table.shape}")
    if len(table) == 0:
        raise TableError(f"{what} has no rows; give at least one")
    check_distinct(texts_of(table.columns), what)
    _check_cells(table, what)
    return table


def _check_cells(table: pd.DataFrame, what: str) -> None:
    """Raises `TableError` for a list, an array or the like in a cell."""
    for name, column in table.items():
        if pd.api.types.is_object_dtype(column.dtype):
            held = column.map(pd.api.types.is_list_like).to_numpy()
            if held.any():
                place = int(held.argmax())
                kind = type(column.iloc[place]).__name__
                raise TableError(
                    f"{what}: column {name_of(name)!r} has a {kind} in row {place}; a cell holds "
                    "one number, text or category, so give each entry a column of its own"
                )


def texts_of(columns: pd.Index) -> list[str]:
    """Names of columns as texts: of several levels, their names joined."""
    return [name_of(name) for name in columns]


def form_of(rows: Any) -> Form:
    """How rows are given."""
    if _is_sparse(rows):
        return Form("sparse", rows.dtype)
    if isinstance(rows, pd.DataFrame) and not all(isinstance(name, str) for name in rows):
        return Form("table", columns=rows.columns)
    if _is_frame(rows):
        return Form("table")
    return Form("array", np.asarray(rows).dtype)


def matched(rows: Any, background: pd.DataFrame, what: str = "rows") -> pd.DataFrame:
    """A table of rows with the columns of a background, in its order and of its types.

    Columns of a DataFrame are found by their names; those of an array are taken in their order.

    Raises
    ------
    TableError
        For columns that are missing, unknown or there twice, another number of columns, and
        entries of another type than the background's.
    """
    known = list(background.columns)
    names = None if _is_frame(rows) else known
    if names is not None:
        rows = _array(rows, what)
        if rows.shape[1] != len(known):
            raise TableError(
                f"{what} has {rows.shape[1]} columns, the background has {len(known)}: "
                f"{listed(known)}"
            )
    table = table_of(rows, names, what)
    if isinstance(rows, pd.Series) and not {*texts_of(table.columns)} & {*known}:
        raise TableError(
            f"{what} is a Series, which is one row, and none of its labels is a column of the "
            f"background: {listed(known)}; give a table, as table.iloc[[0]]"
        )
    table = aligned(table.set_axis(texts_of(table.columns), axis=1), known, what, "the background")
    columns = {name: _typed(table[name], background[name], what) for name in known}
    return pd.DataFrame(columns, index=table.index)


def _typed(column: pd.Series, model: pd.Series, what: str) -> pd.Series:
    """A column in the type of the background's; numbers keep their own where that is wider."""
    wanted = model.dtype
    numeric, is_object = pd.api.types.is_numeric_dtype, pd.api.types.is_object_dtype
    if is_object(column.dtype) and not is_object(wanted):  # as all columns of a row of many types
        column = column.infer_objects()
    if numeric(column.dtype) and isinstance(wanted, np.dtype):
        column = _of_numpy(column)
    own = column.dtype
    if own == wanted:
        return column
    if isinstance(wanted, pd.CategoricalDtype):
        unknown = column[column.notna() & ~column.isin(wanted.categories)].unique()
        if len(unknown):
            raise TableError(
                f"{what}: column {column.name!r} has {listed(unknown)}, which is no category of "
                f"the background; there are {listed(wanted.categories)}"
            )
        return column.astype(wanted)
    truths = [pd.api.types.is_bool_dtype(each) for each in (own, wanted)]
    if numeric(own) and numeric(wanted) and (not any(truths) or column.dropna().isin([0, 1]).all()):
        return column if truths[0] == truths[1] or column.hasnans else column.astype(wanted)
    if column.isna().all() and (numeric(wanted) or is_object(wanted)):
        return column.astype(np.float64 if numeric(wanted) else object)
    texts = pd.api.types.is_string_dtype
    if texts(own) and texts(wanted):
        return column.astype(wanted)
    raise TableError(
        f"{what}: column {column.name!r} holds {own}, in the background {wanted}; give it the same "
        "type in both"
    )


def _of_numpy(column: pd.Series) -> pd.Series:
    """Numbers of any package in a type of numpy: gaps are nan, which only fractions have."""
    own = column.dtype
    if isinstance(own, np.dtype):
        return column
    plain = getattr(own, "numpy_dtype", np.dtype(np.float64))
    return column.astype(np.float64 if column.hasnans or plain.kind not in "biuf" else plain)


def name_of(column: Any) -> str:
    """The name of a column: of several levels, their names joined."""
    return " ".join(map(str, column)) if isinstance(column, tuple) else str(column)


def _is_sparse(rows: Any) -> bool:
    return hasattr(rows, "tocsr")


def _is_frame(rows: Any) -> bool:
    if isinstance(rows, pd.DataFrame | pd.Series):
        return True
    return hasattr(rows, "to_pandas") or hasattr(rows, "__dataframe__")


def _frame(rows: Any, what: str) -> pd.DataFrame | None:
    """A copy of a table of named columns as a pandas DataFrame; None of anything else."""
    if isinstance(rows, pd.DataFrame):
        return rows.copy(deep=False)
    if isinstance(rows, pd.Series):
        return rows.to_frame().T.infer_objects()
    if not _is_frame(rows):
        return None
    try:
        return pd.DataFrame(rows.to_pandas())
    except Exception as error:  # what a package raises that lacks one of its own, as pyarrow
        reason = f"{type(error).__name__}: {error}"
    try:
        return pd.api.interchange.from_dataframe(rows).copy()
    except Exception:
        raise TableError(
            f"{what} of type {type(rows).__name__} cannot be made a pandas DataFrame ({reason})"
        ) from None


def _array(rows: Any, what: str) -> np.ndarray:
    if _is_sparse(rows):
        return np.asarray(rows.toarray())
    if hasattr(rows, "detach"):  # a tensor of PyTorch
        rows = rows.detach().cpu().numpy()
    if isinstance(rows, np.ma.MaskedArray):
        rows = np.ma.filled(rows.astype(np.float64), np.nan)
    try:
        array = np.asarray(rows)
    except ValueError as error:  # rows of different lengths
        raise TableError(f"{what} must be a table (n, p): {error}") from error
    if array.ndim == 1 and len(array):
        array = array[None]
    if array.ndim == 0:
        made = f"; make it one, as pandas.DataFrame({what})" if isinstance(rows, Mapping) else ""
        raise TableError(
            f"{what} must be a table (n, p), as a DataFrame or an array; got "
            f"{type(rows).__name__}{made}"
        )
    if array.ndim != 2:
        raise TableError(f"{what} must be a table (n, p); got shape {array.shape}")
    return array
