"""Figure of bound, exact curve and experiment."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, NullLocator

from shapaudit_audit.report.style import DASHES, MARKERS, WIDTH, house_style, label_decades
from shapaudit_audit.study.blocks.games import GameBlock

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/exact_curve": (
        "Bound, exact expectation, experiment",
        "Printed bound, exact expected squared error, and simulated runs with simultaneous limits "
        "for all points (claim 6e).",
        ("gt20-06e",),
    ),
}

BOUND, EXACT, EXPERIMENT = "#D55E00", "#0072B2", "0.1"
RULES = {
    "inverse": "2/(μ(t+1))\nweighted mean, batches",
    "square root": "2D/(B√t)\nmean",
    "constant": "γ\nlast",
    "contracting": "1/(2μ(t+t₀))\nlast",
}
SHIFTS = (1.0, 0.93, 1.0, 1.07)  # of the steps, so that the rules do not cover each other


@house_style
def exact_curve_figure(rows: Sequence[Mapping], specs: Mapping[str, GameBlock]) -> Figure:
    """Squared error against steps, games in columns and step rules in rows.

    ``rows`` are those of the claim gt20-06e, ``specs`` the ``games`` block of the study. The
    printed bound is dashed, the exact expectation a line, the mean over simulated runs a point with
    its simultaneous limits; the last row has mean and limits of all rules over the exact value.
    """
    games = list(dict.fromkeys(row["game"] for row in rows))
    rules = [rule for rule in RULES if any(row["rule"] == rule for row in rows)]
    figure, axes = plt.subplots(
        len(rules) + 1,
        len(games),
        figsize=(WIDTH, 2.3 + 1.2 * len(rules)),
        squeeze=False,
        sharex="row",
        sharey="row",
        height_ratios=[*[1] * len(rules), 1.1],
    )
    for column, game in zip(axes.T, games, strict=True):
        column[0].set_title(specs[game].label)
        column[-1].set_xlabel("steps T")
        column[-1].axhline(1, color=EXACT)
        for ax, rule, shift, marker in zip(column, rules, SHIFTS, MARKERS, strict=False):
            mine = [row for row in rows if (row["game"], row["rule"]) == (game, rule)]
            mine = sorted(mine, key=lambda row: row["steps"])
            _draw(ax, mine, marker)
            _draw_ratio(column[-1], mine, shift, marker)
    for ax, rule in zip(axes[:, 0], rules, strict=False):
        ax.set_ylabel(RULES[rule], fontsize=7)
        ax.set(xscale="log", yscale="log")
        ax.set_xticks((steps := sorted({r["steps"] for r in rows if r["rule"] == rule}))[::2])
        ax.set_xticklabels([f"{t:,}" for t in steps[::2]])
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.yaxis.set_major_locator(LogLocator(numticks=5))
        ax.yaxis.set_minor_locator(NullLocator())
    axes[-1, 0].set(xscale="log", yscale="log")
    axes[-1, 0].set_ylabel("all of the above,\nruns / exact", fontsize=7)
    label_decades(axes[-1, 0].yaxis)
    label_decades(axes[-1, 0].xaxis)
    figure.supylabel("squared error / C²", fontsize=8, fontweight="normal")
    figure.legend(handles=_legend(rules), loc="outside lower center", ncols=3)
    return figure


def _draw(ax: Axes, rows: Sequence[Mapping], marker: str) -> None:
    steps = [row["steps"] for row in rows]
    if all(not isinstance(row["bound"], str) for row in rows):
        ax.plot(steps, [row["bound"] for row in rows], color=BOUND, linestyle=DASHES[1])
    ax.plot(steps, [row["exact"] for row in rows], color=EXACT)
    _draw_points(ax, steps, rows, [1.0] * len(rows), marker)


def _draw_ratio(ax: Axes, rows: Sequence[Mapping], shift: float, marker: str) -> None:
    exact = [row["exact"] for row in rows]
    _draw_points(ax, [shift * row["steps"] for row in rows], rows, exact, marker)


def _draw_points(ax: Axes, x, rows: Sequence[Mapping], units: Sequence[float], marker: str) -> None:
    """Means and limits over ``units``."""
    mean, low, high = (
        np.array([row[key] for row in rows]) / units for key in ("mean", "low", "high")
    )
    style: dict[str, Any] = {
        "color": EXPERIMENT,
        "ms": 2.6,
        "elinewidth": 0.7,
        "capsize": 1.6,
        "capthick": 0.7,
    }
    ax.errorbar(x, mean, (mean - low, high - mean), fmt=marker, zorder=4, **style)


def _legend(rules: Sequence[str]) -> list:
    handles = [
        Line2D([], [], color=BOUND, linestyle=DASHES[1], label="printed bound"),
        Line2D([], [], color=EXACT, label="exact expectation"),
    ]
    for rule, marker in zip(rules, MARKERS, strict=False):
        name = f"runs, {RULES[rule].splitlines()[0]}"
        handles.append(
            Line2D([], [], color=EXPERIMENT, marker=marker, ms=3, linestyle="none", label=name)
        )
    return handles
