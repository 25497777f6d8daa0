"""A comparison of estimators in a few numbers that JSON can hold, and these numbers as Markdown."""

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .left_out import left_out
from .ratios import LEAST, MOST, bounded
from .reach import HERO, TARGETS, Reach, reaches, sampled
from .saved import RIVALS, TAKEN, TARGET, TOGETHER, evaluations_saved, told
from .tasks import MARGIN, TaskComparison

UNBOUNDED = 1e6  # a larger regret is relative to the rounding error of an exact estimator
SHOWN = 3  # estimators of the least regret that are listed, beside the reference


def overview(compared: TaskComparison) -> dict:
    """The best estimators over tasks and budgets, by label.

    Raises ValueError where the tasks have several references.
    """
    label = compared.label_of
    reference = label(compared.reference)
    headlines = compared.at_headline(compared.choices)
    ranked = compared.regret_ranking
    named = ranked[(np.arange(len(ranked)) < SHOWN) | (ranked.index == compared.reference)]
    return {
        "estimators": sum(map(len, compared.estimators.values())),
        "cells": len(compared.completed(compared.choices)),
        "reference": reference,
        "margin": MARGIN,
        "regret": [
            {
                "estimator": label(name),
                **{key: digits(row[key]) for key in ("typical", "worst", "low", "high")},
                **{key: int(row[key]) for key in ("near", "sure")},
            }
            for name, row in named.iterrows()
        ],
        "best": [
            {
                "task": compared.tasks[row.task].label,
                "evaluations": int(row.budget),
                "estimator": label(row.best),
                **{key: digits(getattr(row, key)) for key in ("ratio", "low", "high")},
                "others": len(row.others),
                **({"exact": True} if row.best in _exact(compared, row) else {}),
            }
            for row in headlines.itertuples()
        ],
        "slow": _slow(compared),
    }


def _exact(compared: TaskComparison, cell: Any) -> list[str]:
    """The estimators that are exact at the task and budget of a row of `choices`."""
    return compared.tasks[cell.task].exact(cell.budget)


def _slow(compared: TaskComparison) -> list[dict]:
    """Incomplete cells: task, evaluations, and the estimators that are too slow there."""
    missing = left_out(compared)
    cells = missing[missing["reason"].str.startswith("too slow beyond")]
    return [
        {
            "task": compared.tasks[task].label,
            "evaluations": int(budget),
            "estimators": [compared.label_of(name) for name in own["estimator"]],
        }
        for (task, budget), own in cells.groupby(["task", "budget"], sort=False)
    ]


def saved(comparisons: Sequence[TaskComparison]) -> dict:
    """Evaluations that `TAKEN` needs to reach the errors of others; see `evaluations_saved`."""
    labels = {
        name: task.label for comparison in comparisons for name, task in comparison.tasks.items()
    }
    return {
        "taken": comparisons[0].label_of(TAKEN),
        "target": TARGET,
        "rows": [
            {"task": labels.get(row.task, TOGETHER), "rival": row.rival, "games": row.games}
            | {"told": told(row)}
            for row in evaluations_saved(comparisons)
        ],
    }


def reached(comparisons: Sequence[TaskComparison]) -> dict:
    """Evaluations for each of `TARGETS` on the tasks that need sampling; see `reaches`."""
    tasks = sampled(comparisons)
    return {
        "tasks": [task.label for task in tasks],
        "rows": [
            {"estimator": row.estimator, "label": row.label, "target": row.target}
            | {"games": row.games, "told": _between(row)}
            for target in TARGETS
            for row in reaches(comparisons, tasks, target=target)
        ],
    }


def _between(row: Reach) -> str:
    """The median with its limits; the median alone where all three are the same bound."""
    middle, low, high = (row.in_words(value) for value in (row.median, row.low, row.high))
    return middle if middle == low == high else f"{middle} ({low} to {high})"


def reached_table(record: Mapping) -> str:
    """Markdown: evaluations for an error, method by method; ``record`` is that of `reached`."""
    cells = {(row["label"], row["target"]): row["told"] for row in record["rows"]}
    labels = [row["label"] for row in record["rows"] if row["target"] == HERO]
    games, tasks = record["rows"][0]["games"], record["tasks"]
    heads = " | ".join(f"error of {target:.0%}" for target in TARGETS)
    head = f"| Evaluations for an | {heads} |\n{'|---' * (len(TARGETS) + 1)}|"
    lines = [
        f"| {label} | {' | '.join(cells[label, target] for target in TARGETS)} |"
        for label in labels
    ]
    note = (
        f"Medians over {games} rows of {len(tasks)} models that are not trees "
        f"({'; '.join(tasks)}), with 95 % limits; the error is relative to the norm of the "
        "Shapley values. “Under” and “over” name the smallest and the largest budget tried."
    )
    return "\n".join([head, *lines, "", note])


def saved_table(record: Mapping) -> str:
    """Markdown: evaluations to the error of others, task by task; ``record`` is that of `saved`."""
    cells = {(row["task"], row["rival"]): row for row in record["rows"]}
    totals = ("", TOGETHER)  # of a record with a total of all tasks, and of models other than trees
    tasks = sorted(
        dict.fromkeys(row["task"] for row in record["rows"]), key=lambda name: name in totals
    )
    heads = " | ".join(RIVALS.values())
    lines = [
        f"| Evaluations that {record['taken']} needs to reach the error, with {record['target']:,} "
        f"evaluations, of | {heads} |",
        "|---" * (len(RIVALS) + 1) + "|",
    ]
    for task in tasks:
        row = [cells.get((task, rival), {}).get("told", "–") for rival in RIVALS]
        games = next(row["games"] for row in record["rows"] if row["task"] == task)
        name = f"**{task or 'all together'}**" if task in totals else task
        lines.append(f"| {name} ({games} explicands) | {' | '.join(row)} |")
    return "\n".join(lines)


def slow_sentence(record: Mapping) -> str:
    """A sentence on incomplete cells and the estimators that they lack, "" where all are complete.

    ``record`` is an `overview`.
    """
    if not record.get("slow"):
        return ""
    budgets: dict[str, list[str]] = {}
    for cell in record["slow"]:
        budgets.setdefault(cell["task"], []).append(f"{cell['evaluations']:,}")
    cells = [f"{task} at {' and '.join(own)}" for task, own in budgets.items()]
    names = dict.fromkeys(name for cell in record["slow"] for name in cell["estimators"])
    return (
        f"No conclusion is drawn from {'; '.join(cells)} evaluations, because some estimators are "
        f"too slow there for this study: {', '.join(names)}."
    )


def digits(value: float) -> float | None:
    """`rounded`; None for NaN, which stands for the missing limits of few explicands."""
    return None if math.isnan(value) else rounded(value)


def rounded(value: float) -> float:
    """A number to three significant digits; the largest float in the place of infinity."""
    return min(float(f"{value:.3g}"), sys.float_info.max)


def best_table(record: Mapping) -> str:
    """Markdown: the best estimator of each task at its headline budget, and how many are as good.

    ``record`` is an `overview`. Limits hold for all ratios of the comparison together.
    """
    lines = [
        f"| {best['task']} | {best['evaluations']:,} | {_named(best)} | {with_limits(best)} "
        f"| {best['others']} |"
        for best in record["best"]
    ]
    head = (
        f"| Task | Evaluations | Best estimator | Error relative to {record['reference']} (95 % "
        f"simultaneous limits) | Others within {100 * (record['margin'] - 1):.0f} % of it |\n"
        "|---|---|---|---|---|"
    )
    return "\n".join([head, *lines])


def _named(best: Mapping) -> str:
    return f"{best['estimator']} (exact)" if best.get("exact") else best["estimator"]


def with_limits(row: Mapping) -> str:
    """A ratio with its limits in brackets, or a remark that it has none.

    ``row`` has the keys ratio, low and high; the last two may be None.
    """
    told, low, high = _ratio(row["ratio"]), row["low"], row["high"]
    if low is None or (low == 0 and high > UNBOUNDED):
        return f"{told} (no limits)"
    if high > UNBOUNDED:
        return f"{told} (no upper limit)"
    return told if high < LEAST or low > MOST else f"{told} ({_ratio(low)} to {_ratio(high)})"


def _ratio(value: float) -> str:
    return bounded(value, "{:#.3g}".format)


def shortly(regret: float) -> str:
    """A regret with up to three digits, as `bounded`."""
    return bounded(regret, "{:.3g}".format)


def least_regret(record: Mapping) -> str:
    """The estimators of the least regret over all tasks and budgets, as a list in Markdown.

    ``record`` is an `overview`. The limits of the largest regret hold together with all others.
    """
    told = [
        f"{row['estimator']}: median {shortly(row['typical'])}, {_worst(row)}; within the margin "
        f"in {row['near']} combination{'s' * (row['near'] != 1)} (significantly in {row['sure']})"
        for row in record["regret"]
    ]
    bullets = "\n".join(f"- {bullet}" for bullet in told)
    return (
        "Regret is the error on a typical explicand divided by that of the best estimator for the "
        f"same task and budget; up to {record['margin']:g} counts as equally good. Over "
        f"{record['cells']} combinations of task and budget, with simultaneous limits of the "
        "largest regret:\n\n"
        f"{bullets}"
    )


def _worst(row: Mapping) -> str:
    if row["worst"] > UNBOUNDED:
        return "unbounded where another estimator is exact"
    worst = {"ratio": row["worst"], "low": row["low"], "high": row["high"]}
    return f"at most {with_limits(worst)}"
