"""How loose the printed constants are."""

from collections.abc import Mapping, Sequence
from math import sqrt

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from shapaudit_audit.report.style import WIDTH, house_style
from shapaudit_audit.study.blocks.games import GameBlock
from shapaudit_papers.theory.constants import kappa, kappa_printed

from ..usefulness import PRECISION, iterations_needed, proper_coalitions

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/looseness": (
        "Looseness of the constants",
        "How loose the printed constants are: the gradient bound relative to exact second "
        "moments, the constant of the rates as printed and by its definition, and the iterations "
        "that the bound requires relative to the number of coalitions.",
        ("gt20-04b", "gt20-05", "gt20-13"),
    ),
}

LARGEST_DIMENSION = 64


@house_style
def looseness_figure(
    gradient_rows: Sequence[Mapping], specs: Mapping[str, GameBlock], dimensions: Sequence[int]
) -> Figure:
    """Gradient bound against exact second moments; kappa as printed; iterations the bound asks for.

    ``gradient_rows`` are the rows of the claim on the gradient bound under importance sampling,
    ``specs`` the ``games`` block of the study, ``dimensions`` the numbers of players to mark. The
    radius is D = C sqrt(d), C = 1, that of the authors' public code.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.5), width_ratios=(1.25, 1, 1))
    _draw_moments(axes[0], gradient_rows, specs)
    d = np.arange(2, LARGEST_DIMENSION + 1)
    _draw_kappa(axes[1], d)
    _draw_iterations(axes[2], d, dimensions)
    return figure


def _draw_moments(ax: Axes, rows: Sequence[Mapping], specs: Mapping[str, GameBlock]) -> None:
    """Median and range over explicands of B^2 over the second moment, by game and point."""
    rows = [row for row in rows if row["radius"] == "public"]
    games = list(dict.fromkeys(row["game"] for row in rows))
    for row in rows:
        solution = row["point"] == "solution"
        y = games.index(row["game"]) + (0.16 if solution else -0.16)
        ax.plot([row["smallest_ratio"], row["largest_ratio"]], [y, y], color="0.6", lw=1)
        ax.plot(
            row["median_ratio"], y, "o", color="#D55E00", mfc="#D55E00" if solution else "w", ms=4.5
        )
    ax.set(title="B² over the second moment", xscale="log", xlabel="ratio; 1 would be tight")
    ax.set_yticks(range(len(games)))
    ax.set_yticklabels([specs[game].label.replace(", ", "\n") for game in games])
    ax.set_ylim(len(games) - 0.3, -0.5)
    ax.plot([], [], "o", color="#D55E00", ms=4.5, label="at φ*")
    ax.plot([], [], "o", color="#D55E00", mfc="w", ms=4.5, label="at φ₀")
    ax.legend(loc="lower right", ncols=2, columnspacing=0.8, handletextpad=0.1, borderpad=0.0)


def _draw_kappa(ax: Axes, d: np.ndarray) -> None:
    printed = [kappa_printed(n, sqrt(n), 1.0) for n in d]
    defined = [kappa(n, sqrt(n), 1.0) for n in d]
    ax.plot(d, printed, color="#D55E00", linestyle=(0, (5, 1.5)), label="as printed")
    ax.plot(d, defined, color="#0072B2", label="B / μ")
    ax.set(title="κ for D = √d, C = 1", xlabel="players d", yscale="log")
    _dimension_axis(ax)
    ax.legend(loc="lower right")


def _draw_iterations(ax: Axes, d: np.ndarray, dimensions: Sequence[int]) -> None:
    needed = np.array([iterations_needed(n) for n in d])
    ax.plot(d, needed, color="#D55E00", label=f"4κ²/T ≤ {PRECISION}")
    ax.plot(
        d,
        [float(proper_coalitions(int(n))) for n in d],
        color="0.35",
        lw=1.0,
        label="all coalitions",
    )
    for n in sorted({n for n in dimensions if n <= d[-1]}):
        ax.plot(n, iterations_needed(n), "o", color="#D55E00", mfc="w", ms=4.5)
    ax.set(title="evaluations needed", xlabel="players d", yscale="log")
    ax.yaxis.set_major_locator(LogLocator(numticks=6))
    ax.yaxis.set_minor_formatter(NullFormatter())
    _dimension_axis(ax)
    ax.legend(loc="upper left")


def _dimension_axis(ax: Axes) -> None:
    ax.set_xscale("log", base=2)
    ticks = [n for n in (2, 4, 8, 16, 32, 64) if n <= LARGEST_DIMENSION]
    ax.set_xticks(ticks, labels=map(str, ticks))
    ax.set_xlim(2, LARGEST_DIMENSION)
