"""Figure of how the error varies: over explicands, and over seeds within an explicand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from shapaudit_audit.report.palette import FAMILIES, family_of
from shapaudit_audit.report.style import WIDTH, house_style, label_decades

from ..findings import Experiment

# By notebook and name: title, caption.
FIGURES = {
    "grah_thouvenot_2020/spread": (
        "Spread over explicands and seeds",
        "Standard deviation of the error at the last budget between explicands, and between seeds "
        "within an explicand.",
    ),
}


@house_style
def spread_figure(experiments: Sequence[Experiment]) -> Figure:
    """Standard deviations of the error at the last budget, one panel per experiment."""
    labels = list(dict.fromkeys(e.label_of(name) for e in experiments for name in e.compared))
    rows = -(-len(experiments) // 2)
    size = (WIDTH, 0.7 + rows * (0.45 + 0.155 * len(labels)))
    figure, axes = plt.subplots(rows, 2, figsize=size, squeeze=False, sharey=True)
    for ax in axes.flat[len(experiments) :]:
        ax.set_visible(False)
    for ax, experiment in zip(axes.flat, experiments, strict=False):
        _draw(ax, experiment, labels)
    for ax in axes[-1]:
        ax.set_xlabel("standard deviation of the error")
    figure.legend(handles=_handles(), loc="outside upper center", ncols=2)
    return figure


def _draw(ax: Axes, experiment: Experiment, labels: Sequence[str]) -> None:
    for name in experiment.compared:
        row = experiment.components.loc[name]
        between, within = row["between"], row["within"]
        colour = FAMILIES[family_of(experiment.specs[name])]
        y = labels.index(experiment.label_of(name))
        if between > 0 and within > 0:
            ax.plot([within, between], [y, y], color=colour, lw=0.8, alpha=0.6)
        ax.plot(between, y, "o", color=colour, ms=4.5)
        ax.plot(within, y, "o", color=colour, markerfacecolor="white", ms=4.5)
    ax.set(title=experiment.label, xscale="log", yticks=range(len(labels)), yticklabels=labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    low, high = ax.get_xlim()
    if high < 8 * low:  # room for at least two labels
        ax.set_xlim(np.sqrt(low * high / 8), np.sqrt(low * high * 8))
    label_decades(ax.xaxis)


def _handles() -> list[Line2D]:
    settings: dict[str, Any] = {
        "color": "0.3",
        "marker": "o",
        "linestyle": "none",
        "markersize": 4.5,
    }
    return [
        Line2D([], [], **settings, label="between explicands"),
        Line2D(
            [], [], **settings, markerfacecolor="white", label="between seeds within an explicand"
        ),
    ]
