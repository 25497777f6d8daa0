"""Figure of projected SGD with the default step: in a later benchmark."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from shapaudit.samplers.gradients import DEFAULT_STEP as STEP
from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.report.palette import FAMILIES
from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_papers.theory.recursion import stability_limit

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/unhelpful": (
        "Steps in a later benchmark",
        "The default step of stochastic gradients and the limit beyond which they diverge, by "
        "number of players. Vertical lines span the steps of a later benchmark; beside them is "
        "the largest published ratio of squared errors to KernelSHAP, and that on one generated "
        "game (claim 8d).",
        ("gt20-08d",),
    ),
}

PLAYERS = (3, 700)  # of the axis
LABELS = {"diabetes": "diabetes", "nhanes": "NHANES", "blog": "blog"}
ABOVE = "blog"  # whose label stands above the line: the others are near


@house_style
def unhelpful_figure(published: Sequence[Mapping]) -> Figure:
    """Step against the stability limit, and what became of the errors on three data sets.

    The rows of the claim gt20-08d. Vertical lines span the steps taken, from the first to the
    last.
    """
    figure, ax = plt.subplots(figsize=(WIDTH / 2, WIDTH / 2))
    d = np.arange(PLAYERS[0], PLAYERS[1] + 1)
    limits = np.array([stability_limit(importance_sizes(int(k), k**0.5)) for k in d])
    ax.plot(d, limits, color="0.2")
    ax.axhline(STEP, color=FAMILIES["PSGD"])
    ax.fill_between(d, limits, STEP, where=limits < STEP, color=FAMILIES["PSGD"], alpha=0.15, lw=0)
    for data in LABELS:
        _draw_steps(ax, [row for row in published if row["data"] == data], data)
    ax.set(xscale="log", yscale="log", xlabel="players d", ylabel="step", xlim=PLAYERS)
    ax.set_ylim(1.2e-5, 2)
    label_decades(ax.xaxis)
    ax.yaxis.set_major_locator(LogLocator())
    ax.yaxis.set_major_formatter("{x:g}")
    ax.annotate("stability limit", (d[1], limits[1]), (7, 2), textcoords="offset points")
    ax.text(16, 1.2 * STEP, "default step", color=FAMILIES["PSGD"])
    ax.text(150, STEP / 3, "diverges", color=FAMILIES["PSGD"], ha="center", va="center")
    return figure


def _draw_steps(ax: Axes, rows: Sequence[Mapping], data: str) -> None:
    """The steps on a data set and the largest ratios of squared errors, as text."""
    first, last = STEP, STEP / np.sqrt(max(row["samples"] for row in rows))
    players = rows[0]["players"]
    ax.plot([players] * 2, [first, last], color="0.2", lw=1)
    ax.plot(players, first, "o", color="0.2", ms=4)
    run = [row["simulated_ratio"] for row in rows if row["simulated_ratio"] != "not run"]
    told = [f"{LABELS[data]}, d = {players}"]
    told.append(f"published: {_times(max(row['published_ratio'] for row in rows))}")
    told += [f"repeated: {_times(max(run))}"] if run else []
    above = data == ABOVE
    ax.annotate(
        "\n".join(told),
        (PLAYERS[1] if above else players, first if above else last),
        (0, 5 if above else -3),
        textcoords="offset points",
        ha="right" if above else "center",
        va="bottom" if above else "top",
        fontsize=7,
    )


def _times(ratio: float) -> str:
    """A ratio as people say it, with a power of ten where it is large."""
    if ratio < 1e5:
        return f"{float(f'{ratio:.2g}'):,g}×"
    digit, power = f"{ratio:.0e}".split("e+")
    return f"$10^{{{power}}}$×" if digit == "1" else f"{digit}·$10^{{{power}}}$×"
