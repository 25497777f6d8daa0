"""What the page says of estimators: their cards, their errors beside each other, which to take."""

from collections.abc import Mapping, Sequence

import pandas as pd

from shapaudit.estimators import Card, create

from ..left_out import left_out
from ..tasks import Task, TaskComparison
from .text import number


def tasks(compared: TaskComparison) -> list[dict]:
    """Tasks with their budgets."""
    return [
        {
            "name": task.name,
            "label": task.label,
            "pairs": task.pairs,
            "active": number(task.active),
            "headline": task.headline,
            "budgets": [{"value": budget, "shown": number(budget)} for budget in task.budgets],
        }
        for task in compared.tasks.values()
    ]


def estimators(comparisons: Sequence[TaskComparison]) -> list[dict]:
    """Estimators with their cards, each once, those of a family together."""
    found = {
        name: {"name": name, "label": one.label_of(name), "family": family}
        | {"card": card_of(one.specs[name])}
        for one in comparisons
        for family, names in one.estimators.items()
        for name in names
    }
    families = list(dict.fromkeys(one["family"] for one in found.values()))
    return sorted(found.values(), key=lambda one: families.index(one["family"]))


def card_of(spec: Mapping) -> Card | None:
    """Card of an estimator, given with its block of the configuration."""
    return create(spec["estimator"], spec.get("params")).card


def exact(task: Task, budget: int) -> list[str]:
    """Estimators that err on no pair of a task at a budget; they have no ratios."""
    names = task.means.xs(budget, level="budget").index
    return [name for name in names if name not in task.units(budget)]


def choices(compared: TaskComparison) -> list[dict]:
    """The best estimator of each task and budget, and those within the margin of it.

    Where some estimators err on no pair, these are the best; where all are, the row says so. Who
    did not run there is named with the reason.
    """
    cells = {(row.task, row.budget): row for row in compared.choices.itertuples()}
    missing = dict(list(left_out(compared).groupby(["task", "budget"])))
    rows = []
    for task in compared.tasks.values():
        for budget in task.budgets:
            row = {"task": task.label, "budget": number(budget), "ratio": "–", "others": []}
            found = cells.get((task.name, budget))
            if names := exact(task, budget):
                row |= _exact_choice(compared, names, task.units(budget).shape[1])
            elif found is not None:
                row |= {"best": compared.label_of(found.best), "ratio": number(float(found.ratio))}
                row["others"] = [compared.label_of(name) for name in found.others]
            else:
                row |= _alone(compared, task, budget)
            absent = missing.get((task.name, budget))
            row["absent"] = [] if absent is None else _absent(compared, absent)
            rows.append(row)
    return rows


def _absent(compared: TaskComparison, missing: pd.DataFrame) -> list[str]:
    """Who did not run in a cell, each with the reason."""
    return [f"{compared.label_of(row.estimator)} ({row.reason})" for row in missing.itertuples()]


def _exact_choice(compared: TaskComparison, names: Sequence[str], erring: int) -> dict:
    """What a row says where these estimators err on no pair and some others do."""
    labels = [compared.label_of(name) for name in names]
    if not erring:
        return {"best": "all estimators are exact", "others": labels}
    return {"best": f"{labels[0]} (exact)", "ratio": "0", "others": labels[1:]}


def _alone(compared: TaskComparison, task: Task, budget: int) -> dict:
    """What a row says where nothing ran beside the reference, or this did not run."""
    label = compared.label_of(task.reference)
    if task.reference in task.units(budget):
        return {"best": label, "ratio": "1"}
    return {"best": f"no comparison: {label} needs more evaluations"}


def reference(compared: TaskComparison) -> str:
    """What ratios are over, in words."""
    labels = {task.label: compared.label_of(task.reference) for task in compared.tasks.values()}
    if len(set(labels.values())) == 1:
        return next(iter(labels.values()))
    places = (f"{label} on {task}" for task, label in labels.items())
    return f"the reference of its task ({'; '.join(places)})"
