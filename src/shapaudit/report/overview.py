"""A comparison of estimators in a few numbers, as JSON holds them, and these as Markdown."""

import math
from collections.abc import Mapping

from .tasks import Comparison

STEADIEST = 3  # places of the list of estimators that are near the best, ties included


def overview(compared: Comparison) -> dict:
    """Who is best over tasks and budgets, by label; all tasks have one reference."""
    label = compared.label_of
    reference = label(compared.reference)
    last = compared.choices.groupby("task", sort=False).tail(1)
    near = {label(name): int(n) for name, n in compared.near.items() if name in compared.ranking}
    return {
        "estimators": sum(map(len, compared.estimators.values())),
        "cells": len(compared.choices),
        "reference": reference,
        "near": dict(sorted(({reference: 0} | near).items())),
        "best": [
            {
                "task": compared.tasks[row.task].label,
                "evaluations": int(row.budget),
                "estimator": label(row.best),
                **{key: digits(getattr(row, key)) for key in ("ratio", "low", "high")},
                "others": len(row.others),
            }
            for row in last.itertuples()
        ],
    }


def digits(value: float) -> float | None:
    """Three significant digits; None for NaN, the limits that few pairs do not have."""
    return None if math.isnan(value) else float(f"{value:.3g}")


def best_table(found: Mapping) -> str:
    """Markdown: the smallest mean error of each task at its last budget, and its rivals.

    ``found`` is an `overview`. Limits hold for all ratios of the comparison together.
    """
    lines = [
        f"| {one['task']} | {one['evaluations']:,} | {one['estimator']} | {_with_limits(one)} "
        f"| {one['others']} |"
        for one in found["best"]
    ]
    head = (
        f"| Task | Evaluations | Smallest mean error | Over that of {found['reference']}, "
        "with joint limits | Others that may be as good |\n|---|---|---|---|---|"
    )
    return "\n".join([head, *lines])


def _with_limits(found: Mapping) -> str:
    if found["low"] is None:
        return f"{found['ratio']:#.3g} (no limits)"
    return f"{found['ratio']:#.3g} ({found['low']:#.3g} to {found['high']:#.3g})"


def steadiest(found: Mapping) -> str:
    """A sentence: who is best or not distinguished from the best most often, ties included.

    ``found`` is an `overview`.
    """
    near = sorted(found["near"].items(), key=lambda item: (-item[1], item[0]))
    least = near[min(STEADIEST, len(near)) - 1][1]
    named = [(label, n) for label, n in near if n >= least or label == found["reference"]]
    return (
        f"Best, or not distinguished from the best, in so many of {found['cells']} cells of "
        f"task and budget: {', '.join(f'{label} {n}' for label, n in named)}."
    )
