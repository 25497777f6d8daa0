"""A comparison of estimators in a few numbers, as JSON holds them, and these as Markdown."""

import math
from collections.abc import Mapping

import numpy as np

from .tasks import MARGIN, Comparison

UNBOUNDED = 1e6  # a regret beyond this is over the round-off of an estimator that is exact
SHOWN = 3  # estimators of the least regret that the sentence names, beside the reference


def overview(compared: Comparison) -> dict:
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
    }


def digits(value: float) -> float | None:
    """Three significant digits; None for NaN, the limits that few pairs do not have."""
    return None if math.isnan(value) else float(f"{value:.3g}")


def best_table(found: Mapping) -> str:
    """Markdown: the best estimator of each task at its headline budget, and those as good.

    ``found`` is an `overview`. Limits hold for all ratios of the comparison together.
    """
    lines = [
        f"| {one['task']} | {one['evaluations']:,} | {one['estimator']} | {_with_limits(one)} "
        f"| {one['others']} |"
        for one in found["best"]
    ]
    head = (
        f"| Task | Evaluations | Best on a typical pair | Its error over that of "
        f"{found['reference']}, with joint limits | Others within {found['margin'] - 1:.0%} of it "
        "|\n|---|---|---|---|---|"
    )
    return "\n".join([head, *lines])


def _with_limits(found: Mapping) -> str:
    if found["low"] is None:
        return f"{found['ratio']:#.3g} (no limits)"
    return f"{found['ratio']:#.3g} ({found['low']:#.3g} to {found['high']:#.3g})"


def least_regret(found: Mapping) -> str:
    """Two sentences: whose error is least above that of the best over all tasks and budgets.

    ``found`` is an `overview`. The limits of the largest regret hold together with all others.
    """
    told = [
        f"{one['estimator']} {one['typical']:.3g}, {_worst(one)}, within the margin in "
        f"{one['near']} (significantly in {one['sure']})"
        for one in found["regret"]
    ]
    return (
        "Regret is the error on a typical pair over that of the best estimator of the same task "
        f"and budget; up to {found['margin']:g} counts as equally good. Over {found['cells']} "
        "cells of task and budget, the median, the largest with its joint limits, and the "
        f"cells within the margin: {'; '.join(told)}."
    )


def _worst(one: Mapping) -> str:
    if one["worst"] > UNBOUNDED:
        return "without bound where another one is exact"
    worst = {"ratio": one["worst"], "low": one["low"], "high": one["high"]}
    return f"at most {_with_limits(worst)}"
