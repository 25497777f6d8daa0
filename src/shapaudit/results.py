"""Tidy tables on disk: validated where they are written, read back as the objects they hold."""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from .truth import Truth

SCHEMAS = Path(__file__).parents[2] / "workflow" / "schemas"
KINDS = {"integer": "iu", "number": "fiu", "string": "OUT", "boolean": "b"}


class TableError(ValueError):
    """A table that does not follow its schema."""


def check_table(frame: pd.DataFrame, schema: dict) -> None:
    """Raise `TableError` when a column is missing, unknown, of another type or out of range.

    ``schema`` is a JSON schema of one row; types integer, number, string, and null for missing
    values, ``minimum`` and ``enum`` are understood.
    """
    columns, wanted = list(frame.columns), list(schema["properties"])
    if columns != wanted:
        raise TableError(f"{schema['title']}: columns {columns}, not {wanted}.")
    for name, rule in schema["properties"].items():
        _check_column(frame[name], rule, f"{schema['title']}: column {name}")


def _check_column(column: pd.Series, rule: dict, what: str) -> None:
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    kinds = "".join(KINDS[name] for name in types if name != "null")
    if column.dtype.kind not in kinds:
        raise TableError(f"{what} has type {column.dtype}, not {' or '.join(types)}.")
    missing = column.isna()
    if missing.any() and "null" not in types:
        raise TableError(f"{what} is missing in row {int(np.argmax(missing))}.")
    present = column[~missing]
    if "minimum" in rule and (present < rule["minimum"]).any():
        raise TableError(f"{what} has {present.min()}, below {rule['minimum']}.")
    if "enum" in rule and not present.isin(rule["enum"]).all():
        odd = present[~present.isin(rule["enum"])].iloc[0]
        raise TableError(f"{what} has {odd!r}, none of {rule['enum']}.")


def write_table(frame: pd.DataFrame, path: str | Path, schema: str) -> None:
    """Validate against ``workflow/schemas/<schema>.schema.yaml`` and write Parquet."""
    text = (SCHEMAS / f"{schema}.schema.yaml").read_text(encoding="utf-8")
    check_table(frame, yaml.safe_load(text))
    frame.to_parquet(path, index=False)


def truth_table(truths: list[Truth], check: str | None, differences: list[float]) -> pd.DataFrame:
    """One row per pair and player; ``differences`` are the maxima found by the method ``check``."""
    frames = []
    for pair, (truth, difference) in enumerate(zip(truths, differences, strict=True)):
        d = len(truth.values)
        errors = np.zeros(d) if truth.standard_errors is None else truth.standard_errors
        frames.append(
            pd.DataFrame(
                {
                    "pair": np.full(d, pair),
                    "player": np.arange(d),
                    "value": truth.values,
                    "standard_error": errors,
                    "certificate": truth.certificate,
                    "method": truth.method,
                    "check": check or "none",
                    "difference": difference,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def read_truths(path: str | Path) -> list[Truth]:
    """Truths in the order of their pairs, as `truth_table` wrote them."""
    truths = []
    for _, rows in pd.read_parquet(path).groupby("pair", sort=True):
        certificate = rows["certificate"].iloc[0]
        truths.append(
            Truth(
                values=rows["value"].to_numpy(),
                certificate=certificate,
                method=rows["method"].iloc[0],
                standard_errors=(
                    None if certificate == "exact" else rows["standard_error"].to_numpy()
                ),
            )
        )
    return truths
