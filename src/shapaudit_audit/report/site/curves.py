"""Curves of the first page: the relative error of every estimator by evaluations, and its time."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binom

from ..overhead import Seconds
from ..reach import USED, relative_errors
from ..saved import TAKEN
from ..tasks import Task, TaskComparison

LEVEL = 0.95
DIGITS = 3  # of a number on a curve
# Estimators whose curves are drawn in colour before a reader chooses: ours, and what people use.
CHOSEN = (TAKEN, "leverage-shap", "paired-kernel-shap", "antithetic-mc")


def curves(comparisons: Sequence[TaskComparison], beside: Seconds) -> dict:
    """Tasks with the curves of their estimators, as JSON holds them.

    A point of a curve is a number of evaluations, the median over explicands of the relative
    error, its 95 % limits, which are None for fewer than six explicands, and the seconds ``beside``
    the model, None where no time is on record.
    """
    tasks = [
        {
            **{"name": task.name, "label": task.label, "players": task.players},
            **{"kind": task.kind, "games": task.explicands},
            "estimators": _of_task(comparison, task, beside),
        }
        for comparison in comparisons
        for task in comparison.tasks.values()
        if task.norms is not None
    ]
    return {"tasks": tasks, "chosen": list(CHOSEN), "ours": TAKEN}


def _of_task(comparison: TaskComparison, task: Task, beside: Seconds) -> list[dict]:
    return [
        {"name": name, "label": USED.get(name, comparison.label_of(name))}
        | {"points": _points(task, name, beside)}
        for name in task.means.index.unique(0)
    ]


def _points(task: Task, name: str, beside: Seconds) -> list[list]:
    errors = relative_errors(task, name)
    return [
        [int(at), *median_with_limits(row), beside.get((task.name, task.players, int(at), name))]
        for at, row in errors.iterrows()
    ]


def median_with_limits(errors: pd.Series) -> list[float | None]:
    """Median of some numbers with limits of every distribution, from order statistics."""
    values = np.sort(errors.dropna().to_numpy())
    middle = _rounded(np.median(values))
    below = int(binom.ppf((1 - LEVEL) / 2, len(values), 0.5))
    if below == 0:
        return [middle, None, None]
    return [middle, _rounded(values[below - 1]), _rounded(values[-below])]


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
