"""A comparison of estimators in a few numbers, as JSON holds them, and these as Markdown."""

import math
import sys
from collections.abc import Mapping, Sequence

import numpy as np

from .left_out import left_out
from .saved import RIVALS, TAKEN, TARGET, evaluations_saved, told
from .tasks import MARGIN, TaskComparison

UNBOUNDED = 1e6  # a regret beyond this is over the round-off of an estimator that is exact
SHOWN = 3  # estimators of the least regret that the sentence names, beside the reference


def overview(compared: TaskComparison) -> dict:
    """Who is best over tasks and budgets, by label; all tasks have one reference."""
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
            }
            for row in headlines.itertuples()
        ],
        "slow": _slow(compared),
    }


def _slow(compared: TaskComparison) -> list[dict]:
    """Cells from which no conclusion is drawn: task, evaluations, and who is too slow for them."""
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
    """Evaluations that `saved.TAKEN` takes for the errors of others, as `evaluations_saved`."""
    labels = {name: task.label for one in comparisons for name, task in one.tasks.items()}
    return {
        "taken": comparisons[0].specs.get(TAKEN, {}).get("label", TAKEN),
        "target": TARGET,
        "rows": [
            {"task": labels.get(one.task, ""), "rival": one.rival, "games": one.games}
            | {"told": told(one)}
            for one in evaluations_saved(comparisons)
        ],
    }


def saved_table(found: Mapping) -> str:
    """Markdown: evaluations to the error of others, task by task; ``found`` is of `saved`."""
    cells = {(one["task"], one["rival"]): one for one in found["rows"]}
    tasks = sorted(dict.fromkeys(one["task"] for one in found["rows"]), key=lambda name: name == "")
    heads = " | ".join(RIVALS.values())
    lines = [
        f"| Evaluations that {found['taken']} needs to reach the error, with {found['target']:,} "
        f"evaluations, of | {heads} |",
        "|---" * (len(RIVALS) + 1) + "|",
    ]
    for task in tasks:
        row = [cells.get((task, rival), {}).get("told", "–") for rival in RIVALS]
        games = next(one["games"] for one in found["rows"] if one["task"] == task)
        lines.append(f"| {task or '**all together**'} ({games} pairs) | {' | '.join(row)} |")
    return "\n".join(lines)


def slow_sentence(found: Mapping) -> str:
    """Which cells are incomplete, and who is missing; "" where none is. Of an `overview`."""
    if not found.get("slow"):
        return ""
    budgets: dict[str, list[str]] = {}
    for one in found["slow"]:
        budgets.setdefault(one["task"], []).append(f"{one['evaluations']:,}")
    cells = [f"{task} at {' and '.join(own)}" for task, own in budgets.items()]
    names = dict.fromkeys(name for one in found["slow"] for name in one["estimators"])
    return (
        f"No conclusion is drawn from {'; '.join(cells)} evaluations, because some estimators are "
        f"too slow there for this study: {', '.join(names)}."
    )


def digits(value: float) -> float | None:
    """Three significant digits, finite; None for NaN, the limits that few pairs do not have."""
    return None if math.isnan(value) else rounded(value)


def rounded(value: float) -> float:
    """A number to three significant digits; the largest float in the place of infinity."""
    return min(float(f"{value:.3g}"), sys.float_info.max)


def best_table(found: Mapping) -> str:
    """Markdown: the best estimator of each task at its headline budget, and those as good.

    ``found`` is an `overview`. Limits hold for all ratios of the comparison together.
    """
    lines = [
        f"| {one['task']} | {one['evaluations']:,} | {one['estimator']} | {with_limits(one)} "
        f"| {one['others']} |"
        for one in found["best"]
    ]
    head = (
        f"| Task | Evaluations | Best estimator | Error relative to {found['reference']} (95 % "
        f"simultaneous limits) | Others within {100 * (found['margin'] - 1):.0f} % of it |\n"
        "|---|---|---|---|---|"
    )
    return "\n".join([head, *lines])


def with_limits(found: Mapping) -> str:
    """A ratio with its limits in brackets, or that it has none; ``found`` has ratio, low, high."""
    if found["low"] is None or (found["low"] == 0 and found["high"] > UNBOUNDED):
        return f"{found['ratio']:#.3g} (no limits)"
    if found["high"] > UNBOUNDED:
        return f"{found['ratio']:#.3g} (no upper limit)"
    return f"{found['ratio']:#.3g} ({found['low']:#.3g} to {found['high']:#.3g})"


def least_regret(found: Mapping) -> str:
    """Whose error is least above that of the best over all tasks and budgets, as a list.

    ``found`` is an `overview`. The limits of the largest regret hold together with all others.
    """
    told = [
        f"{one['estimator']}: median {one['typical']:.3g}, {_worst(one)}; within the margin in "
        f"{one['near']} combinations (significantly in {one['sure']})"
        for one in found["regret"]
    ]
    bullets = "\n".join(f"- {one}" for one in told)
    return (
        "Regret is the error on a typical pair divided by that of the best estimator for the same "
        f"task and budget; up to {found['margin']:g} counts as equally good. Over {found['cells']} "
        "combinations of task and budget, with simultaneous limits of the largest regret:\n\n"
        f"{bullets}"
    )


def _worst(one: Mapping) -> str:
    if one["worst"] > UNBOUNDED:
        return "unbounded where another estimator is exact"
    worst = {"ratio": one["worst"], "low": one["low"], "high": one["high"]}
    return f"at most {with_limits(worst)}"
