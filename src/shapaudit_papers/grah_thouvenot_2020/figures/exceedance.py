"""Figure of bounds in probability beside how often they were exceeded."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_papers.theory.bounds import (
    deviation_probability,
    deviation_vacuous_below,
    two_point_law,
)

from .rates import GAME_COLOURS

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/exceedance": (
        "Bounds in probability",
        "Bounds in probability and how often they were exceeded (claims 10 and 11).",
        ("gt20-10a", "gt20-10b", "gt20-11d"),
    ),
}

Rows = Sequence[Mapping]
FLOOR, CEILING = 6e-4, 2.2  # of the probabilities that are drawn
DODGE = 0.037  # decades between points of the same bound
SILENT: dict[str, Any] = {
    "color": "0.92",
    "lw": 0,
    "zorder": 0,
}  # where a bound of 1 or more says nothing
BOUND: dict[str, Any] = {"color": "0.15", "lw": 1.2}
DOT: dict[str, Any] = {"marker": "o", "linestyle": "none", "ms": 3.3, "mew": 0.8}
TRIANGLE: dict[str, Any] = {**DOT, "marker": "v", "mfc": "white"}
LAW = "#AA4499"


@house_style
def exceedance_figure(
    markov_on_ball: Rows, markov_free: Rows, deviation: Rows, counterexample: Rows
) -> Figure:
    """Markov's bounds with the ball and without it, and the deviation inequality.

    Rows of the claims on Markov's bounds, on the deviation inequality in runs of PSGD, and on the
    inequality for any law. Filled markers contradict a bound: their lower limit is above it.
    Triangles are upper limits, in the first two panels of probabilities that no run made positive.
    """
    rows = (*markov_on_ball, *markov_free)
    games = list(dict.fromkeys(row["game"] for row in rows))
    colours = {game: GAME_COLOURS[k % len(GAME_COLOURS)] for k, game in enumerate(games)}
    size = (WIDTH, 3.05)
    figure, axes = plt.subplots(1, 3, figsize=size, sharey=True, width_ratios=(1, 1.08, 1.02))
    _draw_on_ball(axes[0], markov_on_ball, colours)
    _draw_free(axes[1], markov_free, colours)
    _draw_law(axes[2], counterexample)
    _draw_runs(axes[2], deviation)
    axes[0].set(ylabel="probability", yscale="log", ylim=(FLOOR, CEILING))
    label_decades(axes[0].yaxis)
    figure.legend(handles=_handles(colours), loc="outside lower center", ncols=4)
    return figure


def violated(row: Mapping) -> bool:
    """Whether the lower limit of the exceedance is above the bound."""
    return row["exceedance_low"] > row["bound"]


def _draw_on_ball(ax: Axes, rows: Rows, colours: Mapping[str, str]) -> None:
    for row in rows:
        _draw_exceedance(ax, row["bound"], row, colours[row["game"]])
    bounds = [row["bound"] for row in rows]
    low, high = min(0.1, min(bounds) / 2), max(bounds) * 3
    ax.axvspan(1, high, **SILENT)
    ax.plot([low, high], [low, high], **BOUND)
    ax.text(2, FLOOR * 1.4, "bound ≥ 1:\nsays nothing", color="0.3")
    ax.set(title="Markov, on K", xscale="log", xlim=(low, high), xlabel="printed bound")
    _bound_axis(ax)


def _draw_free(ax: Axes, rows: Rows, colours: Mapping[str, str]) -> None:
    """Rows of one bound side by side; the line y = x is a staircase then."""
    groups: dict[float, list] = {}
    for row in rows:
        groups.setdefault(float(f"{row['bound']:.3g}"), []).append(row)
    stairs = []
    for bound, members in sorted(groups.items()):
        offsets = DODGE * (np.arange(len(members)) - (len(members) - 1) / 2)
        for row, x in zip(members, bound * 10**offsets, strict=True):
            _draw_exceedance(ax, x, row, colours[row["game"]])
        half = 10 ** (DODGE * (len(members) + 1) / 2)
        stairs += [(bound / half, bound), (bound * half, bound)]
        ax.plot(*zip(*stairs[-2:], strict=True), **BOUND)
        if bound >= 1:
            ax.axvspan(bound / half, bound * half, **SILENT)
    ax.plot(*zip(*stairs, strict=True), **{**BOUND, "lw": 0.6, "linestyle": (0, (1, 2))})
    ax.set(title="Markov, without the ball", xlabel="printed bound")
    ax.set(xscale="log", xlim=(stairs[0][0] / 1.1, stairs[-1][0] * 1.1))
    _bound_axis(ax)


def _bound_axis(ax: Axes) -> None:
    ax.xaxis.set_major_locator(LogLocator(numticks=5))
    ax.xaxis.set_minor_locator(NullLocator())


def _draw_exceedance(ax: Axes, x: float, row: Mapping, colour: str) -> None:
    low, high = row["exceedance_low"], row["exceedance_high"]
    if not row["exceedances"]:
        ax.plot(x, high, color=colour, **TRIANGLE)
        return
    ax.plot([x, x], [max(low, FLOOR / 2), high], color=colour, lw=0.7)
    face = colour if violated(row) else "white"
    ax.plot(x, row["exceedances"] / row["runs"], color=colour, mfc=face, **DOT)


def _draw_law(ax: Axes, rows: Rows) -> None:
    """The two-point law's tail, which is its mean over the level."""
    for row in rows:
        face = LAW if row["tail"] > row["bound"] else "white"
        ax.plot(row["a"], row["tail"], color=LAW, mfc=face, **{**DOT, "marker": "D", "ms": 2.8})


def _draw_runs(ax: Axes, rows: Rows) -> None:
    """The bound; per level, the largest upper limit of a series, and lower ones above the bound."""
    for level in dict.fromkeys(row["a"] for row in rows):
        mine = [row for row in rows if row["a"] == level]
        ax.plot(level, max(row["exceedance_high"] for row in mine), color="0.25", **TRIANGLE)
        for row in filter(violated, mine):
            ax.plot(level, row["exceedance_low"], color="0.25", **{**DOT, "marker": "^"})
    a = np.linspace(0, max(row["a"] for row in rows) + 0.5, 400)
    tail = [two_point_law(1.0, x)[1] for x in a]
    ax.axvspan(0, deviation_vacuous_below(), **SILENT)
    ax.plot(a, tail, color=LAW, lw=0.7)
    ax.plot(a, [deviation_probability(x) for x in a], **BOUND)
    right: dict[str, Any] = {"ha": "right", "transform": ax.get_yaxis_transform()}
    ax.text(0.98, 2 * two_point_law(1.0, 2.0)[1], "two-point law", color=LAW, **right)
    lowest = min(tail[-1], *(row["exceedance_high"] for row in rows))
    ax.text(0.98, lowest / 1.4, "PSGD,\nupper limits", color="0.25", va="top", **right)
    ax.text(3.0, FLOOR * 1.35, "2 exp(−a²)", color=BOUND["color"])
    ax.set(title="deviation inequality", xlim=(0, a[-1]), xlabel="level a")


def _handles(colours: Mapping[str, str]) -> list[Line2D]:
    """Two rows of four: games and the bound, then what the markers mean."""
    names = [
        Line2D([], [], color=colour, mfc="white", **DOT, label=game.replace("-", " ").capitalize())
        for game, colour in colours.items()
    ]
    bound = Line2D([], [], label="printed bound", **BOUND)
    filled = Line2D([], [], color="0.25", **DOT, label="violates it")
    upper = Line2D([], [], color="0.25", **TRIANGLE, label="upper limit")
    return [*names, bound, filled, upper]
