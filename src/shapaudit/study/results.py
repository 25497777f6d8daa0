"""Tidy tables on disk: validated where they are written, read back as the objects they hold.

A table maps names to columns (n,), which a pandas frame does too. Every job of the workflow reads
or writes one; pandas, which takes longer to import than most jobs to run, is not needed for that.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import yaml
from numpy.typing import ArrayLike

from ..schemas import schema_file
from ..truth import Truth

KINDS = {"integer": "iu", "number": "fiu", "string": "OUT"}


class TableError(ValueError):
    """A table that does not follow its schema."""


def check_table(table: Mapping[str, ArrayLike], schema: dict) -> None:
    """Raise `TableError` when a column is missing, unknown, of another type or out of range.

    ``schema`` is a JSON schema of one row; types integer, number, string, and null for missing
    numbers, ``minimum`` and ``enum`` are understood.
    """
    columns, wanted = list(table), list(schema["properties"])
    if columns != wanted:
        raise TableError(f"{schema['title']}: columns {columns}, not {wanted}.")
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
        raise TableError(f"{what} has type {column.dtype}, not {' or '.join(types)}.")
    if missing.any() and "null" not in types:
        raise TableError(f"{what} is missing in row {int(np.argmax(missing))}.")
    present = column[~missing]
    if "minimum" in rule and (present < rule["minimum"]).any():
        raise TableError(f"{what} has {present.min()}, below {rule['minimum']}.")
    if "enum" in rule and (odd := set(present.tolist()) - set(rule["enum"])):
        raise TableError(f"{what} has {min(odd)!r}, none of {rule['enum']}.")


def write_table(table: Mapping[str, ArrayLike], path: str | Path, schema: str) -> None:
    """Validate against the schema of this name, of `shapaudit.schemas`, and write Parquet.

    Integers become int64, numbers double with NaN as null, strings large_string.
    """
    rules = yaml.safe_load(schema_file(schema).read_text(encoding="utf-8"))
    check_table(table, rules)
    columns = [_arrow(table[name], rule) for name, rule in rules["properties"].items()]
    pq.write_table(pa.Table.from_arrays(columns, list(table)), path)


def _arrow(column: ArrayLike, rule: dict) -> pa.Array:
    """Arrow column built from its buffers: `pyarrow.array` would import pandas."""
    column, types = np.asarray(column), _types(rule)
    if "string" in types:
        texts = [text.encode() for text in column]
        ends = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        kind, buffers = pa.large_string(), [None, ends, b"".join(texts)]
    else:
        present = np.packbits(~_missing(column), bitorder="little")
        kind = pa.int64() if "integer" in types else pa.float64()
        buffers = [present, np.ascontiguousarray(column, dtype=kind.to_pandas_dtype())]
    buffers = [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(kind, len(column), buffers)


def truth_table(
    truths: list[Truth], check: str | None, differences: list[float]
) -> dict[str, np.ndarray]:
    """One row per pair and player; ``differences`` are the maxima found by the method ``check``."""
    sizes = [len(truth.values) for truth in truths]
    errors = [
        np.zeros_like(truth.values) if truth.standard_errors is None else truth.standard_errors
        for truth in truths
    ]
    return {
        "pair": np.repeat(np.arange(len(truths)), sizes),
        "player": np.concatenate([np.arange(d) for d in sizes]),
        "value": np.concatenate([truth.values for truth in truths]),
        "standard_error": np.concatenate(errors),
        "certificate": np.repeat([truth.certificate for truth in truths], sizes),
        "method": np.repeat([truth.method for truth in truths], sizes),
        "check": np.full(sum(sizes), check or "none"),
        "difference": np.repeat(differences, sizes),
    }


def read_truths(path: str | Path) -> list[Truth]:
    """Truths in the order of their pairs, as `truth_table` wrote them."""
    # `read_table` would import pandas.
    with Path(path).open("rb") as file, pq.ParquetFile(file) as table:
        columns = table.read().to_pydict()
    table = {name: np.array(column) for name, column in columns.items()}
    truths = []
    for pair in np.unique(table["pair"]):
        rows = table["pair"] == pair
        certificate = str(table["certificate"][rows][0])
        truths.append(
            Truth(
                values=table["value"][rows],
                certificate=certificate,
                method=str(table["method"][rows][0]),
                standard_errors=(None if certificate == "exact" else table["standard_error"][rows]),
            )
        )
    return truths
