"""Estimators against each other, and against published readings, at equal counted evaluations."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from .simultaneous import Ratio
from .summaries import LEVEL, RESAMPLES, error_curves, explicand_means, last_budget
from .typical import typical_ratio


def compare(
    frame: pd.DataFrame, a: str, b: str, budget: int | None = None, alpha: float = 0.05
) -> Ratio:
    """Error of ``a`` over that of ``b`` on a typical game at a budget (the last by default).

    With limits of the median over games; the difficulty of a game cancels in its ratio.
    """
    means = explicand_means(frame)
    budget = last_budget(frame) if budget is None else budget
    units = means.loc[[(a, budget), (b, budget)]].to_numpy().T
    return typical_ratio(units, alpha)


def evaluations_to_reach(
    evaluations: np.ndarray, errors: np.ndarray, target: np.ndarray | float
) -> np.ndarray:
    """Evaluations at which curves of errors (..., k) first fall to their target (...).

    Interpolated in logarithms between the ``evaluations`` (k,); the first of them for a curve that
    starts there, those without any error for one that falls to 0, NaN for one that never arrives.
    """
    target = np.asarray(target, dtype=np.float64)
    reached = errors <= target[..., None]
    k = reached.argmax(axis=-1)
    before = np.maximum(k - 1, 0)
    with np.errstate(invalid="ignore", divide="ignore"):  # errors may be zero
        x, y = np.log(evaluations), np.log(errors)
        above, below = (np.take_along_axis(y, at[..., None], -1)[..., 0] for at in (before, k))
        slope = (x[before] - x[k]) / (above - below)
        needed = np.exp(slope * (np.log(target) - below) + x[k])
    needed = np.where((k == 0) | (below == -np.inf), np.asarray(evaluations)[k], needed)
    return np.where(reached.any(axis=-1), needed, np.nan)


def speed_up(frame: pd.DataFrame, a: str, b: str, level: float = LEVEL) -> dict[str, float]:
    """How many times more evaluations ``b`` needs than ``a`` to reach the same mean error.

    The error to reach is what the worse of the two has at its last budget. Percentile limits over
    games. ``at_start`` says that the better one is there at its first budget already, so that the
    factor is a lower bound on its lead.
    """
    means = explicand_means(frame)
    counted = frame.groupby(["estimator", "budget"])["evaluations"].mean()
    first, second = ((counted.loc[n].to_numpy(), means.loc[n].to_numpy()) for n in (a, b))
    games = means.shape[1]

    def needed(shares: np.ndarray) -> np.ndarray:
        """Evaluations (2, m) for shares (m, games) of the games in the mean."""
        errors = [shares @ curves.T for _, curves in (first, second)]
        target = np.maximum(errors[0][:, -1], errors[1][:, -1])
        return np.array(
            [
                evaluations_to_reach(evaluations, curve, target)
                for (evaluations, _), curve in zip((first, second), errors, strict=True)
            ]
        )

    drawn = np.random.default_rng(0).integers(games, size=(RESAMPLES, games))
    own = drawn + games * np.arange(RESAMPLES)[:, None]  # games of each resample apart
    counts = np.bincount(own.ravel(), minlength=RESAMPLES * games).reshape(RESAMPLES, games)
    costs = needed(counts / games)
    tails = np.array([1 - level, 1 + level]) / 2
    low, high = np.quantile(costs[1] / costs[0], tails)
    everyone = needed(np.full((1, games), 1 / games))[:, 0]
    return {
        "speed_up": float(everyone[1] / everyone[0]),
        "speed_low": float(low),
        "speed_high": float(high),
        "at_start": bool(everyone[0] <= first[0][0] or everyone[1] <= second[0][0]),
    }


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
    ran = {experiment: set(frame["estimator"].unique()) for experiment, frame in frames.items()}
    wanted = [(name, a, b) for name in frames for a, b in contrasts if {a, b} <= ran[name]]
    alpha = family_error / max(1, len(wanted))
    rows = []
    for experiment, a, b in wanted:
        frame = frames[experiment]
        ratio = compare(frame, a, b, alpha=alpha)
        rows.append(
            {"experiment": experiment, "a": a, "b": b, "budget": last_budget(frame)}
            | {"ratio": ratio.estimate, "low": ratio.low, "high": ratio.high}
            | {"verdict": ratio.word}
            | speed_up(frame, a, b)
        )
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
