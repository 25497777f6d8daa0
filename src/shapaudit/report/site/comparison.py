"""What the page says of estimators: their cards, their errors beside each other, which to take."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from ...estimators import create
from ..left_out import left_out
from ..tasks import Comparison, Task
from .text import number

SPAN = 10.0  # ratios are drawn from 1 / SPAN to SPAN


def _place(ratio: float) -> float:
    """Per cent of the width of the axis at which a ratio stands."""
    return float(np.clip(50 + 50 * np.log(ratio) / np.log(SPAN), 0, 100))


def tasks(compared: Comparison) -> list[dict]:
    """Tasks with their budgets."""
    return [
        {
            "name": task.name,
            "label": task.label,
            "pairs": task.pairs,
            "active": number(task.active),
            "budgets": [{"value": budget, "shown": number(budget)} for budget in task.budgets],
        }
        for task in compared.tasks.values()
    ]


def estimators(compared: Comparison) -> list[dict]:
    """Estimators with their cards."""
    return [
        {"name": name, "label": compared.label_of(name), "family": family, "card": _card(spec)}
        for family, names in compared.estimators.items()
        for name in names
        for spec in [compared.specs[name]]
    ]


def _card(spec: Mapping):
    return create(spec["estimator"], spec.get("params")).card


def exact(task: Task, budget: int) -> list[str]:
    """Estimators that err on no pair of a task at a budget; they have no ratios."""
    names = task.means.xs(budget, level="budget").index
    return [name for name in names if name not in task.units(budget)]


def ratios(compared: Comparison) -> list[dict]:
    """Errors over that of the reference on a typical pair, by task, budget and estimator.

    After those of a task and budget come the estimators that have no ratio there, with the reason.
    """
    known = {one["name"]: one for one in estimators(compared)}
    rows = []
    for row in compared.ratios.itertuples():
        low, high = (None if np.isnan(end) else float(end) for end in (row.low, row.high))
        ends = [row.ratio if end is None else end for end in (low, high)]
        rows.append(
            {
                **_named(known[row.a], row.task, row.budget),
                "ratio": float(row.ratio),
                "shown": number(float(row.ratio)),
                "limits": "–" if low is None else f"{number(low)} to {number(high)}",
                "verdict": _verdict(low, high),
                "at": _place(row.ratio),
                "from": _place(ends[0]),
                "to": _place(ends[1]),
            }
        )
    rows += [row for task in compared.tasks.values() for row in _without_ratio(task, known)]
    return sorted(rows, key=lambda row: (row["task"], row["budget"], row["ratio"]))


def _named(one: Mapping, task: str, budget: int) -> dict:
    """What a row says of its estimator, one of `estimators`."""
    definition = one["card"].definition if one["card"] else ""
    same = {"label": one["label"], "family": one["family"], "definition": definition}
    return {"task": task, "budget": int(budget), **same}


def _without_ratio(task: Task, known: Mapping[str, dict]) -> list[dict]:
    """Rows of the estimators without error, and of all others where the reference has none."""
    rows = []
    for budget in task.budgets:
        exact_ones = exact(task, budget)
        for name in exact_ones:
            rows.append(_remark(known[name], task, budget, -1.0, "exact", "no error on any pair"))
        if task.reference in exact_ones:
            for name in task.units(budget):
                reason = "errs where what it is compared with does not"
                rows.append(_remark(known[name], task, budget, np.inf, "–", reason))
    return rows


def _remark(one: Mapping, task: Task, budget: int, place: float, shown: str, text: str) -> dict:
    return {
        **_named(one, task.name, budget),
        "ratio": place,
        "shown": shown,
        "limits": text,
        "verdict": "better" if shown == "exact" else "worse",
        "at": None,
    }


def _verdict(low: float | None, high: float | None) -> str:
    if low is None:
        return "open"
    return "better" if high < 1 else "worse" if low > 1 else "open"


def choices(compared: Comparison) -> list[dict]:
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


def _absent(compared: Comparison, missing: pd.DataFrame) -> list[str]:
    """Who did not run in a cell, each with the reason."""
    return [f"{compared.label_of(row.estimator)} ({row.reason})" for row in missing.itertuples()]


def _exact_choice(compared: Comparison, names: Sequence[str], erring: int) -> dict:
    """What a row says where these estimators err on no pair and some others do."""
    labels = [compared.label_of(name) for name in names]
    if not erring:
        return {"best": "all estimators are exact here", "others": labels}
    return {"best": f"{labels[0]} (exact)", "ratio": "0", "others": labels[1:]}


def _alone(compared: Comparison, task: Task, budget: int) -> dict:
    """What a row says where nothing ran beside the reference, or this did not run."""
    label = compared.label_of(task.reference)
    if task.reference in task.units(budget):
        return {"best": label, "ratio": "1"}
    return {"best": f"not compared: {label} needs more evaluations"}


def reference(compared: Comparison) -> str:
    """What ratios are over, in words."""
    labels = {task.label: compared.label_of(task.reference) for task in compared.tasks.values()}
    if len(set(labels.values())) == 1:
        return next(iter(labels.values()))
    places = (f"{label} on {task}" for task, label in labels.items())
    return f"the reference of its task ({'; '.join(places)})"
