"""A beeswarm: the values of each feature over the rows, coloured by its entries."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...optional import needed
from ..explanation import Explanation
from . import words
from .canvas import FRAME, INK, TEXT, THIN, WHAT, canvas, label_axes, rows_canvas
from .chosen import Shown
from .entries import Entries
from .swarm import points_per_unit, swarm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.38  # inches of a feature
LEAST = 1.9  # inches of a figure, which has a scale of colours beside it
ROOM = 0.42  # of a row on either side of its middle
BENEATH = 0.5  # of a row, where the bars of errors are
NEGLIGIBLE = 1.5  # points of print to which an interval extends on either side
EDGE = "#555555"
ERROR: dict[str, Any] = {"ecolor": INK, "elinewidth": 0.8, "capsize": 1.5, "capthick": 0.8}


def beeswarm(table: Explanation, max_features: int, ax: "Axes | None") -> "Axes":
    """Rows of points, the feature of the largest mean absolute value first."""
    shown = Shown.largest(np.abs(table.values).mean(axis=0), max_features)
    labels = shown.labels(list(map(words.name, table.feature_names)))
    values = shown.totals(table.values).T
    ax = rows_canvas(canvas(ax, max(LEAST, FRAME + ROW * len(labels))), labels)
    half = np.median(shown.totals(table.half_widths()), axis=0)
    _limit(ax, np.concatenate([values.ravel(), half, -half, [0.0]]))
    ranks = [Entries.of(table, j).ranks for j in shown.own]
    _legends(ax, np.array(ranks))
    ranks += [np.full(len(table), np.nan)] * shown.summed
    label_axes(ax, words.with_unit("Shapley value", table.unit))
    _errors(ax, half)
    width, height = points_per_unit(ax)
    offsets, diameter = swarm(list(values * width), ROOM * height)
    for row, (x, y, rank) in enumerate(zip(values, offsets, ranks, strict=True)):
        _points(ax, x, row + y / height, rank, diameter)
    return ax


def _errors(ax: "Axes", half: np.ndarray) -> None:
    """Bars (r,) beneath the rows, unless none is wider than a point."""
    width, _ = points_per_unit(ax)
    if (half * width > NEGLIGIBLE).any():
        rows = np.arange(len(half)) + BENEATH
        ax.errorbar(np.zeros(len(half)), rows, xerr=half, fmt="none", **ERROR)
        label_axes(ax, f"{ax.get_xlabel()}\nbars: median 95 % interval of a value, around 0")


def _limit(ax: "Axes", values: np.ndarray) -> None:
    """Limits of the x-axis, set before points are placed by their distances in print."""
    edge = 0.03 * np.ptp(values) or 1.0
    ax.set_xlim(values.min() - edge, values.max() + edge)


def _points(ax: "Axes", x: np.ndarray, y: np.ndarray, ranks: np.ndarray, diameter: float) -> None:
    ranked = np.isfinite(ranks)
    size = diameter**2
    ax.scatter(
        x[ranked], y[ranked], s=size, c=ranks[ranked], cmap=_colours(), vmin=0, vmax=1, linewidths=0
    )
    open_: dict[str, Any] = {
        "facecolors": "white",
        "edgecolors": EDGE,
        "linewidths": 0.18 * diameter,
    }
    ax.scatter(x[~ranked], y[~ranked], s=(0.82 * diameter) ** 2, **open_)


def _colours() -> Any:
    """Dark for low entries, light for high ones, none as light as the paper."""
    plasma = needed("matplotlib", WHAT, "plots").colormaps["plasma"]
    made = needed("matplotlib.colors", WHAT, "plots").ListedColormap
    return made(plasma(np.linspace(0.02, 0.9, 256)))


def _legends(ax: "Axes", ranks: np.ndarray) -> None:
    """A scale of ranks, and what open points are, where there are any."""
    figure = ax.get_figure()
    assert figure is not None
    ranked = np.isfinite(ranks)
    if ranked.any():
        mappable = needed("matplotlib.cm", WHAT, "plots").ScalarMappable(cmap=_colours())
        bar = figure.colorbar(mappable, ax=ax, ticks=[0, 1], aspect=40, pad=0.02)
        bar.ax.set_yticklabels(["low", "high"])
        bar.ax.tick_params(labelsize=TEXT, length=0)
        bar.set_label("entry of the feature", fontsize=TEXT)
        bar.outline.set_visible(False)
    if not ranked.all():
        (handle,) = ax.plot(
            [],
            [],
            "o",
            markersize=4,
            markerfacecolor="white",
            markeredgecolor=EDGE,
            markeredgewidth=THIN,
            label="missing or without order",
        )
        ax.legend(
            handles=[handle],
            fontsize=TEXT,
            frameon=False,
            loc="lower right",
            bbox_to_anchor=(1, 1),
            borderaxespad=0,
            handletextpad=0.2,
        )
