"""The first figure of README, report and site: evaluations that each method needs for an error."""

from collections.abc import Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from shapaudit_audit.report.palette import ACCENT, QUIET
from shapaudit_audit.report.reach import HERO, Reach, reaches, sampled
from shapaudit_audit.report.saved import TAKEN
from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_audit.report.tasks import TaskComparison

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "chen_covert_lundberg_lee_2023/evaluations": (
        "Evaluations for an error of 5 %",
        "Model evaluations with which each method estimates all Shapley values of a row with an "
        "error of 5 % of their norm: medians over the rows of the models that are not trees, with "
        "95 % limits, on a logarithmic axis. Fewer is better.",
        (),
    ),
}

BEYOND = 1.25  # how far past the largest budget a method stands that does not reach the error


@house_style
def evaluations_figure(comparisons: Sequence[TaskComparison]) -> Figure:
    """One dot with its limits per method, the method of this project in the accent colour.

    Of the tasks of `sampled`. A method whose median is a bound has an arrow and says so; without
    such tasks, or without methods that ran on all of their games, the figure says that.
    """
    tasks = sampled(comparisons)
    rows = reaches(comparisons, tasks)
    figure, ax = plt.subplots(figsize=(WIDTH, 0.75 + 0.26 * max(2, len(rows))))
    if not rows:
        ax.text(0.5, 0.5, "No method ran on all games of such models.", ha="center")
        ax.set_axis_off()
        return figure
    for y, row in enumerate(rows):
        _draw(ax, y, row)
    names = [f"{row.label} (ours)" if row.estimator == TAKEN else row.label for row in rows]
    ax.set_yticks(range(len(rows)), names)
    for tick, row in zip(ax.get_yticklabels(), rows, strict=True):
        own = row.estimator == TAKEN
        tick.set(color=ACCENT if own else "0.25", fontweight="bold" if own else "normal")
    ends = [_shown(row, value) for row in rows for value in (row.low, row.median, row.high)]
    ax.set(xscale="log", xlim=(min(ends) / 1.3, max(ends) * 2.2), ylim=(len(rows) - 0.5, -0.6))
    label_decades(ax.xaxis)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel(f"model evaluations for an error of {100 * HERO:.0f} %, fewer is better")
    return figure


def _shown(row: Reach, value: float) -> float:
    """Where a number stands on the axis: a bound from below past the largest budget."""
    return row.most * BEYOND if np.isinf(value) else max(value, row.least)


def _draw(ax: Axes, y: float, row: Reach) -> None:
    colour = ACCENT if row.estimator == TAKEN else QUIET
    low, at, high = (_shown(row, value) for value in (row.low, row.median, row.high))
    bound = ">" if np.isinf(row.median) else "<" if row.median <= row.least else "o"
    ax.plot([low, high], [y, y], color=colour, lw=1.6, solid_capstyle="butt")
    ax.plot(at, y, bound, color=colour, ms=6)
    ax.annotate(
        row.told,
        (high, y),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        color=colour,
        fontweight="bold" if row.estimator == TAKEN else "normal",
    )
