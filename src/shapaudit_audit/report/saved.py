"""Evaluations saved: how many an estimator needs to reach the error of a rival that uses more."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shapaudit.seeding import generator
from shapaudit.statistics.regret import LEVEL, RESAMPLES, evaluations_to_reach

from .advice import TREE
from .tasks import Task, TaskComparison

TARGET = 2000  # evaluations of the rivals
TAKEN = "auto"
TOGETHER = "models other than trees"  # which need sampling, in a table
RIVALS = {
    "paired-kernel-shap": "paired KernelSHAP",
    "outer-sizes": "shap's KernelExplainer",
    "antithetic-mc": "shap's PermutationExplainer",
}


@dataclass(frozen=True)
class EvaluationsSaved:
    """Evaluations needed for the error of a rival at `TARGET`: the median over games, and limits.

    They are infinite where the error is not reached within the budgets of the task.

    Attributes
    ----------
    task, rival : names; the task is "" for all tasks together that need sampling
    games : number of games, each a pair of explicand and baseline
    least : budget up to which numbers are bounds from above, because some games have an error that
        is smaller at their smallest budget already; 0 where there are none
    """

    task: str
    rival: str
    games: int
    least: int
    median: float
    low: float
    high: float


def evaluations_saved(
    comparisons: Sequence[TaskComparison], seed: int = 0
) -> list[EvaluationsSaved]:
    """For each rival and task that ran at `TARGET` evaluations, and for several tasks together.

    These are the tasks of models other than trees, which need sampling. Limits are those of a
    bootstrap over games, which is stratified by task.
    """
    tasks = [
        task
        for comparison in comparisons
        for task in comparison.tasks.values()
        if TARGET in task.budgets
    ]
    rows = []
    for rival in RIVALS:
        taken = {task.name: _of_task(task, rival) for task in tasks}
        taken = {name: numbers for name, numbers in taken.items() if len(numbers)}
        least = {task.name: task.budgets[0] for task in tasks}
        # Of a game whose error is smaller at the smallest budget already, that is a bound.
        bounds = {name: least[name] for name, ns in taken.items() if min(ns) <= least[name]}
        for name, numbers in taken.items():
            rows.append(_summary(name, rival, {name: numbers}, bounds.get(name, 0), seed))
        several = {task.name: taken[task.name] for task in tasks if _in_total(task, taken)}
        if len(several) > 1:
            least_of_all = max((bounds.get(name, 0) for name in several), default=0)
            rows.append(_summary("", rival, several, least_of_all, seed))
    return rows


def _in_total(task: Task, taken: Mapping[str, np.ndarray]) -> bool:
    return task.kind != TREE and task.name in taken


def _of_task(task: Task, rival: str) -> np.ndarray:
    """Evaluations (games,) to the rival's error, for the games that both estimators ran on."""
    present = set(task.means.index)
    if not {(rival, TARGET), (TAKEN, TARGET)} <= present:
        return np.empty(0)
    curves = task.means.loc[TAKEN].sort_index()
    target = task.means.loc[(rival, TARGET)]
    ran = (curves.notna().all() & target.notna()).to_numpy()
    return np.fromiter(_each(curves.loc[:, ran], target[ran]), dtype=float)


def _each(curves, target) -> Iterator[float]:
    budgets = curves.index.to_numpy()
    for explicand in curves:
        number, bound = evaluations_to_reach(float(target[explicand]), budgets, curves[explicand])
        yield np.inf if bound == "more than" else number


def _summary(
    task: str, rival: str, taken: Mapping[str, np.ndarray], least: int, seed: int
) -> EvaluationsSaved:
    games = sum(map(len, taken.values()))
    return EvaluationsSaved(
        task, rival, games, least, *limits_over_games(taken, "evaluations saved", seed)
    )


def limits_over_games(
    taken: Mapping[str, np.ndarray], purpose: str, seed: int
) -> tuple[float, float, float]:
    """The median over the games of all tasks, and its limits from a bootstrap over games.

    ``taken`` has a number for each game, by task; resamples are seeded by ``purpose`` and the name
    of the task, whatever the order of tasks.
    """
    everything = np.sort(np.concatenate([*taken.values()]))
    drawn = np.hstack(
        [
            generator(seed, purpose, task).choice(numbers, (RESAMPLES, len(numbers)))
            for task, numbers in taken.items()
        ]
    )
    sides = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = np.quantile(np.median(drawn, axis=1), sides, method="nearest")
    middle = everything[[(len(everything) - 1) // 2, len(everything) // 2]].mean()
    return float(middle), float(low), float(high)


def told(row: EvaluationsSaved) -> str:
    """The number with its limits; the number alone where all three are the same bound."""
    middle, low, high = (_number(value, row.least) for value in (row.median, row.low, row.high))
    return middle if middle == low == high else f"{middle} ({low} to {high})"


def _number(value: float, least: int) -> str:
    if np.isinf(value):
        return f"over {TARGET:,}"
    return f"≤ {value:,.0f}" if value <= least else f"{value:,.0f}"
