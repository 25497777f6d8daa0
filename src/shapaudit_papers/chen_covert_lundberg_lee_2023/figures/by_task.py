"""Curves of errors against evaluations, a panel per task of the comparison."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from shapaudit_audit.report.advice import TREE
from shapaudit_audit.report.end_labels import label_ends
from shapaudit_audit.report.palette import ACCENT
from shapaudit_audit.report.reach import USED, relative_errors
from shapaudit_audit.report.saved import TAKEN
from shapaudit_audit.report.style import DASHES, WIDTH, house_style, label_decades
from shapaudit_audit.report.tasks import Task, TaskComparison

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "chen_covert_lundberg_lee_2023/error_by_task": (
        "Error against evaluations, by task",
        "Error relative to the norm of the Shapley values, median over pairs of explicand and "
        "baseline, against model evaluations, on logarithmic axes; models that are not trees come "
        "first. Grey lines are all other estimators. Points on the lower edge stand for smaller "
        "errors. In hatched ranges Auto is too slow for this study.",
        (),
    ),
}

NAMED: dict[str, dict[str, Any]] = {
    "antithetic-mc": {"color": "#AA4499", "ls": DASHES[1], "marker": "s"},
    "paired-kernel-shap": {"color": "#007A5A", "ls": DASHES[2], "marker": "D"},
    "outer-sizes": {"color": "#333333", "ls": DASHES[3], "marker": "^"},
    "leverage-shap": {"color": "#D55E00", "ls": DASHES[0], "marker": "v"},
    TAKEN: {"color": ACCENT, "ls": DASHES[0], "marker": "o", "lw": 1.8},
}
LOWEST, HIGHEST = 0.1, 500.0  # percent
COLUMNS = 3


@house_style
def tasks_figure(comparisons: Sequence[TaskComparison]) -> Figure:
    """Relative error in percent against evaluations, the estimators of `NAMED` in colour.

    Tasks without the norms of their Shapley values have no panel. Curves are named beside the
    last panel of each row.
    """
    tasks = [
        (comparison, task)
        for comparison in comparisons
        for task in comparison.tasks.values()
        if task.norms is not None
    ]
    tasks.sort(key=lambda pair: pair[1].kind == TREE)
    rows = max(1, -(-len(tasks) // COLUMNS))
    size = (WIDTH, 0.4 + 1.75 * rows)
    figure, axes = plt.subplots(rows, COLUMNS, figsize=size, squeeze=False, sharey=True)
    for ax in axes.flat[len(tasks) :]:
        ax.set_visible(False)
    for k, (ax, (comparison, task)) in enumerate(zip(axes.flat, tasks, strict=False)):
        ends = _draw_task(ax, comparison, task)
        if k % COLUMNS == COLUMNS - 1 or k == len(tasks) - 1:
            label_ends(ax, ends)
    axes[-1, COLUMNS // 2].set_xlabel("model evaluations")
    axes[rows // 2, 0].set_ylabel("error, % of the norm of the values")
    return figure


def _draw_task(ax: Axes, comparison: TaskComparison, task: Task) -> list:
    """Draw the curves of a task; return the ends of those that have a name."""
    ax.set(xscale="log", yscale="log", ylim=(LOWEST, HIGHEST))
    ax.set_title(task.label, fontsize=7.5)
    ran = task.means.index.unique(0)
    for name in ran.difference([*NAMED]):
        errors = _errors(task, name)
        ax.plot(errors.index, errors, color="0.8", lw=0.7, zorder=1)
    ends = []
    for name in filter(ran.__contains__, NAMED):
        errors, style = _errors(task, name), NAMED[name]
        ax.plot(errors.index, errors, **{"lw": 1.2, "ms": 3, "clip_on": False, **style})
        label = USED.get(name) or comparison.label_of(name)
        label = f"{label} (ours)" if name == TAKEN else label
        ends.append((max(task.budgets), errors.iloc[-1], label, style["color"]))
    _mark_slow(ax, task)
    label_decades(ax.yaxis)
    ax.set_xticks(_ticks(task.budgets), [f"{n:,}" for n in _ticks(task.budgets)])
    ax.xaxis.set_minor_formatter(NullFormatter())
    return ends


def _errors(task: Task, name: str):
    """Percent by budget; what is below the axis stands at its end."""
    return (100 * relative_errors(task, name).median(axis=1)).clip(lower=LOWEST)


def _ticks(budgets: Sequence[int]) -> list[int]:
    """First, middle and last budget."""
    return sorted({budgets[0], budgets[len(budgets) // 2], budgets[-1]})


def _mark_slow(ax: Axes, task: Task) -> None:
    """Hatch the budgets at which our estimator takes too long for the study."""
    most = task.most.get(TAKEN, np.inf)
    if most >= max(task.budgets):
        return
    ax.axvspan(
        max(most, min(task.budgets)), max(task.budgets), fc="none", ec="0.88", hatch="//", lw=0
    )
    ax.text(
        max(task.budgets), HIGHEST, "Auto too slow", ha="right", va="top", fontsize=7, color="0.4"
    )
