"""Evaluations that methods need for a relative error, in LaTeX."""

from shapaudit_audit.report.latex import DASH, escape, listing, number, prose, tabular
from shapaudit_audit.report.left_out import left_out
from shapaudit_audit.report.reach import HERO, TARGETS, Reach, reaches, sampled
from shapaudit_audit.report.saved import RIVALS, TAKEN
from shapaudit_audit.report.tasks import Task

from ..findings import ChenReplication

WORDS = ("ten", "five", "one")  # names of the targets, in per cent
NOWHERE = "not known here"
COMMON = "paired-kernel-shap"  # what the text compares with


def reach_table(replication: ChenReplication) -> str:
    """A row per method and, for each task and all of them together, a number per error."""
    comparisons = [replication.tasks, replication.best]
    tasks = sampled(comparisons)
    groups = [[task] for task in tasks] + ([tasks] if len(tasks) > 1 else [])
    cells = {
        (k, target, row.estimator): row
        for k, own in enumerate(groups)
        for target in TARGETS
        for row in reaches(comparisons, own, target=target)
    }
    labels = {row.estimator: _label(row) for row in cells.values()}
    body = [
        [
            label,
            *(
                _cell(cells[k, target, name]) if (k, target, name) in cells else DASH
                for k in range(len(groups))
                for target in TARGETS
            ),
        ]
        for name, label in labels.items()
    ]
    heads = ["method", *(_head(own) for own in groups)]
    spread = " & ".join([heads[0], *(rf"\multicolumn{{3}}{{c}}{{{head}}}" for head in heads[1:])])
    errors = [_percent(target) for target in TARGETS]
    text = tabular("@{}l" + "r" * 3 * len(groups) + "@{}", [["", *errors * len(groups)]], [body])
    return text.replace("\\toprule", f"\\toprule\n{spread} \\\\", 1)


def values(replication: ChenReplication) -> dict[str, str]:
    """What the text says of these numbers, and of the cells where `auto` is too slow, by key."""
    comparisons = [replication.tasks, replication.best]
    tasks = sampled(comparisons)
    texts = {"tasks": number(len(tasks)), "games": number(sum(task.explicands for task in tasks))}
    texts |= {word: _percent(target) for word, target in zip(WORDS, TARGETS, strict=True)}
    texts["target"] = _percent(HERO)
    for key, name in (("ours", TAKEN), ("common", COMMON)):
        for target in TARGETS:
            rows = reaches(comparisons, tasks, [name], target)
            texts[f"{key}.{round(100 * target)}"] = _told(rows[0]) if rows else NOWHERE
    missing = left_out(replication.tasks)
    slow = missing[(missing["estimator"] == TAKEN) & missing["reason"].str.startswith("too slow")]
    cells = sum(len(task.budgets) for task in replication.tasks.tasks.values())
    labels = {name: escape(task.label) for name, task in replication.tasks.tasks.items()}
    named = [
        f"{labels[task]}, {listing(list(map(number, own)))} evaluations"
        for task, own in slow.groupby("task", sort=False)["budget"].apply(list).items()
    ]
    texts |= {
        "cells": number(cells),
        "slow": number(len(slow)),
        "slow-cells": "; ".join(named) or "none",
    }
    return {f"reach.{key}": text for key, text in texts.items()}


def _label(row: Reach) -> str:
    label = RIVALS.get(row.estimator, row.label)
    return escape(f"{label} (ours)" if row.estimator == TAKEN else label)


def _head(tasks: list[Task]) -> str:
    return escape(tasks[0].label) if len(tasks) == 1 else "together"


def _percent(share: float) -> str:
    return rf"{100 * share:g}\,\%"


def _cell(row: Reach) -> str:
    """The median, a bound by a sign."""
    text = prose(row.told)
    return text.replace("under ", "$<$").replace("over ", "$>$")


def _told(row: Reach) -> str:
    ends = [row.in_words(value) for value in (row.low, row.high)]
    return prose(row.told if ends == [row.told] * 2 else f"{row.told} ({' to '.join(ends)})")
