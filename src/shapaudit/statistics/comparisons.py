"""Estimators against each other, and against published readings, at equal counted evaluations."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from .summaries import (
    FAMILY_RESAMPLES,
    LEVEL,
    RESAMPLES,
    bootstrap_limits,
    error_curves,
    last_budget,
    pair_means,
)


def ratio_of_means(first, second, axis=-1):
    """Mean of the first over mean of the second."""
    return np.mean(first, axis=axis) / np.mean(second, axis=axis)


def compare(
    frame: pd.DataFrame, a: str, b: str, budget: int | None = None, level: float = LEVEL
) -> dict[str, float]:
    """Mean error of ``a`` over that of ``b`` at a budget (the last by default), with limits.

    The pairs are resampled once for both, so that what makes a pair hard cancels.
    """
    means = pair_means(frame)
    budget = last_budget(frame) if budget is None else budget
    units = (means.loc[(a, budget)].to_numpy(), means.loc[(b, budget)].to_numpy())
    resamples = RESAMPLES if level <= LEVEL else FAMILY_RESAMPLES
    low, high = bootstrap_limits(units, ratio_of_means, level, resamples)
    return {"ratio": float(ratio_of_means(*units)), "low": float(low), "high": float(high)}


def evaluations_to_reach(evaluations: np.ndarray, errors: np.ndarray, target: float) -> float:
    """Evaluations at which a curve first falls to ``target``, interpolated in logarithms.

    The first of the evaluations when it starts there, NaN when it never arrives.
    """
    reached = np.flatnonzero(errors <= target)
    if len(reached) == 0:
        return np.nan
    k = reached[0]
    if k == 0:
        return float(evaluations[0])
    x, y = np.log(evaluations[k - 1 : k + 1]), np.log(errors[k - 1 : k + 1])
    return float(np.exp(np.interp(np.log(target), y[::-1], x[::-1])))


def speed_up(frame: pd.DataFrame, a: str, b: str, level: float = LEVEL) -> dict[str, float]:
    """How many times more evaluations ``b`` needs than ``a`` to reach the same mean error.

    The error to reach is what the worse of the two has at its last budget. Percentile limits over
    pairs. ``at_start`` says that the better one is there at its first budget already, so that the
    factor is a lower bound on its lead.
    """
    means = pair_means(frame)
    counted = frame.groupby(["estimator", "budget"])["evaluations"].mean()
    curves = {name: (counted.loc[name].to_numpy(), means.loc[name].to_numpy()) for name in (a, b)}

    def needed(pairs):
        errors = {name: curves[name][1][:, pairs].mean(axis=1) for name in (a, b)}
        target = max(errors[a][-1], errors[b][-1])
        return [evaluations_to_reach(curves[n][0], errors[n], target) for n in (a, b)]

    def factor(pairs):
        cost_a, cost_b = needed(pairs)
        return cost_b / cost_a

    everyone = np.arange(means.shape[1])
    result = stats.bootstrap(
        (everyone,),
        factor,
        vectorized=False,
        confidence_level=level,
        n_resamples=RESAMPLES,
        method="percentile",
        rng=np.random.default_rng(0),
    )
    at_start = any(
        cost <= curves[name][0][0] for cost, name in zip(needed(everyone), (a, b), strict=True)
    )
    low, high = result.confidence_interval
    return {
        "speed_up": factor(everyone),
        "speed_low": float(low),
        "speed_high": float(high),
        "at_start": at_start,
    }


def verdict(low: float, high: float) -> str:
    """What limits of a ratio of errors say: "smaller", "larger" or "undecided"."""
    if high < 1:
        return "smaller"
    return "larger" if low > 1 else "undecided"


def compare_all(
    frames: Mapping[str, pd.DataFrame],
    contrasts: Sequence[tuple[str, str]],
    family_error: float = 0.05,
) -> pd.DataFrame:
    """Every contrast (a, b) in every experiment that ran both, at the last budget.

    The limits of the ratios hold together with probability 1 - ``family_error`` (Bonferroni over
    the whole table); those of the speed-ups are at 95 % each. Columns: experiment, a, b, budget,
    ratio, low, high, verdict, speed_up, speed_low, speed_high, at_start.
    """
    wanted = [
        (experiment, a, b)
        for experiment, frame in frames.items()
        for a, b in contrasts
        if {a, b} <= set(frame["estimator"])
    ]
    level = 1 - family_error / max(1, len(wanted))
    rows = []
    for experiment, a, b in wanted:
        frame = frames[experiment]
        ratio = compare(frame, a, b, level=level)
        row = {"experiment": experiment, "a": a, "b": b, "budget": last_budget(frame), **ratio}
        row["verdict"] = verdict(ratio["low"], ratio["high"])
        rows.append({**row, **speed_up(frame, a, b)})
    return pd.DataFrame(rows)


def published_comparison(frame: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Published readings of an experiment beside our mean errors at the same budgets.

    ``published`` holds the readings of the experiment (columns method, evaluations, error); those
    of estimators or budgets that did not run are left out. Columns: method, evaluations, error,
    counted, mean, low, high, ratio (ours over the reading).
    """
    curves = error_curves(frame).rename(
        columns={"estimator": "method", "budget": "budget", "evaluations": "counted"}
    )
    readings = published[["method", "evaluations", "error"]]
    joined = readings.merge(
        curves, left_on=["method", "evaluations"], right_on=["method", "budget"]
    )
    joined["ratio"] = joined["mean"] / joined["error"]
    names = ["method", "evaluations", "error", "counted", "mean", "low", "high", "ratio"]
    return joined[names]


def readings_of(published: pd.DataFrame, experiment: str, players: int) -> pd.DataFrame:
    """Published readings of an experiment with as many players; none for other sizes."""
    same = (published["experiment"] == experiment) & (published["players"] == players)
    return published[same]
