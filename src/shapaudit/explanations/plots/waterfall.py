"""A waterfall: from the base value to the prediction, one Shapley value after another."""

from typing import TYPE_CHECKING

import numpy as np

from ..explanation import Explanation
from . import words
from .canvas import GREY, INK, NEGATIVE, POSITIVE, THIN, column, intervals, label_axes, rows_canvas
from .chosen import Shown, labels_with_entries

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 0.62


def waterfall(row: Explanation, max_features: int, ax: "Axes | None") -> "Axes":
    """Bars from where the last one ended, the largest value first, with intervals of the values.

    The interval of a value is drawn at the end of its bar.
    """
    shown = Shown.largest(np.abs(row.values), max_features)
    values, half = shown.totals(row.values), shown.totals(row.half_widths())
    base, prediction = float(row.base_values), float(row.predictions)
    labels = ["base value", *shown.labels(labels_with_entries(row)), "prediction"]
    ax = rows_canvas(ax, labels, zero=False)
    ends = base + np.cumsum(values)
    starts = np.concatenate([[base], ends[:-1]])
    rows = np.arange(1, len(values) + 1)
    colours = [POSITIVE if value >= 0 else NEGATIVE for value in values]
    ax.barh(rows, values, left=starts, height=HEIGHT, color=colours)
    intervals(ax, ends, rows, np.array([half, half]))
    _connect(ax, np.concatenate([[base], ends]))
    for place, level in ((0, base), (len(labels) - 1, prediction)):
        ax.plot([level], [place], marker="D", markersize=4, color=INK, linestyle="none")
    ax.use_sticky_edges = False  # room for the markers at either end
    ax.margins(x=0.05)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    texts = [words.with_error(*pair) for pair in zip(values, half, strict=True)]
    column(ax, [words.number(base), *texts, words.number(prediction)])
    label_axes(ax, words.with_unit("output of the model", row.unit))
    return ax


def _connect(ax: "Axes", levels: np.ndarray) -> None:
    """Thin lines from the end of each row (r,) to the start of the next."""
    rows = np.arange(len(levels))
    ax.vlines(levels, rows, rows + 1, color=GREY, linewidth=THIN, zorder=1)
