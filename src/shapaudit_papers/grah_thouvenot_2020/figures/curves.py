"""Figures of errors against counted evaluations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D

from shapaudit_audit.report.palette import FAMILIES
from shapaudit_audit.report.style import DASHES, WIDTH, house_style, label_decades, line_styles
from shapaudit_audit.study.blocks.runs import EstimatorBlock

from ..findings import Experiment

# By notebook and name: title, caption.
FIGURES = {
    "grah_thouvenot_2020/dimension16": (
        "Few players (Figure 2)",
        "Mean error against counted evaluations with few players and 95 % bootstrap limits over "
        "explicands: the experiment of Figure 2 of Grah & Thouvenot (2020). Open markers are "
        "readings of the published curves, shown where the study has as many players.",
    ),
    "grah_thouvenot_2020/dimension300": (
        "Many players (Figure 3)",
        "Mean error against counted evaluations with many players, on a linear and a logarithmic "
        "axis: the experiment of Figure 3 of Grah & Thouvenot (2020). The truth is a reference "
        "with standard errors.",
    ),
    "grah_thouvenot_2020/diabetes": (
        "Real data",
        "Mean error against counted evaluations for gradient-boosted trees on the diabetes "
        "data, in units of the target.",
    ),
    "grah_thouvenot_2020/variants": (
        "Variants of projected SGD",
        "Variants of projected SGD on the classification task, one choice varied per panel; "
        "Monte Carlo and KernelSHAP in grey.",
    ),
}

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

    @classmethod
    def of(
        cls,
        experiment: Experiment,
        names: Sequence[str] | None = None,
        title: str | None = None,
        readings: bool = True,
        x_scale: str = "log",
    ) -> "Panel":
        """Panel of an experiment; its compared estimators and its label by default."""
        return cls(
            title=experiment.label if title is None else title,
            curves=experiment.curves,
            names=experiment.compared if names is None else names,
            start=experiment.start,
            readings=experiment.readings if readings else None,
            x_scale=x_scale,
        )

    def curve(self, name: str) -> pd.DataFrame:
        """Rows of an estimator, by evaluations."""
        rows = self.curves[self.curves["estimator"] == name]
        return rows.sort_values("evaluations")


def _y_limits(panel: Panel, footroom: float) -> tuple[float, float]:
    top = HEADROOM * panel.start
    lows = [panel.curve(name)["low"].min() for name in panel.present]
    if panel.readings is not None and len(panel.readings):
        lows.append(panel.readings["error"].min())
    shown = [low for low in lows if low < top and low > 0]
    return (footroom * min(shown, default=top / 100), top)


def draw_panel(
    ax: Axes, panel: Panel, styles: Mapping[str, dict], footroom: float = 0.6
) -> list[str]:
    """Draw curves, 95 % bands, readings and the equal split; return the names that are off scale.

    The axis begins at ``footroom`` times the smallest error.
    """
    low, high = _y_limits(panel, footroom)
    off = []
    for name in panel.present:
        curve, style = panel.curve(name), styles[name]
        if curve["mean"].min() > high:
            off.append(name)
            continue
        x = curve["evaluations"]
        ax.fill_between(
            x, curve["low"], curve["high"], color=style["color"], alpha=0.11, linewidth=0
        )
        ax.plot(x, curve["mean"], color=style["color"], linestyle=style["linestyle"])
    if panel.readings is not None:
        for name, rows in panel.readings.groupby("method", sort=False):
            if name in panel.present:
                ax.plot(rows["evaluations"], rows["error"], **_reading_style(styles[name]))
    ax.axhline(panel.start, color="0.45", lw=0.8, linestyle=(0, (1, 2)))
    ax.set(title=panel.title, yscale="log", xscale=panel.x_scale, ylim=(low, high))
    label_decades(ax.yaxis)
    if panel.x_scale == "log":
        label_decades(ax.xaxis)
    else:
        ax.xaxis.set_major_formatter("{x:,.0f}")
    return off


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


def _legend_entries(styles: Mapping[str, dict], read: set[str]) -> dict[str, list]:
    """Handles by family, then what all panels share; ``read`` names what has readings."""
    columns: dict[str, list] = {family: [] for family in FAMILIES}
    for name, style in styles.items():
        line = Line2D([], [], color=style["color"], linestyle=style["linestyle"], lw=1.5)
        if name in read:
            line.set(**{**_reading_style(style), "linestyle": style["linestyle"]})
        columns[style["family"]].append((line, style["label"]))
    shared = [(Line2D([], [], color="0.45", lw=0.8, linestyle=(0, (1, 2))), "equal split v(M)/d")]
    if read:
        marker = Line2D([], [], **{**_reading_style({"color": "0.3", "marker": "o"})})
        shared.append((marker, "open: published"))
    columns["Reference"] = shared
    return {family: rows for family, rows in columns.items() if rows}


def _add_legend(figure: Figure, columns: dict[str, list], room: float) -> None:
    """One legend column per family in the lowest ``room`` inches of the figure."""
    height = figure.get_size_inches()[1]
    engine = figure.get_layout_engine()
    if not isinstance(engine, ConstrainedLayoutEngine):
        raise TypeError("the legend takes its room from a constrained layout.")
    engine.set(rect=(0, room / height, 1, 1 - room / height))
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
def error_figure(panels: Sequence[Panel], specs: Mapping[str, EstimatorBlock]) -> Figure:
    """Panels side by side under one legend: error against evaluations on logarithmic axes.

    ``specs`` is the ``estimators`` block of the study. Estimators whose errors all lie above the
    panel are named in its corner.
    """
    present = {name for panel in panels for name in panel.present}
    styles = line_styles([name for name in specs if name in present], specs)
    read = {name for p in panels if p.readings is not None for name in p.readings["method"]}
    columns = _legend_entries(styles, read)
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
    panels: Sequence[Panel], background: Sequence[str], specs: Mapping[str, EstimatorBlock]
) -> Figure:
    """Small multiples of variants of one method, with others in grey behind.

    ``background`` names the estimators drawn grey in every panel. A panel's variants differ in
    colour and dashes; its legend holds what is off the scale too, marked by an arrow. Panels none
    of whose variants ran are left out, unless all are.
    """
    panels = [panel for panel in panels if set(panel.present) - set(background)] or panels
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
        styles[name]["color"] = VARIANT_COLOURS[k % len(VARIANT_COLOURS)]
    for k, name in enumerate(background):
        if name in styles:
            styles[name].update(color="0.6", linestyle=DASHES[k % len(DASHES)])
    off = draw_panel(ax, panel, styles, footroom=0.25)
    handles = []
    for name in panel.present:
        style = styles[name]
        label = style["label"].removeprefix("PSGD, ")
        if name in off:
            label = f"{label}  (↑ off the scale)"
        handles.append(
            Line2D([], [], color=style["color"], linestyle=style["linestyle"], label=label)
        )
    ax.legend(handles=handles, loc="lower left", fontsize=6.5, labelspacing=0.2, handlelength=2.4)
