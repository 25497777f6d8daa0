"""Figure of projected SGD with the default step: in a later benchmark."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from shapaudit.samplers.gradients import DEFAULT_STEP as STEP
from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.report.palette import FAMILIES
from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_papers.theory.recursion import stability_limit

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/unhelpful": (
        "Steps in a later benchmark",
        "Stochastic gradients in a later benchmark: its step is beyond the stability limit "
        "(claims 8d, 18d and 18e).",
        ("gt20-08d", "gt20-18d", "gt20-18e"),
    ),
}

LARGEST_DIMENSION = 400
HIGHEST = 10.0  # of the errors drawn, in units of the equal split's
DATA = {"diabetes": ("#56B4E9", "^"), "nhanes": ("#E69F00", "s"), "blog": ("#D55E00", "o")}
LABELS = {"diabetes": "diabetes", "nhanes": "NHANES", "blog": "blog"}
METHODS = {
    "default step": (FAMILIES["PSGD"], "-", "o"),
    "half the limit, 1/sqrt(t)": (FAMILIES["PSGD"], (0, (5, 1.5)), "s"),
    "half the limit, constant": (FAMILIES["PSGD"], (0, (1.2, 1.2)), "^"),
    "nothing to tune": (FAMILIES["Other"], "-", "D"),
    "nothing to tune, paired": (FAMILIES["Other"], (0, (5, 1.5)), "v"),
    "KernelSHAP": (FAMILIES["KernelSHAP"], "-", "o"),
    "paired KernelSHAP": (FAMILIES["KernelSHAP"], (0, (5, 1.5)), "s"),
}


@house_style
def unhelpful_figure(
    published: Sequence[Mapping], fixed: Sequence[Mapping], free: Sequence[Mapping]
) -> Figure:
    """Step against the stability limit; published and repeated ratios; errors against players.

    The rows of the claims gt20-08d (``published``), 18d (``fixed``) and 18e (``free``). Vertical
    lines span the steps taken, from the first to the last. Errors are medians over games at the
    larger budget, one panel per kind of game; what is above `HIGHEST` is named.
    """
    figure, axes = plt.subplots(2, 2, figsize=(WIDTH, 5.2))
    _draw_steps(axes[0, 0], published)
    _draw_ratios(axes[0, 1], published)
    rows = [*fixed, *free]
    for ax, kind in zip(axes[1], dict.fromkeys(row["kind"] for row in rows), strict=True):
        _draw_errors(ax, [row for row in rows if row["kind"] == kind])
        ax.set_title(f"Generated games: {kind}")
    axes[1, 0].set_ylabel("error / that of the equal split")
    lowest = min(ax.get_ylim()[0] for ax in axes[1])
    for ax in axes[1]:
        ax.set_ylim(lowest, HIGHEST)
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _draw_steps(ax: Axes, rows: Sequence[Mapping]) -> None:
    d = np.arange(3, LARGEST_DIMENSION + 1)
    limits = np.array([stability_limit(importance_sizes(int(k), k**0.5)) for k in d])
    ax.plot(d, limits, color="0.2", label="stability limit")
    ax.axhline(STEP, color=FAMILIES["PSGD"], label="default, first step")
    ax.fill_between(d, limits, STEP, where=limits < STEP, color=FAMILIES["PSGD"], alpha=0.12, lw=0)
    for data, (colour, marker) in DATA.items():
        last = max((row for row in rows if row["data"] == data), key=lambda row: row["samples"])
        steps = STEP / np.sqrt([1, last["samples"]])
        ax.plot([last["players"]] * 2, steps, color=colour)
        ax.plot(last["players"], STEP, marker, color=colour, ms=4.5)
        ax.annotate(
            f"{LABELS[data]}\nd = {last['players']}",
            (last["players"], steps[-1]),
            xytext=(0, -3),
            textcoords="offset points",
            ha="center",
            va="top",
            fontsize=7,
            color=colour,
        )
    ax.set(xscale="log", yscale="log", xlabel="players d", ylabel="step", title="Step and limit")
    ax.set_ylim(2e-5, 1)
    label_decades(ax.xaxis)
    ax.yaxis.set_major_locator(LogLocator())
    ax.legend(loc="upper right")


def _draw_ratios(ax: Axes, rows: Sequence[Mapping]) -> None:
    for data, (colour, marker) in DATA.items():
        mine = sorted((r for r in rows if r["data"] == data), key=lambda row: row["samples"])
        run = [row for row in mine if row["simulated_ratio"] != "not run"]
        style: dict[str, Any] = {"color": colour, "marker": marker, "ms": 4.5}
        samples = [row["samples"] for row in mine]
        ax.plot(samples, [row["published_ratio"] for row in mine], ls="-", **style)
        ax.plot(
            [row["samples"] for row in run],
            [row["simulated_ratio"] for row in run],
            ls=(0, (1.2, 1.2)),
            mfc="white",
            **style,
        )
        ax.annotate(
            LABELS[data],
            (samples[-1], mine[-1]["published_ratio"]),
            xytext=(6, 2),
            textcoords="offset points",
            fontsize=7,
            color=colour,
        )
    ax.plot([], [], "o-", color="0.3", ms=4.5, label="published")
    ax.plot([], [], "o", ls=(0, (1.2, 1.2)), color="0.3", mfc="white", ms=4.5, label="repeated")
    ax.axhline(1, color="0.3", lw=0.8)
    ax.set(xscale="log", yscale="log", xlabel="samples", title="Squared error / KernelSHAP's")
    ax.set_xlim(right=4 * max(row["samples"] for row in rows))
    label_decades(ax.xaxis)
    ax.yaxis.set_major_locator(LogLocator(numticks=9))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.legend(loc="center right", bbox_to_anchor=(1, 0.55))


def _curves(rows: Sequence[Mapping]) -> dict[str, dict[int, float]]:
    """Median error by method and number of players at the largest budget."""
    curves: dict[str, dict[int, float]] = {name: {} for name in METHODS}
    for row in sorted(rows, key=lambda row: (row["players"], row["evaluations"])):
        curves[row["method"]][row["players"]] = row["median"]
        curves[row["against"]][row["players"]] = row["median_against"]
    return curves


def _draw_errors(ax: Axes, rows: Sequence[Mapping]) -> None:
    for name, curve in _curves(rows).items():
        colour, dashes, marker = METHODS[name]
        style: dict[str, Any] = {"color": colour, "linestyle": dashes, "marker": marker, "ms": 3.5}
        label = name.replace("1/sqrt(t)", "1/√t").replace("half", "step at half")
        ax.plot(list(curve), list(curve.values()), label=label, **style)
        high = [f"{error:,.0f} at d = {d}" for d, error in curve.items() if error > HIGHEST]
        if high:
            text = f"↑ {name}:\n" + "\n".join(high)
            ax.text(0.02, 0.98, text, color=colour, fontsize=7, va="top", transform=ax.transAxes)
    ax.axhline(1, color="0.3", lw=0.8)
    ax.set(xscale="log", yscale="log", xlabel="players d")
    label_decades(ax.yaxis)
    players = sorted({row["players"] for row in rows})
    ax.set_xticks(players, [str(d) for d in players])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.tick_params(axis="x", which="minor", length=0)
