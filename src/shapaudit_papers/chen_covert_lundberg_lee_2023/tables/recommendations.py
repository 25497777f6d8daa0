"""What the report's recommendations say of the tasks, by key."""

from collections.abc import Mapping, Sequence

import pandas as pd

from shapaudit_audit.report.latex import NOT_RUN, escape, listing, number, ratio_with_limits
from shapaudit_audit.report.situation_table import steady
from shapaudit_audit.report.tasks import TaskComparison

from .values import TASKS

SHOWN = 4  # estimators named beside the best one
PARTS = ("budget", "per-player", "best", "ratio", "near")


def values(compared: TaskComparison) -> dict[str, str]:
    """Text of each value by key; of tasks that did not run, words that say so.

    Keys begin with ``recommend.``.
    """
    texts = {**_steady(compared, "few"), **_steady(compared, "many")}
    for name in TASKS:
        cells = _cells(compared, [name])
        ends = {"first": cells.head(1), "last": compared.at_headline(cells)}
        for which, rows in ends.items():
            told = _cell_values(compared, rows.iloc[0]) if len(rows) else {}
            texts |= {f"{name}.{which}.{part}": told.get(part, NOT_RUN) for part in PARTS}
    return {f"recommend.{key}": text for key, text in texts.items()}


def _cells(compared: TaskComparison, tasks: Sequence[str]) -> pd.DataFrame:
    cells = compared.completed(compared.choices)
    return cells[cells["task"].isin(tasks)]


def _steady(compared: TaskComparison, key: str) -> dict[str, str]:
    """Who is within the margin of the best in most complete cells, and in how many."""
    steadiest = steady(compared, few=key == "few")
    sizes = steadiest.players
    span = NOT_RUN if not sizes else number(sizes[0])
    if len(set(sizes)) > 1:
        span = f"{span} to {number(sizes[-1])}"
    return {
        f"{key}.told": escape(steadiest.told) if steadiest.labels else NOT_RUN,
        f"{key}.players": span,
        f"{key}.steady": escape(listing(steadiest.labels, NOT_RUN)),
    }


def _cell_values(compared: TaskComparison, row: Mapping) -> dict[str, str]:
    budget, others = int(row["budget"]), row["others"]
    near = [compared.label_of(name) for name in others[:SHOWN]]
    if len(others) > SHOWN:
        near.append(f"{len(others) - SHOWN} more")
    return {
        "budget": number(budget),
        "per-player": number(float(budget / compared.tasks[row["task"]].players), 2),
        "best": escape(compared.label_of(row["best"])),
        "ratio": " ".join(ratio_with_limits(row["ratio"], row["low"], row["high"])),
        "near": escape(listing(near)),
    }
