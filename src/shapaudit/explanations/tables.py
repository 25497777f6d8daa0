"""Tables of rows, in whatever form they are given."""

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError


def as_table(rows: object) -> pd.DataFrame:
    """A DataFrame of rows (n, p); an array's columns are called x0, x1, and so on."""
    if isinstance(rows, pd.DataFrame):
        return rows.reset_index(drop=True)
    array = np.asarray(rows)
    if array.ndim != 2 or array.shape[1] == 0:
        raise TableError(f"rows must be a table (n, p); got shape {array.shape}")
    return pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])])


def typical_row(table: pd.DataFrame) -> pd.DataFrame:
    """One row: the median of numbers, the most frequent value of all other columns."""
    values = {}
    for name, column in table.items():
        numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
        if numeric:
            middle = column.quantile(0.5, interpolation="nearest")
        else:
            middle = column.value_counts(dropna=False).index[0]
        values[name] = pd.Series([middle], dtype=column.dtype)
    return pd.DataFrame(values)
