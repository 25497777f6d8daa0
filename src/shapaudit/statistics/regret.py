"""Regret: the error of a contestant over that of the best of all, task by task."""

from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
RESAMPLES = 2000


@dataclass(frozen=True)
class Regret:
    """Of one contestant over tasks: median with limits, and worst.

    ``worst`` is the place of the task with the largest regret, ``tasks`` how many it has entered.
    """

    median: float
    low: float
    high: float
    largest: float
    worst: int
    tasks: int


def regrets(errors: np.ndarray, floor: float = 0.0) -> np.ndarray:
    """Errors (tasks, contestants) over the least of each task; NaN where there is no error.

    Errors below ``floor`` count as the floor: who is exact to ten digits is no better than who is
    exact to five. Raises ValueError for negative errors or a task without any.
    """
    errors = np.asarray(errors, dtype=np.float64)
    if (errors < 0).any() or np.isnan(errors).all(axis=1).any():
        raise ValueError("errors must not be negative, and each task needs one at least.")
    raised = np.where(np.isnan(errors), np.nan, np.maximum(errors, floor))
    best = np.nanmin(raised, axis=1, keepdims=True)
    # Where the best is exact, so are its equals; the others' regret has no bound.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(raised == best, 1.0, raised / best)


def summarised(regret: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> Regret:
    """Of one contestant's regrets (tasks,), NaN where it did not enter.

    The limits of the median are of the bootstrap over ``groups`` (tasks,), which are games: tasks
    of one game at several budgets are not independent.
    """
    entered = np.flatnonzero(~np.isnan(regret))
    if not len(entered):
        raise ValueError("a contestant that entered no task has no regret.")
    values = regret[entered]
    medians = _resampled_medians(values, groups[entered], rng)
    low, high = np.quantile(medians, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    worst = int(entered[np.argmax(values)])
    return Regret(
        float(np.median(values)), float(low), float(high), float(values.max()), worst, len(values)
    )


def _resampled_medians(
    values: np.ndarray, groups: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Medians (RESAMPLES,) of the values (tasks,) of as many groups, drawn with repeats."""
    names, place = np.unique(groups, return_inverse=True)
    drawn = rng.integers(len(names), size=(RESAMPLES, len(names)))
    times = np.zeros((RESAMPLES, len(names)), dtype=np.int64)
    np.add.at(times, (np.arange(RESAMPLES)[:, None], drawn), 1)
    order = np.argsort(values, kind="stable")
    counted = np.cumsum(times[:, place[order]], axis=1)
    total = counted[:, -1:]
    middle = [(counted < half).sum(axis=1) for half in ((total + 1) // 2, total // 2 + 1)]
    low, high = (values[order][k] for k in middle)
    return (low + high) / 2.0


def evaluations_to_reach(
    target: float, budgets: np.ndarray, errors: np.ndarray
) -> tuple[float, str]:
    """Evaluations with which an error falls to ``target``, by log-log interpolation.

    ``budgets`` (k,) increase, ``errors`` (k,) need not fall: the first crossing counts. Returns the
    number and "", or the first or last budget with "at most" or "more than".
    """
    budgets, errors = np.asarray(budgets, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    reached = np.flatnonzero(errors <= target)
    if not len(reached):
        return float(budgets[-1]), "more than"
    k = int(reached[0])
    if k == 0:
        return float(budgets[0]), "at most"
    before, after = np.log(np.maximum(errors[k - 1 : k + 1], 1e-300))
    share = (before - np.log(max(target, 1e-300))) / max(before - after, 1e-300)
    return float(np.exp(np.log(budgets[k - 1]) * (1 - share) + np.log(budgets[k]) * share)), ""
