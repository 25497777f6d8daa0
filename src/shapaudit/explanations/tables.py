"""Columns matched by name, and the typical row of a table."""

from collections.abc import Sequence

import pandas as pd

from ..datasets.mixed import TableError, check_distinct
from ..parameters import shortlist


def aligned(table: pd.DataFrame, columns: Sequence[object], what: str, like: str) -> pd.DataFrame:
    """The columns of a table in the order of ``columns``, matched by name, which they then have.

    ``what`` is what messages call the table, ``like`` what the columns are those of. Raises
    `TableError` for a column that is missing, unknown, or there twice.
    """
    own, wanted = [str(name) for name in table.columns], [str(name) for name in columns]
    check_distinct(own, what)
    check_distinct(wanted, like)
    missing = [name for name in wanted if name not in own]
    unknown = [name for name in own if name not in wanted]
    faults = [f"lacks {shortlist(missing)}"] if missing else []
    faults += [f"has {shortlist(unknown)} in addition"] if unknown else []
    if faults:
        raise TableError(
            f"{what} has other columns than {like}: it {' and '.join(faults)}; give both the same"
        )
    ordered = table if own == wanted else table.iloc[:, [own.index(name) for name in wanted]]
    return ordered.set_axis(list(columns), axis=1)


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
