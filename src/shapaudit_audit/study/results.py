"""Tidy tables on disk: validated where they are written and where they are read back.

A table maps names to columns (n,), which a pandas frame does too. Every job of the workflow reads
or writes one; pandas, which takes longer to import than most jobs to run, is not needed for that.
The Parquet file carries the SHA-256 of its columns, in the metadata of its schema.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from numpy.typing import ArrayLike

from shapaudit.truth import Truth

from ..schemas import schema_file
from .sealed import damaged

CHECKSUM = b"sha256"
KINDS = {"integer": "iu", "number": "fiu", "string": "OUT"}


class SchemaError(ValueError):
    """A table that does not follow its schema."""


def check_table(table: Mapping[str, ArrayLike], schema: dict) -> None:
    """Raise `SchemaError` when a column is missing, unknown, of another type or out of range.

    ``schema`` is a JSON schema of one row; types integer, number, string, and null for missing
    numbers, ``minimum`` and ``enum`` are understood.
    """
    columns, wanted = list(table), list(schema["properties"])
    if columns != wanted:
        raise SchemaError(f"{schema['title']}: columns {columns}, not {wanted}.")
    for name, rule in schema["properties"].items():
        _check_column(np.asarray(table[name]), rule, f"{schema['title']}: column {name}")


def _types(rule: dict) -> list[str]:
    return rule["type"] if isinstance(rule["type"], list) else [rule["type"]]


def _missing(column: np.ndarray) -> np.ndarray:
    """Which entries (n,) are None or NaN."""
    return np.array([entry is None or entry != entry for entry in column.tolist()], dtype=bool)


def _check_column(column: np.ndarray, rule: dict, what: str) -> None:
    types, missing = _types(rule), _missing(column)
    objects = column.dtype == object and not all(isinstance(x, str) for x in column[~missing])
    if objects or column.dtype.kind not in "".join(KINDS.get(name, "") for name in types):
        raise SchemaError(f"{what} has type {column.dtype}, not {' or '.join(types)}.")
    if missing.any() and "null" not in types:
        raise SchemaError(f"{what} is missing in row {int(np.argmax(missing))}.")
    present = column[~missing]
    if "minimum" in rule and (present < rule["minimum"]).any():
        raise SchemaError(f"{what} has {present.min()}, below {rule['minimum']}.")
    if "enum" in rule and (odd := set(present.tolist()) - set(rule["enum"])):
        raise SchemaError(f"{what} has {min(odd)!r}, none of {rule['enum']}.")


def write_table(table: Mapping[str, ArrayLike], path: str | Path, schema: str) -> None:
    """Validate against the schema of this name, of `shapaudit_audit.schemas`, and write Parquet.

    Integers become int64, numbers double with NaN as null, strings large_string.
    """
    rules = _rules(schema)
    check_table(table, rules)
    columns = [_arrow(table[name], rule) for name, rule in rules["properties"].items()]
    written = pa.Table.from_arrays(columns, list(table))
    checksum = {CHECKSUM: _digest(_columns(written))}
    pq.write_table(written.replace_schema_metadata(checksum), path)


def read_table(path: str | Path, schema: str) -> dict[str, np.ndarray]:
    """The columns (n,) of a table, checked against their checksum and the schema of this name.

    Integers are int64, numbers float64 with NaN for null, texts str. Raises FileNotFoundError where
    there is no such file, and `DamagedResult` naming it where it is not as it was written.
    """
    try:
        # `pyarrow.parquet.read_table` would import pandas. A reader of files leaves a thread
        # behind, which now and then aborts the process at its end.
        with pq.ParquetFile(pa.BufferReader(Path(path).read_bytes())) as source:
            read = source.read(use_threads=False)
        columns = _columns(read)
    except FileNotFoundError:
        raise
    except Exception as error:  # a flipped bit may ask Parquet's reader for anything
        raise damaged(path, f"it cannot be read ({error})") from error
    checksum = (read.schema.metadata or {}).get(CHECKSUM)
    if checksum != _digest(columns):
        raise damaged(
            path, "its checksum is that of other columns" if checksum else "it has no checksum"
        )
    try:
        check_table(columns, _rules(schema))
    except SchemaError as error:
        raise damaged(path, str(error).rstrip(".")) from error
    return columns


@cache
def _rules(schema: str) -> dict:
    return yaml.safe_load(schema_file(schema).read_text(encoding="utf-8"))


def _columns(table: pa.Table) -> dict[str, np.ndarray]:
    """Columns by name as numpy has them; pyarrow's own way would import pandas."""
    return {name: _numpy(table.column(name).combine_chunks()) for name in table.column_names}


def _numpy(column: pa.Array) -> np.ndarray:
    if pa.types.is_large_string(column.type) or pa.types.is_string(column.type):
        return np.array(column.to_pylist(), dtype=np.str_)
    present, values = column.buffers()
    within = slice(column.offset, column.offset + len(column))
    values = np.frombuffer(values, dtype=column.type.to_pandas_dtype())[within].copy()
    if column.null_count:
        bits = np.unpackbits(np.frombuffer(present, dtype=np.uint8), bitorder="little")[within]
        values = np.where(bits == 1, values, np.nan)
    return values


def _digest(columns: Mapping[str, np.ndarray]) -> bytes:
    """SHA-256 of names, types and values, in hexadecimal digits; a missing number is a NaN."""
    whole = sha256()
    for name, column in columns.items():
        texts = column.dtype.kind == "U"
        whole.update(f"{name}:{'str' if texts else column.dtype.str}:{len(column)}:".encode())
        whole.update("\0".join(column.tolist()).encode() if texts else column.tobytes())
    return whole.hexdigest().encode()


def _arrow(column: ArrayLike, rule: dict) -> pa.Array:
    """Arrow column built from its buffers: `pyarrow.array` would import pandas."""
    column, types = np.asarray(column), _types(rule)
    parts: tuple[Any, ...]
    if "string" in types:
        texts = [text.encode() for text in column]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        kind, parts = pa.large_string(), (None, ends, b"".join(texts))
    else:
        present = np.packbits(~_missing(column), bitorder="little")
        kind = pa.int64() if "integer" in types else pa.float64()
        parts = (present, np.ascontiguousarray(column, dtype=kind.to_pandas_dtype()))
    buffers = [None if part is None else pa.py_buffer(part) for part in parts]
    return pa.Array.from_buffers(kind, len(column), buffers)


def truth_table(
    truths: list[Truth], check: str | None, differences: list[float]
) -> dict[str, np.ndarray]:
    """One row per explicand and player; ``differences`` are the maxima found by ``check``."""
    sizes = [len(truth.values) for truth in truths]
    errors = [
        np.zeros_like(truth.values) if truth.standard_errors is None else truth.standard_errors
        for truth in truths
    ]
    proved = {"exact": 0.0, "reference": np.nan}
    bounds = [
        np.full_like(truth.values, proved[truth.certificate])
        if truth.bounds is None
        else truth.bounds
        for truth in truths
    ]
    return {
        "explicand": np.repeat(np.arange(len(truths)), sizes),
        "player": np.concatenate([np.arange(d) for d in sizes]),
        "value": np.concatenate([truth.values for truth in truths]),
        "standard_error": np.concatenate(errors),
        "bound": np.concatenate(bounds),
        "certificate": np.repeat([truth.certificate for truth in truths], sizes),
        "method": np.repeat([truth.method for truth in truths], sizes),
        "check": np.full(sum(sizes), check or "none"),
        "difference": np.repeat(differences, sizes),
    }


def read_truths(path: str | Path) -> list[Truth]:
    """Truths in the order of their explicands, as `truth_table` wrote them."""
    table = read_table(path, "truth")
    truths = []
    for explicand in np.unique(table["explicand"]):
        rows = table["explicand"] == explicand
        certificate = str(table["certificate"][rows][0])
        sampled, bounded = certificate == "reference", certificate == "bounded"
        truths.append(
            Truth(
                values=table["value"][rows],
                certificate=certificate,
                method=str(table["method"][rows][0]),
                standard_errors=table["standard_error"][rows] if sampled else None,
                bounds=table["bound"][rows] if bounded else None,
            )
        )
    return truths
