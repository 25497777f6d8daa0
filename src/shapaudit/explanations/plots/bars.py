"""Bars: the values of one row, or their mean size over several."""

from typing import TYPE_CHECKING

import numpy as np

from ..explanation import Explanation
from . import words
from .canvas import NEGATIVE, POSITIVE, column, intervals, label_axes, rows_canvas
from .chosen import Shown, labels_with_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def bars_of_row(row: Explanation, max_features: int, ax: "Axes | None") -> "Axes":
    """Values of one row and output with their simultaneous intervals."""
    shown = Shown.largest(np.abs(row.values), max_features)
    values, half = shown.totals(row.values), shown.totals(row.half_widths())
    ax = rows_canvas(ax, shown.labels(labels_with_entries(row)))
    _bars(ax, values, np.array([half, half]))
    column(ax, [words.with_error(*pair) for pair in zip(values, half, strict=True)])
    label_axes(ax, words.with_unit("Shapley value", row.unit))
    return ax


def bars_of_means(table: Explanation, max_features: int, ax: "Axes | None") -> "Axes":
    """Mean absolute values of one output over the rows, with their simultaneous limits."""
    frame = table.mean_abs()
    shown = Shown.largest(frame["mean_abs"].to_numpy(), max_features)
    mean, low, high = shown.totals(frame[["mean_abs", "low", "high"]].to_numpy().T)
    ax = rows_canvas(ax, shown.labels(list(map(words.name, frame["feature"]))))
    _bars(ax, mean, np.array([mean - low, high - mean]))
    ax.set_xlim(0, None if mean.any() else 1)
    column(ax, [words.with_limits(*three) for three in zip(mean, low, high, strict=True)])
    few = ", too few for limits" if np.isnan(low).any() else ""
    label = f"mean |Shapley value| over {len(table)} rows{few}"
    label_axes(ax, words.with_unit(label, table.unit))
    return ax


def _bars(ax: "Axes", lengths: np.ndarray, errors: np.ndarray) -> None:
    colours = [POSITIVE if length >= 0 else NEGATIVE for length in lengths]
    rows = np.arange(len(lengths))
    ax.barh(rows, lengths, height=0.62, color=colours)
    intervals(ax, lengths, rows, errors)
