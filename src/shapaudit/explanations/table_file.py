"""A table with its types as arrays and a description for JSON, and back; nothing is pickled."""

from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from .entry_file import pack_entry, unpack_entry

Description = dict[str, Any]
Arrays = dict[str, np.ndarray]
MASKED = {
    "b": pd.arrays.BooleanArray,
    "i": pd.arrays.IntegerArray,
    "u": pd.arrays.IntegerArray,
    "f": pd.arrays.FloatingArray,
}
NAMES = "the names of the columns"


def pack_rows(data: pd.DataFrame | pd.Series, arrays: Arrays) -> Description:
    """Put rows, or a single one, into ``arrays``; return what `unpack_rows` needs besides.

    Raises `TableError` naming the column, or the index, that a file cannot hold.
    """
    if isinstance(data, pd.Series):
        return {
            "row": _pack("the row", data, arrays),
            "name": pack_entry(data.name, "the name of the row"),
            "index": _pack_index(NAMES, data.index, arrays),
        }
    return {
        "columns": [_pack(f"column {name!r}", column, arrays) for name, column in data.items()],
        "names": _pack_index(NAMES, data.columns, arrays),
        "index": _pack_index("the index", data.index, arrays),
    }


def unpack_rows(description: Description, arrays: Arrays) -> pd.DataFrame | pd.Series:
    """The rows that `pack_rows` packed."""
    index = _unpack_index(description["index"], arrays)
    if "row" in description:
        name = unpack_entry(description["name"])
        return pd.Series(_unpack(description["row"], arrays).array, index, name=name)
    columns = [_unpack(column, arrays).set_axis(index) for column in description["columns"]]
    table = pd.DataFrame(dict(enumerate(columns)), index=index)
    table.columns = _unpack_index(description["names"], arrays)
    return table


def _pack_index(what: str, index: pd.Index, arrays: Arrays) -> Description:
    if isinstance(index, pd.MultiIndex):
        raise TableError(
            f"{what}: a file cannot hold the {index.nlevels} levels; leave one, for instance by "
            "data.reset_index(drop=True)"
        )
    name = {"name": pack_entry(index.name, f"the name of {what}")}
    if isinstance(index, pd.RangeIndex):
        return name | {"range": [index.start, index.stop, index.step]}
    frequency = {"frequency": index.freqstr} if isinstance(index, pd.DatetimeIndex) else {}
    return name | frequency | {"entries": _pack(what, index.to_series(), arrays)}


def _unpack_index(description: Description, arrays: Arrays) -> pd.Index:
    name = unpack_entry(description["name"])
    if "range" in description:
        return pd.RangeIndex(*description["range"], name=name)
    column = _unpack(description["entries"], arrays)
    if frequency := description.get("frequency"):
        return pd.DatetimeIndex(column, freq=frequency, name=name)
    return pd.Index(column, dtype=column.dtype, name=name)


def _pack(what: str, column: pd.Series, arrays: Arrays) -> Description:
    """Entries of one type."""
    dtype = column.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        categories = _pack(what, pd.Series(dtype.categories), arrays)
        codes = _put(column.cat.codes.to_numpy(), arrays)
        return {"codes": codes, "categories": categories, "ordered": bool(dtype.ordered)}
    if isinstance(dtype, pd.IntervalDtype):
        ends = [
            _pack(what, pd.Series(end), arrays) for end in (column.array.left, column.array.right)
        ]
        return {"intervals": ends, "closed": dtype.closed}
    if isinstance(dtype, pd.StringDtype):
        gaps = column.isna()
        return {"texts": column.astype(object).where(~gaps, None).tolist(), "type": str(dtype)}
    if isinstance(dtype, pd.DatetimeTZDtype) and _is_named(dtype):
        return {"utc": _put(column.dt.tz_convert(None).to_numpy(), arrays), "type": str(dtype)}
    if isinstance(column.array, tuple(MASKED.values())):
        filled = column.to_numpy(dtype=dtype.numpy_dtype, na_value=dtype.numpy_dtype.type(0))
        return {"filled": _put(filled, arrays), "gaps": _put(column.isna().to_numpy(), arrays)}
    if isinstance(dtype, np.dtype) and dtype.kind == "O":
        return {"objects": [pack_entry(entry, what) for entry in column]}
    if isinstance(dtype, np.dtype):
        return {"plain": _put(column.to_numpy(), arrays)}
    raise TableError(f"{what}: a file cannot hold the type {dtype}; convert it, say to text")


def _unpack(description: Description, arrays: Arrays) -> pd.Series:
    match description:
        case {"codes": codes, "categories": categories, "ordered": ordered}:
            named = pd.Index(_unpack(categories, arrays))
            return pd.Series(pd.Categorical.from_codes(arrays[codes], named, ordered=ordered))
        case {"intervals": ends, "closed": closed}:
            left, right = (pd.Index(_unpack(end, arrays)) for end in ends)
            return pd.Series(pd.arrays.IntervalArray.from_arrays(left, right, closed=closed))
        case {"texts": texts, "type": name}:
            return pd.Series(texts, dtype=name)
        case {"utc": utc, "type": name}:
            zone = pd.api.types.pandas_dtype(name).tz
            return pd.Series(arrays[utc]).dt.tz_localize("UTC").dt.tz_convert(zone)
        case {"filled": filled, "gaps": gaps}:
            values = arrays[filled]
            return pd.Series(MASKED[values.dtype.kind](values, arrays[gaps]))
        case {"objects": entries}:
            return pd.Series([unpack_entry(entry) for entry in entries], dtype=object)
        case {"plain": plain}:
            return pd.Series(arrays[plain])
    raise KeyError(f"no entries are described by {sorted(description)}")


def _put(array: np.ndarray, arrays: Arrays) -> str:
    """The key of an array that was added to those of the file."""
    key = f"data_{len(arrays)}"
    arrays[key] = array
    return key


def _is_named(dtype: pd.DatetimeTZDtype) -> bool:
    """Whether the name of a type with a time zone says which one it is."""
    try:
        return bool(pd.api.types.pandas_dtype(str(dtype)) == dtype)
    except TypeError:
        return False
