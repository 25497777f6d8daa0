"""How the values of a row settle as evaluations are added."""

from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ...datasets.mixed import TableError
from ...optional import needed
from ...parameters import check_count, listed
from . import words
from .canvas import INK, TEXT, THIN, WHAT, canvas, label_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

COLUMNS = ("evaluations", "feature", "value", "low", "high")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe & Ito 2008
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (5, 1.5, 1, 1.5)))
MARKERS = "os^Dv"
HEIGHT = 3.2  # inches


def plot_convergence(
    frame: pd.DataFrame, ax: "Axes | None" = None, max_features: int = 6
) -> "Axes":
    """Values of one row of a table, with bands, against the evaluations they rest on.

    Parameters
    ----------
    frame : columns evaluations, feature, value, low, high; of one output
    ax : those to draw on; by default those of a new figure
    max_features : how many features are drawn: those whose last values are largest

    Returns
    -------
    Axes
        The legend has the features in the order of their last values.
    """
    if lacking := [name for name in COLUMNS if name not in frame]:
        raise TableError(f"the frame has no column {listed(lacking)}; it needs {listed(COLUMNS)}")
    if frame.empty:
        raise TableError("the frame has no rows; there is nothing to draw")
    _check_output(frame)
    check_count("max_features", max_features, 1, TableError)
    frame = frame.sort_values("evaluations", kind="stable")
    last = frame.groupby("feature", sort=False)["value"].last()
    kept = last.abs().sort_values(ascending=False, kind="stable").index[:max_features]
    ax = canvas(ax, HEIGHT)
    ax.axhline(0, color=INK, linewidth=THIN, zorder=1)
    ax.set_xscale("log")
    styles = zip(cycle(COLOURS), cycle(DASHES), cycle(MARKERS), kept, strict=False)
    lines = {
        feature: _curve(ax, frame[frame["feature"] == feature], colour, dash, marker)
        for colour, dash, marker, feature in styles
    }
    _label_decades(ax.xaxis)
    label_axes(ax, "evaluations", "Shapley value")
    order = last[kept].sort_values(ascending=False, kind="stable").index
    legend = ax.legend(
        handles=[lines[feature] for feature in order],
        labels=[words.name(feature) for feature in order],
        title=f"{len(kept)} of {len(last)} features" if len(kept) < len(last) else None,
        title_fontsize=TEXT,
        fontsize=TEXT,
        frameon=False,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=3.2,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def _check_output(frame: pd.DataFrame) -> None:
    """Raise `TableError` for the values of several outputs."""
    outputs = list(frame["output"].unique()) if "output" in frame else []
    if len(outputs) > 1:
        raise TableError(
            f"the frame has the outputs {listed(outputs)}; choose one: "
            f"plot_convergence(frame[frame['output'] == {outputs[0]!r}])"
        )


def _curve(ax: "Axes", part: pd.DataFrame, colour: str, dash: Any, marker: str) -> Any:
    at = part["evaluations"]
    ax.fill_between(at, part["low"], part["high"], color=colour, alpha=0.15, linewidth=0)
    style = {"linestyle": dash, "marker": marker, "markersize": 3, "linewidth": 1.2}
    (line,) = ax.plot(at, part["value"], color=colour, **style)
    return line


def _label_decades(axis: "Axis") -> None:
    """Plain numbers; 1, 2 and 5 of a decade where the axis spans less than two."""
    ticker = needed("matplotlib.ticker", WHAT, "plots")
    low, high = axis.get_view_interval()
    few = np.log10(high / low) < 2
    axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_minor_formatter(ticker.NullFormatter())
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.6g}"))
