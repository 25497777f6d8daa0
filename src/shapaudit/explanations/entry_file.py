"""Single entries of any type as what JSON can hold, and back."""

from typing import Any

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError

GAPS = {"NA": pd.NA, "NaT": pd.NaT}


def pack_entry(entry: Any, what: str) -> Any:
    """Texts, numbers, booleans and None as they are; others as their kind and content.

    Raises `TableError`, which says ``what`` the entry is of, for a type that is not known.
    """
    for name, gap in GAPS.items():
        if entry is gap:
            return {"gap": name}
    if entry is None or type(entry) in (str, bool, int, float):
        return entry
    if isinstance(entry, np.bool_ | np.integer | np.floating) and entry.itemsize <= 8:
        return {"numpy": entry.dtype.str, "value": entry.item()}
    if isinstance(entry, pd.Timestamp):
        zone = None if entry.tz is None else str(pd.DatetimeTZDtype(entry.unit, entry.tz))
        return {"ticks": _ticks(entry), "unit": entry.unit, "zone": zone}
    if isinstance(entry, pd.Interval):
        ends = [pack_entry(end, what) for end in (entry.left, entry.right)]
        return {"interval": ends, "closed": entry.closed}
    if isinstance(entry, pd.Timedelta):
        return {"span": _ticks(entry), "unit": entry.unit}
    raise TableError(
        f"{what}: a file cannot hold {entry!r} of the type {type(entry).__name__}; convert it, "
        "say to text"
    )


def _ticks(entry: pd.Timestamp | pd.Timedelta) -> int:
    """Units of time since 1970 in UTC, or of the span."""
    return int(entry.asm8.astype(np.int64))


def unpack_entry(packed: Any) -> Any:
    """The entry that `pack_entry` packed."""
    match packed:
        case {"gap": name}:
            return GAPS[name]
        case {"numpy": dtype, "value": value}:
            return np.dtype(dtype).type(value)
        case {"ticks": ticks, "unit": unit, "zone": zone}:
            time = pd.Timestamp(np.datetime64(ticks, unit))
            return time if zone is None else _in_zone(time, zone)
        case {"span": ticks, "unit": unit}:
            return pd.Timedelta(np.timedelta64(ticks, unit))
        case {"interval": ends, "closed": closed}:
            return pd.Interval(*map(unpack_entry, ends), closed=closed)
        case dict():
            raise KeyError(f"no entry is described by {sorted(packed)}")
    return packed


def _in_zone(time: pd.Timestamp, dtype: str) -> pd.Timestamp:
    return time.tz_localize("UTC").tz_convert(pd.api.types.pandas_dtype(dtype).tz)
