"""Errors of the benchmark on games that no estimator was developed on, in a few numbers."""

from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.statistics.regret import regrets

from .latex import number, percent
from .tasks import MARGIN

SUITE = "benchmarks/results/suite.csv"  # written by benchmarks/suite_summary.py
FLOOR = 1e-4  # relative errors below count as this one
OURS = "Auto"
TASK = ["game", "budget"]


def held_out(runs: pd.DataFrame, name: str = OURS) -> dict[str, float]:
    """Numbers of games, of tasks and of other methods of a task at most, and regrets of a method.

    ``runs`` has a row per game, budget, seed and method with its relative error and seconds. A task
    is a game at a budget; errors are root mean squares over seeds. ``median`` and ``worst`` are
    regrets, ``near`` is the share of tasks within `MARGIN` of the best, ``seconds`` the largest
    median time over the budgets.
    """
    squares = runs.assign(square=runs["error"] ** 2, method=runs["package"] + " " + runs["method"])
    errors = np.sqrt(squares.pivot_table("square", TASK, "method"))
    table = pd.DataFrame(regrets(errors.to_numpy(), FLOOR), errors.index, errors.columns)
    method = f"shapaudit {name}"
    own = table[method].dropna()
    times = squares[squares["method"] == method].groupby("budget")["seconds"].median()
    return {
        "games": own.index.unique("game").size,
        "tasks": own.size,
        "others": int(table.loc[own.index].notna().sum(axis=1).max()) - 1,
        "median": float(own.median()),
        "worst": float(own.max()),
        "near": float((own <= MARGIN).mean()),
        "budget": int(times.index.max()),
        "seconds": float(times.max()),
    }


def held_out_values(path: str | Path = SUITE) -> dict[str, str]:
    """`held_out` of the suite as text, by key."""
    found = held_out(pd.read_csv(path))
    return {
        f"held-out.{key}": percent(value) if key == "near" else number(value, 3)
        for key, value in found.items()
    }
