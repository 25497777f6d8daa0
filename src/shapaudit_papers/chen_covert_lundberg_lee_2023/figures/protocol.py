"""Figures of the published protocol."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter

from shapaudit.statistics.agreement import TRIALS, biased
from shapaudit_audit.report.end_labels import apart
from shapaudit_audit.report.style import WIDTH, house_style, label_decades

from ..findings import Protocol

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "chen_covert_lundberg_lee_2023/published_protocol": (
        "The published protocol",
        "Mean squared errors on one explicand of the diabetes data in this study against the "
        "published ones of Chen, Covert, Lundberg & Lee (2023), Tables 2 and 5: a point is a "
        "method at a number of samples, and agrees in the grey band. Inset: the ratios.",
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
FAMILIES = {
    "Multilinear": ("#0072B2", "o"),
    "Multilinear by feature": ("#E69F00", "s"),
    "Random order": ("#AA4499", "^"),
    "Random order by feature": ("#333333", "v"),
    "Least squares": ("#007A5A", "D"),
}
# By what follows the underscore in the published names.
VARIANTS = {
    "": ("#0072B2", "o", "as it is"),
    "RAND": ("#E69F00", "s", "random q"),
    "ADAPT": ("#D55E00", "^", "adaptive"),
    "ANTI": ("#007A5A", "D", "antithetic"),
    "SGD": ("#AA4499", "v", "stochastic gradient"),
}
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
    """Errors of this study against the published ones, a point per cell, and their ratios.

    In the band a point agrees, all cells of the protocol together; its width is the median of
    those of the cells, and a point that does not agree by its own limits is named.
    """
    figure, ax = plt.subplots(figsize=(WIDTH / 2, WIDTH / 2))
    cells = protocol.comparison
    if cells.empty:
        ax.text(0.5, 0.5, "No cell was run.", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return figure
    ends = np.array([cells["published"].min() / 3, cells["published"].max() * 3])
    width = float((cells["high"] / cells["ratio"]).median())
    ax.fill_between(ends, ends / width, ends * width, color="0.88", lw=0)
    ax.plot(ends, ends, **EVEN)
    for family, methods in PANELS.items():
        own = cells[cells["method"].isin(methods)]
        colour, marker = FAMILIES[family]
        style: dict[str, Any] = {"color": colour, "mfc": "none", "ms": 3.8, "mew": 0.9, "ls": ""}
        ax.plot(own["published"], own["ours"], marker, label=family, **style)
    for cell in cells[~cells["agrees"]].itertuples():
        name = f"{cell.method}, {cell.samples:,}"
        ax.annotate(name, (cell.published, cell.ours), (5, -5), textcoords="offset points")
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends, aspect="equal")
    ax.set(xlabel="published mean squared error", ylabel="mean squared error here")
    label_decades(ax.xaxis)
    label_decades(ax.yaxis)
    ax.legend(loc="lower right", handletextpad=0.1, borderpad=0.2, labelspacing=0.3)
    _draw_ratios(ax.inset_axes((0.14, 0.7, 0.36, 0.26)), cells["ours"] / cells["published"])
    return figure


def _draw_ratios(ax: Axes, ratios: pd.Series) -> None:
    """A small histogram of the ratios, on a logarithmic axis about 1."""
    most = max(1.5, float(np.exp(np.abs(np.log(ratios)).max())))
    ax.hist(ratios, bins=np.geomspace(1 / most, most, 14).tolist(), color="0.6")
    ax.axvline(1, **EVEN)
    ax.set(xscale="log", yticks=[], xlim=(1 / most, most))
    ax.set_xticks([1 / 1.5, 1, 1.5], ["0.67", "1", "1.5"], fontsize=7)
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.tick_params(axis="x", which="minor", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=False)
    ax.set_title("here / published", fontsize=7, pad=2)


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
    heights = 10 ** apart(np.log10(flagged["bias"].to_numpy()), 0.36)
    for y, cell in zip(heights, flagged.itertuples(), strict=True):
        colour, _ = _variant(cell.method)
        ax.annotate(
            cell.method,
            (cell.variance, cell.bias),
            (cells["variance"].max() / 40, y),
            arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.5, "shrinkA": 1, "shrinkB": 2},
            color=colour,
            fontsize=7,
            ha="right",
            va="center",
        )
