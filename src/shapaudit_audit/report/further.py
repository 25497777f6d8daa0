"""Error of the best estimator on tasks that only some estimators ran on."""

from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from .overview import digits, rounded, shortly, with_limits
from .tasks import MARGIN, TaskComparison


class Further(NamedTuple):
    """Regret of one estimator over the complete cells of further tasks.

    Attributes
    ----------
    label : of the estimator
    estimators, tasks, cells, near : how many there are; in ``near`` cells it is within the margin
    typical, worst, low, high : median and largest regret; the limits of the latter, None where
        there are too few explicands, hold for any two estimators of all these cells together
    task, budget, best : where its regret is largest, and the label of the best estimator there
    """

    label: str
    estimators: int
    tasks: int
    cells: int
    near: int
    typical: float
    worst: float
    low: float | None
    high: float | None
    task: str
    budget: int
    best: str

    @property
    def told(self) -> str:
        """A sentence that follows the sentence on the tasks that all estimators ran on."""
        cells = _counted(self.cells, "combination")
        near = f"all {cells}" if self.near == self.cells > 1 else f"{self.near} of {cells}"
        told = (
            f"On {_counted(self.tasks, 'further task')}, on which {self.estimators} estimators "
            f"ran, the median regret of {self.label} is {shortly(self.typical)}, and its error is "
            f"within {MARGIN - 1:.0%} of the smallest in {near}"
        )
        if self.worst == 1:
            return f"{told}."
        worst = with_limits({"ratio": self.worst, "low": self.low, "high": self.high})
        kind = "" if self.low is None else ", with simultaneous limits,"
        return (
            f"{told}. Its largest regret{kind} is {worst}: {self.task}, {self.budget:,} "
            f"evaluations, where {self.best} errs least."
        )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def further(compared: TaskComparison, others: Sequence[TaskComparison]) -> Further | None:
    """Regret, in the other comparisons, of the estimator that has the least in ``compared``.

    None where it ran in none of their complete cells, or where nothing is compared.
    """
    if compared.regrets.empty or compared.regret_ranking.empty:
        return None
    name = compared.regret_ranking.index[0]
    parts = [
        comparison.completed(comparison.regrets)
        for comparison in others
        if not comparison.regrets.empty
    ]
    cells = pd.concat(parts) if parts else compared.regrets.head(0)
    own = cells[cells["a"] == name].reset_index(drop=True)
    if own.empty:
        return None
    worst = own.loc[own["ratio"].idxmax()]
    tasks = {key: task for comparison in others for key, task in comparison.tasks.items()}
    return Further(
        label=compared.label_of(name),
        estimators=cells["a"].nunique(),
        tasks=own["task"].nunique(),
        cells=len(own),
        near=int((own["ratio"] <= MARGIN).sum()),
        typical=rounded(own["ratio"].median()),
        worst=rounded(worst["ratio"]),
        low=digits(worst["low"]),
        high=digits(worst["high"]),
        task=tasks[worst["task"]].label,
        budget=int(worst["budget"]),
        best=compared.label_of(worst["b"]),
    )
