"""Estimators that did not run in a cell of a comparison, each with the reason."""

import pandas as pd

from shapaudit.estimators import BudgetTooSmall, create

from .tasks import Task, TaskComparison

COLUMNS = ["task", "budget", "estimator", "reason"]


def left_out(compared: TaskComparison) -> pd.DataFrame:
    """The estimators of the comparison that did not run, for every task and budget.

    Columns: task, budget, estimator, reason. An estimator did not run where it takes too long,
    where it refuses the number of players or the budget, or where the study leaves it out.
    """
    everyone = [name for names in compared.estimators.values() for name in names]
    rows = [
        (task.name, budget, name, _reason(compared, task, budget, name))
        for task in compared.tasks.values()
        for budget in task.budgets
        for ran in [task.errors(budget).columns]
        for name in everyone
        if name not in ran
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _reason(compared: TaskComparison, task: Task, budget: int, name: str) -> str:
    spec = compared.specs[name]
    estimator = create(spec.estimator, spec.params)
    try:
        estimator.check_budget(task.players, budget)
    except BudgetTooSmall:
        return f"needs {estimator.minimum_budget(task.players):,} evaluations"
    except ValueError as error:
        told = str(error).removeprefix(f"{estimator.id}: ")
        return told.partition(";")[0]
    if budget > task.most.get(name, budget):
        most = task.most[name]
        return f"too slow beyond {most:,} evaluations" if most else "too slow"
    return "not in this study"
