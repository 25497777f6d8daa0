"""Figures of errors against counted evaluations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullFormatter

from .style import WIDTH, house_style, line_styles

ERROR_LABEL = "mean error (Euclidean norm)"
EVALUATIONS_LABEL = "evaluations of the value function"
HEADROOM = 2.5  # errors beyond this many times that of the equal split are off the panel


@dataclass(frozen=True)
class Panel:
    """What one panel shows.

    Attributes
    ----------
    title : above the panel
    curves : table of `summaries.error_curves`
    names : estimators to draw; those that did not run are left out
    start : error of the equal split v(M)/d, which takes no sampling
    readings : published readings (columns method, evaluations, error), or None
    x_scale : "log" or "linear"
    """

    title: str
    curves: pd.DataFrame
    names: Sequence[str]
    start: float
    readings: pd.DataFrame | None = None
    x_scale: str = "log"
    present: tuple[str, ...] = field(init=False)

    def __post_init__(self):
        known = set(self.curves["estimator"])
        object.__setattr__(self, "present", tuple(n for n in self.names if n in known))

    def curve(self, name: str) -> pd.DataFrame:
        """Rows of an estimator, by evaluations."""
        rows = self.curves[self.curves["estimator"] == name]
        return rows.sort_values("evaluations")


def _y_limits(panel: Panel) -> tuple[float, float]:
    top = HEADROOM * panel.start
    lows = [panel.curve(name)["low"].min() for name in panel.present]
    if panel.readings is not None and len(panel.readings):
        lows.append(panel.readings["error"].min())
    shown = [low for low in lows if low < top and low > 0]
    return (0.8 * min(shown, default=top / 100), top)


def draw_panel(ax: Axes, panel: Panel, styles: Mapping[str, dict], width: float = 1.3) -> list[str]:
    """Draw curves, 95 % bands, readings and the equal split; return the names that are off scale."""
    low, high = _y_limits(panel)
    off = []
    for name in panel.present:
        curve, style = panel.curve(name), styles[name]
        if curve["mean"].min() > high:
            off.append(name)
            continue
        x = curve["evaluations"]
        ax.fill_between(
            x, curve["low"], curve["high"], color=style["color"], alpha=0.13, linewidth=0
        )
        ax.plot(x, curve["mean"], color=style["color"], linestyle=style["linestyle"], lw=width)
    if panel.readings is not None:
        for name, rows in panel.readings.groupby("method", sort=False):
            if name in styles:
                ax.plot(rows["evaluations"], rows["error"], **_reading_style(styles[name]))
    ax.axhline(panel.start, color="0.45", lw=0.8, linestyle=(0, (1, 2)))
    ax.set(title=panel.title, yscale="log", xscale=panel.x_scale, ylim=(low, high))
    _label_decades(ax.yaxis)
    if panel.x_scale == "log":
        _label_decades(ax.xaxis)
    return off


def _label_decades(axis) -> None:
    """Label 1, 2 and 5 where an axis spans less than two decades, else the decades only."""
    low, high = axis.get_view_interval()
    few = np.log10(high / low) < 2
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_minor_locator(LogLocator(subs=tuple(range(1, 10))))
    axis.set_minor_formatter(NullFormatter())
    if few:
        axis.set_major_formatter(lambda value, _: f"{value:,.10g}")
    else:
        axis.set_major_formatter(LogFormatterSciNotation())


def _reading_style(style: Mapping) -> dict:
    return {
        "color": style["color"],
        "marker": style["marker"],
        "linestyle": "none",
        "markerfacecolor": "white",
        "markeredgewidth": 1.0,
        "markersize": 4.5,
        "zorder": 5,
    }


def _legend_entries(styles: Mapping[str, dict], with_readings: bool) -> dict[str, list]:
    """Handles by family, then what all panels share."""
    columns: dict[str, list] = {}
    for style in styles.values():
        line = Line2D([], [], color=style["color"], linestyle=style["linestyle"], lw=1.5)
        columns.setdefault(style["family"], []).append((line, style["label"]))
    shared = [(Line2D([], [], color="0.45", lw=0.8, linestyle=(0, (1, 2))), "equal split v(M)/d")]
    if with_readings:
        marker = Line2D(
            [], [], color="0.3", marker="o", linestyle="none", markerfacecolor="white", ms=4.5
        )
        shared.append((marker, "published reading"))
    columns["Reference"] = shared
    return columns


def _add_legend(figure: Figure, columns: dict[str, list], room: float) -> None:
    """One legend column per family in the lowest ``room`` inches of the figure."""
    height = figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, room / height, 1, 1 - room / height))
    weights = np.array([max(len(label) for _, label in rows) + 8 for rows in columns.values()])
    lefts = np.concatenate([[0.0], np.cumsum(weights / weights.sum())])
    for left, (family, rows) in zip(lefts, columns.items(), strict=False):
        legend = figure.legend(
            [handle for handle, _ in rows],
            [label for _, label in rows],
            title=family,
            loc="upper left",
            bbox_to_anchor=(0.01 + 0.98 * left, room / height),
            alignment="left",
            borderpad=0.2,
            handlelength=2.4,
            labelspacing=0.3,
        )
        legend.get_title().set_fontsize(7)
        legend.get_title().set_fontweight("bold")


@house_style
def error_figure(panels: Sequence[Panel], specs: Mapping[str, dict]) -> Figure:
    """Panels side by side under one legend: error against evaluations on logarithmic axes.

    ``specs`` is the ``estimators`` block of the study. Estimators whose errors all lie above the
    panel are named in its corner.
    """
    names = list(dict.fromkeys(name for panel in panels for name in panel.present))
    styles = line_styles(names, specs)
    with_readings = any(p.readings is not None and len(p.readings) for p in panels)
    columns = _legend_entries(styles, with_readings)
    room = 0.3 + 0.145 * max(map(len, columns.values()))
    size = (WIDTH, 2.9 + room)
    figure, axes = plt.subplots(1, len(panels), figsize=size, squeeze=False)
    for ax, panel in zip(axes[0], panels, strict=True):
        _note_off_scale(ax, draw_panel(ax, panel, styles), styles)
        ax.set_xlabel(EVALUATIONS_LABEL)
    axes[0, 0].set_ylabel(ERROR_LABEL)
    _add_legend(figure, columns, room)
    return figure


def _note_off_scale(ax: Axes, names: Sequence[str], styles: Mapping[str, dict]) -> None:
    if names:
        text = "\n".join(f"↑ {styles[name]['label']}" for name in names)
        ax.text(0.03, 0.03, f"off the scale:\n{text}", transform=ax.transAxes, fontsize=6.5)


VARIANT_COLOURS = ("#D55E00", "#7A2E00", "#E8A33D", "#000000", "#CC79A7")


@house_style
def variants_figure(
    panels: Sequence[Panel], background: Sequence[str], specs: Mapping[str, dict]
) -> Figure:
    """Small multiples of variants of one method, with others in grey behind.

    ``background`` names the estimators drawn grey in every panel. A panel's variants differ in
    colour and dashes; its legend holds what is off the scale too, marked by an arrow.
    """
    rows = -(-len(panels) // 2)
    size = (WIDTH, 2.3 * rows + 0.2)
    figure, axes = plt.subplots(rows, 2, figsize=size, squeeze=False, sharex=True)
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    for ax, panel in zip(axes.flat, panels, strict=False):
        _draw_variants(ax, panel, background, specs)
    for ax in axes[-1]:
        ax.set_xlabel(EVALUATIONS_LABEL)
    for ax in axes[:, 0]:
        ax.set_ylabel(ERROR_LABEL)
    return figure


def _draw_variants(ax, panel, background, specs) -> None:
    styles = line_styles(panel.present, specs)
    for k, name in enumerate(panel.present):
        if name in background:
            styles[name]["color"] = "0.6"
        else:
            styles[name]["color"] = VARIANT_COLOURS[k % len(VARIANT_COLOURS)]
    off = draw_panel(ax, panel, styles, width=1.2)
    handles = []
    for name in panel.present:
        style = styles[name]
        label = style["label"].removeprefix("PSGD, ")
        if name in off:
            label = f"{label}  (↑ off the scale)"
        handles.append(
            Line2D([], [], color=style["color"], linestyle=style["linestyle"], label=label)
        )
    ax.legend(handles=handles, loc="upper right", fontsize=6.2, labelspacing=0.2, handlelength=2.2)
