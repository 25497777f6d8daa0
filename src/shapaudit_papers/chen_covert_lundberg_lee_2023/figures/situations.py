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
SIZE = 7  # points of the letters


@house_style
def situations_figure(situations: Situations) -> Figure:
    """Regrets, a budget per row, those of a game together, and an estimator per column."""
    table = situations.table.T
    figure, ax = plt.subplots(figsize=(WIDTH, 1.5 + 0.16 * len(table)))
    ax.set_facecolor("0.9")
    ax.grid(False)
    shown = np.ma.masked_invalid(table.to_numpy())
    ax.imshow(shown, cmap="viridis_r", norm=LogNorm(1, LARGEST), aspect="auto")
    _write(ax, situations)
    names = [situations.label_of(name) for name in table.columns]
    ax.set_xticks(range(len(names)), names, rotation=50, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(table)), [_short(situations, *place) for place in table.index])
    ax.tick_params(length=0, labelsize=SIZE, labelbottom=False, labeltop=True)
    ax.set_ylabel("evaluations")
    _name_games(ax, situations)
    return figure


def _write(ax: Axes, situations: Situations) -> None:
    """The regrets, bold within the margin, and a cross where an estimator is too slow."""
    slow = situations.missing[situations.missing["reason"].str.startswith(SLOW)]
    crossed = set(zip(slow["estimator"], slow["task"], slow["budget"], strict=True))
    for x, (name, row) in enumerate(situations.table.iterrows()):
        for y, (place, regret) in enumerate(row.items()):
            look: dict[str, Any]
            if np.isnan(regret):
                text, look = ("×" if (name, *place) in crossed else ""), {"color": "0.4"}
            else:
                text = _regret(regret)
                look = {"color": "white" if regret > np.sqrt(LARGEST) else "0.1"}
                look["weight"] = "bold" if regret <= MARGIN else "normal"
            ax.text(x, y, text, ha="center", va="center", fontsize=SIZE, **look)


def _regret(value: float) -> str:
    if value < 10:
        return f"{value:.1f}"
    return f"{value:.0f}" if value < 1000 else "≫"


def _short(situations: Situations, task: str, budget: int) -> str:
    """A budget, in brackets where the best may be among those that are too slow for it."""
    return f"{budget:,}" if situations.complete(task, budget) else f"({budget:,})"


def _name_games(ax: Axes, situations: Situations) -> None:
    """Games beside their rows, a white line between them."""
    start, end = 0, len(situations.table) - 0.4
    for name, places in groupby(situations.columns, key=lambda place: place[0]):
        count = len(list(places))
        label = situations.labels[name].replace(", ", "\n")
        ax.text(end, start + (count - 1) / 2, label, fontsize=SIZE, ha="left", va="center")
        if start:
            ax.axhline(start - 0.5, color="white", lw=1.5)
        start += count
