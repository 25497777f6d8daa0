"""What the report's recommendations say of the benchmark, by key."""

from collections.abc import Mapping, Sequence

import pandas as pd

from shapaudit.papers.grah_thouvenot_2020.prose import NOT_RUN
from shapaudit.report.latex import escape, number, ratio_with_limits

from ..findings import Benchmark
from .values import TASKS

FEW = 20  # players up to which all coalitions may be enumerated
SHOWN = 4  # estimators named beside the best one
PARTS = ("budget", "per-player", "best", "ratio", "near")


def values(benchmark: Benchmark) -> dict[str, str]:
    """Text of each value by key; of tasks that did not run, words that say so.

    Keys begin with ``recommend.``.
    """
    tasks = benchmark.tasks.values()
    few = [task.name for task in tasks if task.players <= FEW]
    many = [task.name for task in tasks if task.players > FEW]
    found = {**_steady(benchmark, few, "few"), **_steady(benchmark, many, "many")}
    for name in TASKS:
        cells = _cells(benchmark, [name])
        for which, row in (("first", 0), ("last", -1)):
            told = _cell_values(benchmark, cells.iloc[row]) if len(cells) else {}
            found |= {f"{name}.{which}.{part}": told.get(part, NOT_RUN) for part in PARTS}
    return {f"recommend.{key}": text for key, text in found.items()}


def _cells(benchmark: Benchmark, tasks: Sequence[str]) -> pd.DataFrame:
    return benchmark.choices[benchmark.choices["task"].isin(tasks)]


def _steady(benchmark: Benchmark, tasks: Sequence[str], key: str) -> dict[str, str]:
    """Estimators that are the best, or may be, in most cells of these tasks, and in how many."""
    cells = [{row.best, *row.others} for row in _cells(benchmark, tasks).itertuples()]
    counts = pd.Series([name for cell in cells for name in cell], dtype=str).value_counts()
    most = int(counts.max()) if len(counts) else 0
    names = sorted(benchmark.label_of(name) for name in counts.index[counts == most])
    return {
        f"{key}.cells": number(len(cells)),
        f"{key}.most": number(most),
        f"{key}.steady": escape("; ".join(names) or NOT_RUN),
    }


def _cell_values(benchmark: Benchmark, row: Mapping) -> dict[str, str]:
    budget, others = int(row["budget"]), row["others"]
    near = [benchmark.label_of(name) for name in others[:SHOWN]]
    if len(others) > SHOWN:
        near.append(f"{len(others) - SHOWN} more")
    return {
        "budget": number(budget),
        "per-player": number(float(budget / benchmark.tasks[row["task"]].players), 2),
        "best": escape(benchmark.label_of(row["best"])),
        "ratio": " ".join(ratio_with_limits(row["ratio"], row["low"], row["high"])),
        "near": escape("; ".join(near) or "none"),
    }
