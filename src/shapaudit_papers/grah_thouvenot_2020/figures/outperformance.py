"""Figure of ratios of errors: the paper's estimators, and interaction by kind and strength."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from shapaudit_audit.report.palette import FAMILIES
from shapaudit_audit.report.ratios import bounded
from shapaudit_audit.report.style import WIDTH, house_style
from shapaudit_audit.study.blocks.games import GameBlock

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/outperformance": (
        "The experiments",
        "Typical ratios of errors at equal evaluations, with joint limits (claims 18 and 19).",
        ("gt20-18a", "gt20-18b", "gt20-18c", "gt20-19a", "gt20-19b"),
    ),
}

Rows = Sequence[Mapping]
METHODS = {
    "optimised Monte Carlo": ("o", FAMILIES["Monte Carlo"], "optimised Monte Carlo (walk)"),
    "PSGD, constant step": ("s", FAMILIES["PSGD"], "PSGD, constant step"),
    "PSGD, 1/sqrt(t)": ("^", "#7A2E00", "PSGD, 1/√t step"),
}
HALF_COST = 1 / sqrt(2)  # of the error, when evaluations reused make room for twice the walks
GAPS = (1.0, 2.2)  # before another method and before another experiment, in rows
LOWER = 2.6  # height of the lower panels, inches
FARTHEST = 1e3  # ratio up to which limits are drawn
LOWEST = 0.08  # ratio below which the sweep is not drawn; an arrow says so
KINDS = ("#0072B2", "#D55E00", "#007A5A", "#AA4499", "#56B4E9", "#E69F00", "#000000")
SHAPES = ("o", "s", "^", "D", "v", "P", "X")
DODGE = 0.02  # decades between kinds
NARROW = (0.5, 0.6, 0.7, 0.8, 1, 1.2, 1.4, 1.6, 2)  # ticks of an axis that spans little
EVEN: dict[str, Any] = {"color": "0.15", "lw": 0.8, "zorder": 1}
RULES = {"published": "PSGD over walk, published step", "free": "PSGD over walk, nothing to tune"}


@house_style
def outperformance_figure(
    against_plain: Rows, against_walk: Rows, sweep: Rows, specs: Mapping[str, GameBlock]
) -> Figure:
    """Typical ratios of errors at equal evaluations, with limits; below 1 the method errs less.

    Above, rows of the claims against plain Monte Carlo and against the walk, one line per budget,
    the smallest on top, a bar where the ratio's own upper limit is. Below, rows of the claim on
    interaction. ``specs`` is the ``games`` block of the study. What did not run is left out.
    """
    compared = [[row for row in rows if "ratio" in row] for rows in (against_plain, against_walk)]
    heights = _heights([*compared[0], *compared[1]])
    tall = 0.75 + 0.046 * max(heights.values(), default=10)
    figure = plt.figure(figsize=(WIDTH, tall + LOWER))
    parts = np.array(figure.subfigures(2, 1, height_ratios=(tall, LOWER)))
    above, below = parts
    axes = above.subplots(1, 2, sharey=True)
    for ax, rows, name in zip(axes, compared, ("plain Monte Carlo", "the walk"), strict=True):
        _draw_forest(ax, rows, heights)
        ax.set(title=f"over {name}", xlabel="typical ratio of errors")
    axes[0].axvline(HALF_COST, **{**EVEN, "linestyle": (0, (3, 2))})
    _name_experiments(axes, heights, specs)
    above.legend(handles=_method_handles(), loc="outside upper center", ncols=len(METHODS) + 1)
    axes = below.subplots(1, 2, sharey=True)
    for ax, (rule, title) in zip(axes, RULES.items(), strict=True):
        _draw_sweep(ax, sweep, rule)
        ax.set(title=title, xlabel="strength of interaction")
    axes[0].set_ylabel("typical ratio of errors")
    handles, labels = axes[0].get_legend_handles_labels()
    below.legend(handles, labels, loc="outside lower center", ncols=4)
    return figure


def _key(row: Mapping) -> tuple[str, str, int]:
    return row["experiment"], row["method"], row["evaluations"]


def _heights(rows: Rows) -> dict[tuple[str, str, int], float]:
    """Height of every experiment, method and budget, from the top."""
    experiments = list(dict.fromkeys(row["experiment"] for row in rows))
    methods = list(METHODS)
    keys = {_key(row) for row in rows}
    ordered = sorted(keys, key=lambda k: (experiments.index(k[0]), methods.index(k[1]), k[2]))
    heights, y = {}, 0.0
    for before, key in zip([None, *ordered], ordered, strict=False):
        if before is not None:
            y += 1 + (GAPS[1] if key[0] != before[0] else GAPS[0] * (key[1] != before[1]))
        heights[key] = y
    return heights


def _draw_forest(ax: Axes, rows: Rows, heights: Mapping[tuple, float]) -> None:
    """Ratio and limits; filled where the limits of all ratios together leave 1 out."""
    for row in rows:
        y, (marker, colour, _) = heights[_key(row)], METHODS[row["method"]]
        ax.plot(_ends(row["low"], row["high"]), [y, y], color=colour, lw=0.7)
        ax.plot(_ends(row["high_alone"])[0], y, "|", color=colour, ms=3, mew=0.7)
        face = "white" if row["low"] <= 1 <= row["high"] else colour
        ax.plot(row["ratio"], y, marker, color=colour, mfc=face, ms=2.8, mew=0.7)
    if not rows:
        note: dict[str, Any] = {"transform": ax.transAxes, "ha": "center", "va": "center"}
        ax.text(0.5, 0.5, "not run in this study", backgroundcolor="white", **note)
    ax.axvline(1, **EVEN)
    ax.set_xscale("log")
    _label_ratios(ax.xaxis)


def _ends(*limits: float) -> np.ndarray:
    """Limits as far as they are drawn; too few units have none."""
    return np.clip(limits, 1 / FARTHEST, FARTHEST)


def _name_experiments(
    axes: Sequence[Axes], heights: Mapping[tuple, float], specs: Mapping[str, GameBlock]
) -> None:
    """Ticks in the middle of the experiments, and lines between them."""
    blocks: dict[str, list[float]] = {}
    for (experiment, *_), y in heights.items():
        blocks.setdefault(experiment, []).append(y)
    labels = [specs[name].label if name in specs else name for name in blocks]
    labels = [label.replace(", ", "\n") for label in labels]
    axes[0].set_yticks([(min(ys) + max(ys)) / 2 for ys in blocks.values()], labels)
    for ax in axes:
        for ys in list(blocks.values())[1:]:
            ax.axhline(min(ys) - (1 + GAPS[1]) / 2, color="0.7", lw=0.5)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="y", visible=False)
        ax.set_ylim(max(heights.values(), default=1) + 1.5, -1.5)


def _draw_sweep(ax: Axes, rows: Rows, rule: str) -> None:
    """Ratio against the strength of the interaction, a line per kind."""
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    for k, kind in enumerate(kinds):
        mine = sorted((r for r in rows if r["kind"] == kind), key=lambda row: row["strength"])
        ratio, low, high = (
            np.array([row[f"{rule}_{key}"] for row in mine]) for key in ("estimate", "low", "high")
        )
        x = np.array([row["strength"] for row in mine]) * 10 ** (DODGE * (k - (len(kinds) - 1) / 2))
        colour, shape = KINDS[k % len(KINDS)], SHAPES[k % len(SHAPES)]
        ax.plot(x, ratio, color=colour, marker=shape, ms=3.2, lw=0.8, label=kind)
        ax.vlines(x, _ends(*low), _ends(*high), color=colour, lw=0.7)
        for far, value in zip(x[ratio < LOWEST], ratio[ratio < LOWEST], strict=True):
            end = {"arrowstyle": "->", "color": colour, "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", (far, LOWEST), (far, 1.6 * LOWEST), arrowprops=end)
            label = bounded(value, "{:.2g}".format)
            ax.text(far * 0.95, 1.1 * LOWEST, label, color=colour, fontsize=7, ha="right")
    ax.axhline(1, **EVEN)
    highest = max(_ends(*(row[f"{key}_high"] for row in rows for key in RULES)))
    ax.set(xscale="log", yscale="log", ylim=(LOWEST, 1.15 * highest))
    ax.xaxis.set_major_locator(FixedLocator(sorted({row["strength"] for row in rows})))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    _label_ratios(ax.yaxis)


def _label_ratios(axis: Axis) -> None:
    """Plain numbers at 1, 2 and 5 of every decade; closer where the axis spans little."""
    low, high = axis.get_view_interval()
    decades = [10.0**k * step for k in range(-3, 4) for step in (1, 2, 5)]
    axis.set_major_locator(FixedLocator(decades if high > 4 * low else NARROW))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.3g}"))
    axis.set_minor_locator(NullLocator())


def _method_handles() -> list[Line2D]:
    dots = [
        Line2D([], [], color=colour, marker=marker, ms=3.5, lw=0.8, label=label)
        for marker, colour, label in METHODS.values()
    ]
    half = Line2D([], [], **{**EVEN, "linestyle": (0, (3, 2))}, label="1/√2, by half the cost")
    return [*dots, half]
