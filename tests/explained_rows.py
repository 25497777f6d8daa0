"""Explanations of rows such as people have, with made-up values."""

import numpy as np
import pandas as pd

from shapaudit.explanations.explanation import Explanation

TOWNS = ["Bern", "Köln", "Wien", None]
CLASSES = ["low", "mid", "high"]


def table(rows):
    """Rows (n, 10) with columns of every kind, and gaps."""
    rng = np.random.default_rng(0)
    days = pd.to_timedelta(rng.integers(0, 999, rows), unit="D")
    data = pd.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "income": rng.normal(5e4, 1e4, rows).round(2),
            "town": rng.choice(TOWNS, rows),
            "class": pd.Categorical(rng.choice(CLASSES, rows), CLASSES, ordered=True),
            "member": rng.random(rows) < 0.5,
            "since": pd.Timestamp("2020-01-01") + days,
            "seen": pd.date_range("2021-10-30", periods=rows, freq="h", tz="Europe/Berlin"),
            "children": pd.array(rng.integers(0, 4, rows), dtype="Int64"),
            "lat": rng.random(rows),
            "lon": rng.random(rows),
        },
        index=pd.Index([f"r{i}" for i in range(rows)], name="id"),
    )
    data.loc["r1", "income"] = np.nan
    data.loc["r2", ["children", "class"]] = pd.NA
    data.loc["r3", "since"] = pd.NaT
    return data


def made(rows=30, outputs=(), exact=False):
    """Values (n, 9) or (n, 9, k); the last two columns are one player."""
    rng = np.random.default_rng(1)
    data = table(rows)
    names = (*data.columns[:-2], "place")
    shape = (rows, len(names), *((len(outputs),) if outputs else ()))
    return Explanation(
        values=rng.normal(size=shape),
        standard_errors=np.zeros(shape) if exact else 0.1 * rng.random(shape),
        base_values=np.broadcast_to(rng.normal(size=shape[2:]), (rows, *shape[2:])).copy(),
        data=data,
        feature_names=names,
        output_names=tuple(outputs),
        how="Read from the trees." if exact else "By auto, 100 evaluations a row.",
        method="trees" if exact else "auto",
        evaluations=np.full(rows, 0 if exact else 100),
        groups={"place": ("lat", "lon")},
        unit="probability",
    )
