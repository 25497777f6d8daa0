"""Figure of bounds on the expected squared error, step by step."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from shapaudit_audit.report.style import DASHES, WIDTH, house_style
from shapaudit_audit.study.blocks.games import GameBlock

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/rates": (
        "Bounds, step by step",
        "Bounds on the expected squared error of projected SGD relative to its exact value, step "
        "by step: median and range over explicands. A bound below 1 is violated.",
        ("gt20-06b", "gt20-06c"),
    ),
}

GAME_COLOURS = ("#0072B2", "#D55E00", "#007A5A", "#CC79A7")


@house_style
def rates_figure(panels: Mapping[str, Sequence[Mapping]], specs: Mapping[str, GameBlock]) -> Figure:
    """Bound over exact expected squared error against the number of steps, one panel per bound.

    ``panels`` maps titles to rows with the keys game, steps, median_ratio, smallest_ratio and
    largest_ratio (over explicands); ``specs`` is the ``games`` block of the study. Below 1 the
    bound is violated.
    """
    size = (WIDTH, 2.9)
    figure, axes = plt.subplots(1, len(panels), figsize=size, squeeze=False, sharex=True)
    for ax, (title, rows) in zip(axes[0], panels.items(), strict=True):
        _draw(ax, rows, specs)
        ax.set(title=title, xlabel="steps T")
    axes[0, 0].set_ylabel("bound / exact expected squared error")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def _draw(ax: Axes, rows: Sequence[Mapping], specs: Mapping[str, GameBlock]) -> None:
    for k, game in enumerate(dict.fromkeys(row["game"] for row in rows)):
        mine = sorted((row for row in rows if row["game"] == game), key=lambda row: row["steps"])
        steps = [row["steps"] for row in mine]
        colour = GAME_COLOURS[k % len(GAME_COLOURS)]
        low, high = ([row[key] for row in mine] for key in ("smallest_ratio", "largest_ratio"))
        ax.fill_between(steps, low, high, color=colour, alpha=0.12, linewidth=0)
        style: dict[str, Any] = {"color": colour, "linestyle": DASHES[k % len(DASHES)]}
        ax.plot(steps, [row["median_ratio"] for row in mine], label=specs[game].label, **style)
    ax.axhline(1, color="0.3", lw=0.8)
    ax.set(xscale="log", yscale="log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(numticks=6))
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(bottom, 0.5), max(top, 20))
