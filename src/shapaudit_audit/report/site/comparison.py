"""Contents of the page on estimators: their cards, and the best of each task and budget."""

from collections.abc import Sequence

import pandas as pd

from shapaudit.estimators import Card, create

from ...study.blocks.runs import EstimatorBlock
from ..left_out import left_out
from ..tasks import Task, TaskComparison
from .text import number, ratio


def tasks(compared: TaskComparison) -> list[dict]:
    """Tasks with their budgets."""
    return [
        {
            "name": task.name,
            "label": task.label,
            "players": task.players,
            "explicands": task.explicands,
            "active": number(task.active),
            "headline": task.headline,
            "budgets": [{"value": budget, "shown": number(budget)} for budget in task.budgets],
        }
        for task in compared.tasks.values()
    ]


def estimators(comparisons: Sequence[TaskComparison]) -> list[dict]:
    """Estimators with their cards, each once, those of a family together."""
    rows = {
        name: {"name": name, "label": comparison.label_of(name), "family": family}
        | {"card": card_of(comparison.specs[name])}
        for comparison in comparisons
        for family, names in comparison.estimators.items()
        for name in names
    }
    families = list(dict.fromkeys(row["family"] for row in rows.values()))
    return sorted(rows.values(), key=lambda row: families.index(row["family"]))


def card_of(spec: EstimatorBlock) -> Card | None:
    """Card of an estimator, given with its block of the configuration."""
    return create(spec.estimator, spec.params).card


def choices(compared: TaskComparison) -> list[dict]:
    """The best estimator of each task and budget, and those within the margin of it.

    Where some estimators are exact on all explicands, these are the best; where all are exact, the
    row says so. Estimators that did not run are named with the reason.
    """
    cells = {(row.task, row.budget): row for row in compared.choices.itertuples()}
    missing = dict(list(left_out(compared).groupby(["task", "budget"])))
    rows = []
    for task in compared.tasks.values():
        for budget in task.budgets:
            row = {"task": task.label, "budget": number(budget), "ratio": "–", "others": []}
            choice = cells.get((task.name, budget))
            if names := task.exact(budget):
                row |= _exact_choice(compared, names, task.units(budget).shape[1])
            elif choice is not None:
                row |= {
                    "best": compared.label_of(choice.best),
                    "ratio": ratio(float(choice.ratio)),
                }
                row["others"] = [compared.label_of(name) for name in choice.others]
            else:
                row |= _alone(compared, task, budget)
            absent = missing.get((task.name, budget))
            row["absent"] = [] if absent is None else _absent(compared, absent)
            rows.append(row)
    return rows


def _absent(compared: TaskComparison, missing: pd.DataFrame) -> list[str]:
    """The estimators that did not run in a cell, each with the reason."""
    return [f"{compared.label_of(row.estimator)} ({row.reason})" for row in missing.itertuples()]


def _exact_choice(compared: TaskComparison, names: Sequence[str], erring: int) -> dict:
    """Cells of a row where these estimators are exact, and ``erring`` others are not."""
    labels = [compared.label_of(name) for name in names]
    if not erring:
        return {"best": "all estimators are exact", "others": labels}
    return {"best": f"{labels[0]} (exact)", "ratio": "0", "others": labels[1:]}


def _alone(compared: TaskComparison, task: Task, budget: int) -> dict:
    """Cells of a row where only the reference ran, or where it did not run."""
    label = compared.label_of(task.reference)
    if task.reference in task.units(budget):
        return {"best": label, "ratio": "1"}
    return {"best": f"no comparison: {label} needs more evaluations"}


def reference(compared: TaskComparison) -> str:
    """The estimator in the denominators of the ratios, in words."""
    labels = {task.label: compared.label_of(task.reference) for task in compared.tasks.values()}
    if len(set(labels.values())) == 1:
        return next(iter(labels.values()))
    places = (f"{label} on {task}" for task, label in labels.items())
    return f"the reference of its task ({'; '.join(places)})"
