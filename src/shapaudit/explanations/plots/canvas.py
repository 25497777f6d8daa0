"""Axes in the style of a journal: 6.3 inches wide, text of 8 points, thin lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...optional import needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHAT = "a figure of an explanation"
WIDTH = 6.3  # inches, the text of an A4 page
TEXT = 8  # points
THIN = 0.6
GRID, INK, GREY = "#e4e4e4", "#222222", "#7F7F7F"
# Of the colours of Okabe & Ito (2008); the first is dark and the second light in print without
# colours, and no sign is said by a colour alone.
POSITIVE, NEGATIVE = "#0072B2", "#E69F00"
ERROR: dict[str, Any] = {"fmt": "none", "ecolor": INK, "capsize": 2}
LINE = 0.8  # points of an error bar, and
HALO = 2.2  # of the white around it, without which it is lost in a dark bar
ROW, FRAME = 0.235, 0.75  # inches of a feature, and of all that is around them


def canvas(ax: "Axes | None", height: float) -> "Axes":
    """The axes given, or those of a new figure that notebooks show, in the house's style."""
    if ax is None:
        pyplot = needed("matplotlib.pyplot", WHAT, "plots")
        _, ax = pyplot.subplots(figsize=(WIDTH, height), layout="constrained")
    assert ax is not None
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_linewidth(THIN)
    ax.tick_params(which="major", labelsize=TEXT, width=THIN)
    ax.tick_params(which="minor", width=0.4)
    ax.grid(color=GRID, linewidth=0.5)
    ax.set_axisbelow(True)
    return ax


def rows_canvas(ax: "Axes | None", labels: Sequence[str], *, zero: bool = True) -> "Axes":
    """Axes with a row for each label, from the top, and a line at 0."""
    ax = canvas(ax, FRAME + ROW * len(labels))
    ax.grid(visible=False, axis="y")
    ax.set_yticks(np.arange(len(labels)), list(labels), parse_math=False)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    if zero:
        ax.axvline(0, color=INK, linewidth=THIN, zorder=1)
    return ax


def intervals(ax: "Axes", centres: np.ndarray, rows: np.ndarray, errors: np.ndarray) -> None:
    """Horizontal error bars (2, r), where they have a length."""
    seen = (errors > 0).any(axis=0)
    if not seen.any():
        return
    bars = {"x": centres[seen], "y": rows[seen], "xerr": errors[:, seen], **ERROR}
    ax.errorbar(**bars | {"ecolor": "white", "capsize": 2.7}, elinewidth=HALO, capthick=HALO)
    ax.errorbar(**bars, elinewidth=LINE, capthick=LINE)


def label_axes(ax: "Axes", x: str, y: str = "") -> None:
    """Labels of the axes; a dollar sign is one."""
    ax.set_xlabel(x, fontsize=TEXT, parse_math=False)
    ax.set_ylabel(y, fontsize=TEXT, parse_math=False)


def column(ax: "Axes", texts: Sequence[str]) -> None:
    """Texts at the right of the rows, where nothing is drawn."""
    for row, text in enumerate(texts):
        ax.text(
            1.02,
            row,
            text,
            transform=ax.get_yaxis_transform(),
            fontsize=TEXT,
            va="center",
            parse_math=False,
        )
