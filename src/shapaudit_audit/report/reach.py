"""Evaluations with which estimators reach a relative error: the median over games, and limits.

A game is one pair of explicand and baseline. Its relative error is the norm of the difference from
its Shapley values over the norm of these, so that games of several models can be taken together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from shapaudit.statistics.regret import evaluations_to_reach

from .advice import TREE
from .saved import limits_over_games
from .tasks import Task, TaskComparison

TARGETS = (0.1, 0.05, 0.01)  # relative errors
HERO = 0.05  # the one of the figure that README, report and site show
# Those of the figure: what people use today, and the best of each family that is newer.
SHOWN = (
    *("auto", "odd-fourier", "leverage-shap", "proxy-trees", "regression-adjusted"),
    *("paired-kernel-shap", "outer-sizes", "antithetic-mc"),
)
# Estimators that sample as a function of another package does, under the name that people know.
USED = {
    "outer-sizes": "KernelExplainer of shap",
    "antithetic-mc": "PermutationExplainer of shap",
}


@dataclass(frozen=True)
class Reach:
    """Evaluations with which an estimator reaches a relative error.

    Attributes
    ----------
    estimator, label : its name in the study, and how people call it
    target : relative error
    games : number of games
    median, low, high : over the games, and 95 % limits of the median, from a bootstrap over games
        that is stratified by task; infinite where the error is not reached
    least : smallest budget, where some games have a smaller error already: a number up to it is a
        bound from above; 0 where there are none
    most : largest budget at which it ran on all tasks
    """

    estimator: str
    label: str
    target: float
    games: int
    median: float
    low: float
    high: float
    least: int
    most: int

    @property
    def told(self) -> str:
        """The median in words: "under 25" and "over 2,000" are bounds."""
        return self.in_words(self.median)

    def in_words(self, value: float) -> str:
        """The median or a limit as text."""
        if np.isinf(value):
            return f"over {self.most:,}"
        return f"under {self.least:,}" if value <= self.least else f"{value:,.0f}"


def sampled(comparisons: Sequence[TaskComparison]) -> list[Task]:
    """Tasks that need sampling: of models other than trees, and with norms of their values."""
    return [
        task
        for comparison in comparisons
        for task in comparison.tasks.values()
        if task.kind != TREE and task.norms is not None
    ]


def reaches(
    comparisons: Sequence[TaskComparison],
    tasks: Sequence[Task],
    estimators: Sequence[str] = SHOWN,
    target: float = HERO,
    seed: int = 0,
) -> list[Reach]:
    """Of estimators that ran on all games of some tasks, those with fewest evaluations first.

    An estimator counts up to the largest budget that it ran at on each task.
    """
    found = []
    for name in estimators:
        if not tasks or not all(_everywhere(task, name) for task in tasks):
            continue
        counts = {task.name: np.fromiter(_each(task, name, target), float) for task in tasks}
        bounds = [min(budgets_of(task, name)) for task in tasks]
        early = [b for b, of in zip(bounds, counts.values(), strict=True) if min(of) <= b]
        found.append(
            Reach(
                *(name, USED.get(name) or comparisons[0].label_of(name), target),
                sum(map(len, counts.values())),
                *limits_over_games(counts, "evaluations to an error", seed),
                least=max(early, default=0),
                most=min(max(budgets_of(task, name)) for task in tasks),
            )
        )
    return sorted(found, key=lambda one: (one.median, one.high))


def budgets_of(task: Task, estimator: str) -> list[int]:
    """Budgets at which an estimator ran on a task."""
    return [int(budget) for budget in task.means.loc[estimator].dropna(how="all").index]


def relative_errors(task: Task, estimator: str) -> pd.DataFrame:
    """Relative errors, budgets by games, of an estimator.

    Raises ValueError for a task without norms.
    """
    if task.norms is None:
        raise ValueError(f"the norms of the Shapley values of task {task.name!r} are not known.")
    errors = task.means.loc[estimator].sort_index().dropna(how="all")
    return errors / task.norms.loc[errors.columns]


def _everywhere(task: Task, estimator: str) -> bool:
    """Whether an estimator ran on every game of a task, at each budget at which it ran at all."""
    if estimator not in task.means.index.unique(0):
        return False
    return bool(task.means.loc[estimator].dropna(how="all").notna().all(axis=None))


def _each(task: Task, estimator: str, target: float) -> Iterator[float]:
    errors = relative_errors(task, estimator)
    budgets = errors.index.to_numpy()
    for game in errors:
        number, bound = evaluations_to_reach(target, budgets, errors[game].to_numpy())
        yield np.inf if bound == "more than" else number
