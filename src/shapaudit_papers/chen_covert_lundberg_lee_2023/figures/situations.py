"""Heat map: regret of estimators in situations, which are a game, its players and a budget."""

from itertools import groupby
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from shapaudit_audit.report.situations import Situations
from shapaudit_audit.report.style import WIDTH, house_style
from shapaudit_audit.report.tasks import MARGIN

# By notebook and name: title, caption; read as literals, without running this module. A test holds
# "a tenth" against MARGIN.
FIGURES = {
    "chen_covert_lundberg_lee_2023/situations": (
        "Regret by situation",
        "Error of an estimator relative to that of the best one, on a typical pair of explicand "
        "and baseline, by game, number of players and number of evaluations: 1 is the best, and "
        "values within a tenth of it are bold. Estimators are in the order of their medians. Grey "
        "cells are estimators that did not run, × those that are too slow for the study; the "
        "budgets concerned are in brackets. Limits are in the table of regrets by situation.",
    ),
}

LARGEST = 100.0  # regrets beyond have the darkest colour
SLOW = "too slow"


@house_style
def situations_figure(situations: Situations) -> Figure:
    """Regrets, an estimator per row and a budget per column, the columns of a game together."""
    table = situations.table
    size = (WIDTH, 1.5 + 0.15 * len(table))
    figure, ax = plt.subplots(figsize=size)
    shown = np.ma.masked_invalid(table.to_numpy())
    ax.set_facecolor("0.9")
    ax.grid(False)
    colours = plt.get_cmap("viridis_r")
    image = ax.imshow(shown, cmap=colours, norm=LogNorm(1, LARGEST), aspect="auto")
    _write(ax, situations)
    ax.set_yticks(
        range(len(table)), [situations.label_of(name) for name in table.index], fontsize=6
    )
    ax.set_xticks(
        range(len(table.columns)), [_short(situations, *place) for place in situations.columns]
    )
    ax.tick_params(axis="x", labelsize=5, rotation=90)
    ax.tick_params(length=0)
    ax.set_xlabel("evaluations")
    _name_games(ax, situations)
    bar = figure.colorbar(image, ax=ax, fraction=0.02, pad=0.01, extend="max")
    bar.set_label("error over that of the best", fontsize=6)
    bar.ax.tick_params(labelsize=6)
    return figure


def _write(ax: Axes, situations: Situations) -> None:
    """The regrets, bold within the margin, and a cross where an estimator is too slow."""
    slow = situations.missing[situations.missing["reason"].str.startswith(SLOW)]
    crossed = set(zip(slow["estimator"], slow["task"], slow["budget"], strict=True))
    for y, (name, row) in enumerate(situations.table.iterrows()):
        for x, (place, regret) in enumerate(row.items()):
            look: dict[str, Any]
            if np.isnan(regret):
                text, look = ("×" if (name, *place) in crossed else ""), {"color": "0.4"}
            else:
                text = _regret(regret)
                look = {"color": "white" if regret > np.sqrt(LARGEST) else "0.1"}
                look["weight"] = "bold" if regret <= MARGIN else "normal"
            ax.text(x, y, text, ha="center", va="center", fontsize=4, **look)


def _regret(value: float) -> str:
    if value < 10:
        return f"{value:.1f}"
    return f"{value:.0f}" if value < 1000 else "≫"


def _short(situations: Situations, task: str, budget: int) -> str:
    """A budget, in brackets where the best may be among those that are too slow for it."""
    return f"{budget:,}" if situations.complete(task, budget) else f"({budget:,})"


def _name_games(ax: Axes, situations: Situations) -> None:
    """Games above their columns, a white line between them."""
    start = 0
    for name, columns in groupby(situations.columns, key=lambda place: place[0]):
        count = len(list(columns))
        label = situations.labels[name].replace(", ", "\n")
        ax.text(start - 0.4, -0.7, label, fontsize=5, rotation=60, ha="left", va="bottom")
        if start:
            ax.axvline(start - 0.5, color="white", lw=1.5)
        start += count
