"""Bias, variance, rows and seconds of the methods of Table 1, from the rows of claim 85."""

from collections.abc import Mapping, Sequence
from typing import Any

from shapaudit_audit.report.latex import escape, fixed, number, prose, stacked, tabular

from .methods import ROWS
from .seconds import SECONDS

CLAIM = "85"
INTERVAL_ROUNDING = 1e-6  # of a part, between its limits
# Parts of the error by key: towards the values of a method's own game, and of the population.
PARTS = ("own_bias", "own_variance", "population_bias", "population_variance")
MODELS = {
    "network": "ReLU network",
    "linear": "linear",
    "trees": "trees",
    "shallow": "shallow ShapNet",
    "deep": "deep ShapNet",
}
Measures = Mapping[str, Any]


def measured(claims: Mapping[str, Mapping], prefix: str) -> list[Measures]:
    """What claim 85 found, by method in the order of Table 1, with milliseconds of each."""
    by_method = {row["method"]: row for row in claims[f"{prefix}-{CLAIM}"]["rows"]}
    return [by_method[row.method] | _milliseconds(row.method) for row in ROWS]


def _milliseconds(method: str) -> dict[str, float]:
    fit, each = SECONDS[method]
    return {"fit_ms": 1e3 * fit, "ms": 1e3 * each}


def values(claims: Mapping[str, Mapping], prefix: str) -> dict[str, str]:
    """What claim 85 says of the cells, a sentence."""
    return {"methods.measured": prose(claims[f"{prefix}-{CLAIM}"]["summary"])}


def share_of(row: Measures, part: str) -> tuple[float, float, float]:
    """A part of the error and its limits in per cent of the squared size of the values.

    To one decimal, none of them a zero with a sign.
    """
    keys = (part, f"{part}_low", f"{part}_high")
    share, low, high = (round(100 * row[key], 1) + 0.0 for key in keys)
    return share, low, high


def settled(row: Measures, part: str) -> bool:
    """Whether nothing but rounding varies from fit to fit, so that there is one number alone."""
    return row[f"{part}_high"] - row[f"{part}_low"] < INTERVAL_ROUNDING


def measured_table(rows: Sequence[Measures]) -> str:
    """LaTeX: a line per method."""
    groups = (("own game", 2), ("population", 2), ("rows", 3), ("milliseconds", 2))
    header = [
        ["", "", *(rf"\multicolumn{{{count}}}{{c}}{{{name}}}" for name, count in groups)],
        ["", "model", *["bias", "variance"] * 2, "data", "fit", "each", "fit", "each"],
    ]
    lines = [
        [
            escape(str(row["method"])),
            MODELS[row["model"]],
            *(_part(row, part) for part in PARTS),
            *(number(round(row[key])) for key in ("data_rows", "fit_rows", "rows")),
            *(number(row[key], 2) for key in ("fit_ms", "ms")),
        ]
        for row in rows
    ]
    return tabular("@{}llccccrrrrr@{}", header, [lines])


def _part(row: Measures, part: str) -> str:
    value, low, high = share_of(row, part)
    if settled(row, part):
        return fixed(value, 1) if row[part] else "0"
    return stacked(fixed(value, 1), f"[{fixed(low, 1)}, {fixed(high, 1)}]")
