"""Figures of the published protocol."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from shapaudit.statistics.agreement import TRIALS, biased
from shapaudit_audit.report.style import WIDTH, house_style, label_decades

from ..findings import Protocol

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "chen_covert_lundberg_lee_2023/published_protocol": (
        "The published protocol",
        "Mean squared error times samples on one explicand of the diabetes data, by family of "
        "estimators: this study and the published values of Chen, Covert, Lundberg & Lee "
        "(2023), Tables 2 and 5.",
    ),
    "chen_covert_lundberg_lee_2023/published_bias": (
        "Bias and variance",
        "Bias against variance of every cell of the published protocol, as published and "
        "here; filled where the number of trials does not explain the bias.",
        ("ccll23-08c",),
    ),
}

PANELS = {
    "Multilinear": ("ME", "ME_RAND", "ME_ANTI"),
    "Multilinear by feature": ("MEF", "MEF_RAND", "MEF_ADAPT", "MEF_ANTI"),
    "Random order": ("RO", "RO_ANTI"),
    "Random order by feature": ("ROF", "ROF_ADAPT", "ROF_ANTI"),
    "Least squares": ("LS", "LS_ANTI", "LS_SGD"),
}
# By what follows the underscore in the published names.
VARIANTS = {
    "": ("#0072B2", "o", "as it is"),
    "RAND": ("#E69F00", "s", "random q"),
    "ADAPT": ("#D55E00", "^", "adaptive"),
    "ANTI": ("#007A5A", "D", "antithetic"),
    "SGD": ("#AA4499", "v", "stochastic gradient"),
}
LABEL_ROUNDING = 1e-9  # of distances between labels
EVEN: dict[str, Any] = {"color": "0.15", "lw": 0.8, "zorder": 1}


def _variant(method: str) -> tuple[str, str]:
    """Colour and marker of a published name."""
    return VARIANTS[method.partition("_")[2]][:2]


def _variant_handles(**settings) -> list[Line2D]:
    return [
        Line2D([], [], color=colour, marker=marker, mfc="white", ms=4, label=label, **settings)
        for colour, marker, label in VARIANTS.values()
    ]


@house_style
def protocol_figure(protocol: Protocol) -> Figure:
    """Mean squared error times samples against samples, by family; published values open.

    In a band a published value agrees, all cells of the protocol together. Errors that fall as one
    over the samples are level.
    """
    figure, axes = plt.subplots(2, 3, figsize=(WIDTH, 4.6), sharex=True, sharey=True)
    for ax, (title, methods) in zip(axes.flat, PANELS.items(), strict=False):
        _draw_protocol(ax, protocol, methods)
        ax.set_title(title)
    low, high = protocol.cells["samples"].min(), protocol.cells["samples"].max()
    # Room for the names at the ends of the curves.
    axes[0, 0].set_xlim(low / 1.3, high * (high / low) ** 0.42)
    free = axes.flat[len(PANELS)]
    free.axis("off")
    free.legend(handles=_protocol_handles(protocol), loc="center left", fontsize=7)
    for ax in (*axes[1, :2], axes[0, 2]):
        ax.set_xlabel("samples")
    axes[0, 2].tick_params(axis="x", labelbottom=True)
    label_decades(axes[0, 0].xaxis)
    axes[0, 0].xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1000:g}k"))
    for ax in axes[:, 0]:
        ax.set_ylabel("mean squared error × samples")
    return figure


def _draw_protocol(ax: Axes, protocol: Protocol, methods: Sequence[str]) -> None:
    cells, compared = protocol.cells, protocol.comparison
    ends = []
    for method in methods:
        own = cells[cells["method"] == method].sort_values("samples")
        if own.empty:
            continue
        colour, marker = _variant(method)
        level = own["error"] * own["samples"]
        ax.plot(own["samples"], level, color=colour, lw=1.2)
        theirs = compared[compared["method"] == method].sort_values("samples")
        scaled = theirs["samples"] * theirs["ours"]
        width = theirs["high"] / theirs["ratio"]
        ax.fill_between(
            theirs["samples"], scaled / width, scaled * width, color=colour, alpha=0.08, lw=0
        )
        ax.plot(
            theirs["samples"],
            theirs["published"] * theirs["samples"],
            color=colour,
            marker=marker,
            mfc="white",
            ls="none",
            ms=4,
            mew=1,
        )
        ends.append((float(level.iloc[-1]), int(own["samples"].iloc[-1]), method, colour))
    ax.set(xscale="log", yscale="log")
    if ends:
        _label_ends(ax, ends)
    label_decades(ax.yaxis)


def _label_ends(ax: Axes, ends: list[tuple[float, int, str, str]], least: float = 0.16) -> None:
    """Names at the right ends of curves, at least ``least`` natural logarithms apart."""
    ends = sorted(ends)
    wanted = np.log([level for level, *_ in ends])
    for y, (_, x, method, colour) in zip(np.exp(_apart(wanted, least)), ends, strict=True):
        ax.annotate(
            method,
            (x, y),
            (6, 0),
            textcoords="offset points",
            color=colour,
            fontsize=6,
            va="center",
        )


def _apart(places: np.ndarray, least: float) -> np.ndarray:
    """Increasing places moved as little as it takes to be ``least`` apart, about.

    Two that are so far apart but for rounding stay: else the places depended on the processor.
    """
    placed = places.copy()
    for _ in range(100):
        for k in np.flatnonzero(np.diff(placed) < (1.0 - LABEL_ROUNDING) * least):
            middle = placed[k : k + 2].mean()
            placed[k : k + 2] = middle - least / 2, middle + least / 2
    return placed


def _protocol_handles(protocol: Protocol) -> list[Line2D]:
    grey: dict[str, Any] = {"color": "0.35"}
    mark: dict[str, Any] = {"marker": "o", "mfc": "white", "ls": "none", "ms": 4.5}
    return [
        Line2D([], [], **grey, lw=1.2, label=f"this study, {protocol.trials} trials"),
        Line2D([], [], **grey, **mark, label=f"published, {TRIALS} trials"),
        Line2D([], [], **grey, lw=7, alpha=0.15, label="where a published value agrees"),
        *_variant_handles(lw=1.2),
    ]


@house_style
def bias_figure(protocol: Protocol) -> Figure:
    """Bias against variance of every cell, as published and here; filled where it is a bias.

    The line is what an unbiased method shows: one part in as many as there are trials.
    """
    own = protocol.cells
    measures = (own["bias"], own["variance"], own["spread"], own["trials"])
    own = own.assign(biased=biased(*measures, protocol.alpha))
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 3.2), sharex=True, sharey=True)
    for ax, cells, title, trials in (
        (axes[0], protocol.comparison, "published", TRIALS),
        (axes[1], own, "this study", protocol.trials),
    ):
        _draw_biases(ax, cells)
        ends = np.array([own["variance"].min() / 2, own["variance"].max() * 2])
        ax.plot(ends, ends / trials, **EVEN)
        ax.set(title=title, xlabel="variance", xscale="log", yscale="log")
    axes[0].set_ylabel("bias (squared norm)")
    for ax in axes:
        label_decades(ax.xaxis)
        label_decades(ax.yaxis)
    handles = _variant_handles(ls="none")
    handles.append(Line2D([], [], color="0.3", marker="o", ls="none", ms=4, label="beyond chance"))
    handles.append(Line2D([], [], **EVEN, label="variance over trials"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4)
    return figure


def _draw_biases(ax: Axes, cells: pd.DataFrame) -> None:
    for cell in cells.itertuples():
        if not cell.bias > 0:
            continue
        colour, marker = _variant(cell.method)
        face = colour if cell.biased else "white"
        ax.plot(cell.variance, cell.bias, marker, color=colour, mfc=face, ms=3.6, mew=0.8)
    flagged = cells[cells["biased"]].sort_values("bias").groupby("method").tail(1)
    if flagged.empty:
        return
    heights = 10 ** _apart(np.log10(flagged["bias"].to_numpy()), 0.36)
    for y, cell in zip(heights, flagged.itertuples(), strict=True):
        colour, _ = _variant(cell.method)
        ax.annotate(
            cell.method,
            (cell.variance, cell.bias),
            (cells["variance"].max() / 40, y),
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.5, "shrinkA": 1, "shrinkB": 2},
            color=colour,
            fontsize=6.5,
            ha="right",
            va="center",
        )
