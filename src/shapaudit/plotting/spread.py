"""Figure of how the error varies: over pairs, and over seeds within a pair."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .style import FAMILIES, WIDTH, family_of, house_style


@house_style
def spread_figure(
    components: Mapping[str, pd.DataFrame], names: Sequence[str], specs: Mapping[str, dict]
) -> Figure:
    """Standard deviations of the error at the last budget, one panel per experiment.

    ``components`` maps a panel's title to its table of `summaries.variance_components`. Estimators
    with the same label share a row.
    """
    labels = _labels(components, names, specs)
    rows = -(-len(components) // 2)
    size = (WIDTH, 0.7 + rows * (0.45 + 0.155 * len(labels)))
    figure, axes = plt.subplots(rows, 2, figsize=size, squeeze=False, sharey=True)
    for ax in axes.flat[len(components) :]:
        ax.set_visible(False)
    for ax, (title, table) in zip(axes.flat, components.items(), strict=False):
        _draw(ax, title, table[table["estimator"].isin(names)], specs, labels)
    for ax in axes[-1]:
        ax.set_xlabel("standard deviation of the error")
    figure.legend(handles=_handles(), loc="outside upper center", ncols=2)
    return figure


def _labels(components, names, specs) -> list[str]:
    ran = {name for table in components.values() for name in table["estimator"]}
    return list(dict.fromkeys(specs[name]["label"] for name in names if name in ran))


def _draw(ax, title, table, specs, labels) -> None:
    for row in table.itertuples():
        colour = FAMILIES[family_of(specs[row.estimator]["estimator"])]
        y = labels.index(specs[row.estimator]["label"])
        if np.isfinite(row.within) and row.within > 0 and row.between > 0:
            ax.plot([row.within, row.between], [y, y], color=colour, lw=0.8, alpha=0.6)
        ax.plot(row.between, y, "o", color=colour, ms=4.5)
        ax.plot(row.within, y, "o", color=colour, markerfacecolor="white", ms=4.5)
    ax.set(title=title, xscale="log", yticks=range(len(labels)), yticklabels=labels)
    ax.set_ylim(len(labels) - 0.5, -0.5)


def _handles() -> list[Line2D]:
    settings = {"color": "0.3", "marker": "o", "linestyle": "none", "markersize": 4.5}
    return [
        Line2D([], [], **settings, label="between pairs"),
        Line2D([], [], **settings, markerfacecolor="white", label="between seeds within a pair"),
    ]
