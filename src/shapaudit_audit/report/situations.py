"""Regrets of estimators by situation: game, number of players, budget; of several comparisons."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from .left_out import left_out
from .tasks import Task, TaskComparison

LEAST_SHARE = 0.5  # of the cells, of an estimator that has a row


@dataclass(frozen=True, eq=False)
class Situations:
    """Some comparisons side by side; their tasks have different names."""

    comparisons: Sequence[TaskComparison]

    @cached_property
    def columns(self) -> list[tuple[str, int]]:
        """Tasks by name with their budgets, in the order of their players."""
        tasks = [task for comparison in self.comparisons for task in comparison.tasks.values()]
        tasks.sort(key=lambda task: task.players)
        return [(task.name, budget) for task in tasks for budget in task.budgets]

    @cached_property
    def labels(self) -> dict[str, str]:
        """Labels of the tasks."""
        return {
            name: task.label
            for comparison in self.comparisons
            for name, task in comparison.tasks.items()
        }

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Regrets with their limits: columns task, budget, estimator, ratio, low, high.

        The limits hold together for all cells of a comparison.
        """
        parts = [
            comparison.regrets.rename(columns={"a": "estimator"}) for comparison in self.comparisons
        ]
        kept = ["task", "budget", "estimator", "ratio", "low", "high"]
        return pd.concat(parts, ignore_index=True)[kept]

    @cached_property
    def missing(self) -> pd.DataFrame:
        """Estimators that did not run, and why; the columns are those of `left_out`."""
        return pd.concat(
            [left_out(comparison) for comparison in self.comparisons], ignore_index=True
        )

    @cached_property
    def ran(self) -> set[tuple[str, str, int]]:
        """Estimator, task and budget, where an estimator ran."""
        return self._where(Task.errors)

    @cached_property
    def exact(self) -> set[tuple[str, str, int]]:
        """Estimator, task and budget, where an estimator has no error on any explicand."""
        return self._where(Task.exact)

    def _where(self, named: Callable[[Task, int], Iterable[str]]) -> set[tuple[str, str, int]]:
        """Estimator, task and budget, for all estimators that ``named`` gives of the latter."""
        return {
            (estimator, task, budget)
            for task, budget in self.columns
            for estimator in named(self.task(task), budget)
        }

    @cached_property
    def table(self) -> pd.DataFrame:
        """Regrets by estimator and (task, budget), NaN where it did not run; least median first.

        Of the estimators that ran in half of the cells or more where anything is compared; medians
        are over complete cells.
        """
        wide = self.cells.pivot(index="estimator", columns=["task", "budget"], values="ratio")
        wide = wide.reindex(columns=pd.MultiIndex.from_tuples(self.columns)).astype(float)
        wide = wide[wide.loc[:, wide.notna().any()].notna().mean(axis=1) >= LEAST_SHARE]
        complete = [self.complete(*place) for place in self.columns]
        order = wide.loc[:, complete].median(axis=1).sort_values(kind="stable").index
        return wide.loc[order]

    def complete(self, task: str, budget: int) -> bool:
        """Whether every estimator of a task also runs at this budget; see `Task.complete`."""
        return self.task(task).complete(budget)

    def task(self, name: str) -> Task:
        """A task by its name."""
        return next(
            comparison.tasks[name] for comparison in self.comparisons if name in comparison.tasks
        )

    def label_of(self, estimator: str) -> str:
        """Label of an estimator."""
        return self.comparisons[0].label_of(estimator)
