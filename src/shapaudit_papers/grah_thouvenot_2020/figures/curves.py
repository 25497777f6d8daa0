"""Figures of errors against counted evaluations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from shapaudit_audit.report.end_labels import label_ends
from shapaudit_audit.report.palette import ACCENT
from shapaudit_audit.report.style import DASHES, WIDTH, house_style, label_decades, line_styles
from shapaudit_audit.study.blocks.runs import EstimatorBlock

from ..findings import Experiment

# By notebook and name: title, caption.
FIGURES = {
    "grah_thouvenot_2020/dimension16": (
        "Errors against evaluations (Figures 2 and 3)",
        "Mean error against counted evaluations, with 95 % bootstrap limits over explicands: the "
        "experiments of Figures 2 and 3 of Grah & Thouvenot (2020). Open markers are readings "
        "of the published curves, grey lines are further methods, and the dotted line is the "
        "equal split. With 300 players the truth is a reference with standard errors.",
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

# Drawn in colour and named at their ends; all others are grey.
NAMED: dict[str, dict[str, Any]] = {
    "plain-mc": {"color": "#333333", "linestyle": DASHES[0], "marker": "o"},
    "optimised-mc": {"color": "#AA4499", "linestyle": DASHES[1], "marker": "s"},
    "psgd-sqrt": {"color": "#D55E00", "linestyle": DASHES[3], "marker": "^"},
    "paired-kernel-shap": {"color": "#007A5A", "linestyle": DASHES[2], "marker": "D"},
    "psgd-free": {"color": ACCENT, "linestyle": DASHES[0], "marker": "D", "lw": 1.8},
}
OWN = "psgd-free"
READ = "open markers:\npublished"
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
    """

    title: str
    curves: pd.DataFrame
    names: Sequence[str]
    start: float
    readings: pd.DataFrame | None = None
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
    ) -> "Panel":
        """Panel of an experiment; its compared estimators and its label by default."""
        return cls(
            title=experiment.label if title is None else title,
            curves=experiment.curves,
            names=experiment.compared if names is None else names,
            start=experiment.start,
            readings=experiment.readings if readings else None,
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
        x, colour = curve["evaluations"], style["color"]
        ax.fill_between(x, curve["low"], curve["high"], color=colour, alpha=0.11, linewidth=0)
        ax.plot(x, curve["mean"], color=colour, linestyle=style["linestyle"], lw=style.get("lw"))
    if panel.readings is not None:
        for name, rows in panel.readings.groupby("method", sort=False):
            if name in panel.present:
                ax.plot(rows["evaluations"], rows["error"], **_reading_style(styles[name]))
    ax.axhline(panel.start, color="0.45", lw=0.8, linestyle=(0, (1, 2)))
    ax.set(title=panel.title, yscale="log", xscale="log", ylim=(low, high))
    label_decades(ax.yaxis)
    label_decades(ax.xaxis)
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


@house_style
def error_figure(panels: Sequence[Panel], specs: Mapping[str, EstimatorBlock]) -> Figure:
    """Panels side by side on one logarithmic scale: error against evaluations, methods of `NAMED`.

    ``specs`` is the ``estimators`` block of the study. Curves are named at the right end of the
    last panel, other methods are grey, and estimators whose errors all lie above a panel are named
    in its corner.
    """
    count = len(panels)
    figure, axes = plt.subplots(
        1, count, figsize=(WIDTH if count > 1 else WIDTH * 0.6, 2.6), squeeze=False
    )
    lows, tops = zip(*(_y_limits(panel, footroom=0.6) for panel in panels), strict=True)
    for ax, panel in zip(axes[0], panels, strict=True):
        styles = _styles(panel, specs)
        _note_off_scale(ax, draw_panel(ax, panel, styles), styles)
        ax.set_ylim(min(lows), max(tops))
        label_decades(ax.yaxis)
        ax.tick_params(labelleft=ax is axes[0, 0])
    if panels[0].readings is not None and len(panels[0].readings):
        axes[0, 0].text(0.04, 0.04, READ, transform=axes[0, 0].transAxes, fontsize=7)
    axes[0, count // 2].set_xlabel(EVALUATIONS_LABEL)
    axes[0, 0].set_ylabel(ERROR_LABEL)
    _name_curves(axes[0, -1], panels[-1], specs)
    return figure


def _styles(panel: Panel, specs: Mapping[str, EstimatorBlock]) -> dict[str, dict]:
    """Named methods in colour, with their labels, all others in grey."""
    quiet = {"color": "0.72", "linestyle": "-", "marker": "v", "lw": 0.8}
    return {
        name: {**NAMED.get(name, quiet), "label": specs[name].label}
        for name in sorted(panel.present, key=lambda name: name in NAMED)
    }


def _name_curves(ax: Axes, panel: Panel, specs: Mapping[str, EstimatorBlock]) -> None:
    styles, (bottom, top) = _styles(panel, specs), ax.get_ylim()
    ends = [(panel.start, "equal split", "0.45")]
    for name in filter(NAMED.__contains__, panel.present):
        own = " (ours)" if name == OWN else ""
        end = panel.curve(name)["mean"].iloc[-1]
        ends.append((end, f"{styles[name]['label']}{own}", NAMED[name]["color"]))
    x = max(panel.curve(name)["evaluations"].max() for name in panel.present)
    label_ends(ax, [(x, y, *rest) for y, *rest in ends if bottom < y < top])


def _note_off_scale(ax: Axes, names: Sequence[str], styles: Mapping[str, dict]) -> None:
    if names:
        text = "\n".join(f"↑ {styles[name]['label']}" for name in names)
        ax.text(0.03, 0.2, f"off the scale:\n{text}", transform=ax.transAxes, fontsize=7)


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
    ax.legend(handles=handles, loc="lower left", fontsize=7, labelspacing=0.2, handlelength=2.4)
