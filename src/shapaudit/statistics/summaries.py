"""Statistics over the games of an experiment, which are its independent units.

A game is one explicand with its baseline; the column "explicand" of a table has its number. The
error is the Euclidean norm of the difference to the truth (the quantity that the figures of Grah &
Thouvenot 2020 show). It is averaged over the seeds of a game first; means over games come with
bias-corrected and accelerated bootstrap limits (Efron 1987), resampling games.
"""

import numpy as np
import pandas as pd

from .limits import bootstrap_limits

RESAMPLES = 1999
LEVEL = 0.95


def explicand_means(frame: pd.DataFrame, column: str = "error") -> pd.DataFrame:
    """Means over seeds: one row per (estimator, budget), one column per game."""
    means = frame.groupby(["estimator", "budget", "explicand"])[column].mean()
    return means.unstack("explicand")


class ExplicandMeans:
    """Properties of an experiment from its table ``means`` by (estimator, budget) and game."""

    means: pd.DataFrame

    @property
    def explicands(self) -> int:
        """Number of games."""
        return self.means.shape[1]

    @property
    def budgets(self) -> list[int]:
        """Budgets, increasing."""
        return sorted(map(int, self.means.index.unique("budget")))


def with_limits(means: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Mean over games of each row, with limits: columns mean, low, high, explicands (number)."""
    table = means.to_numpy()
    low, high = bootstrap_limits(table, np.mean, level, resamples=RESAMPLES)
    columns = {"mean": table.mean(axis=1), "low": low, "high": high, "explicands": table.shape[1]}
    return pd.DataFrame(columns, index=means.index).reset_index()


def error_curves(frame: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Mean error with limits per estimator and budget.

    Columns: estimator, budget, mean, low, high, explicands, evaluations (counted).
    """
    counted = frame.groupby(["estimator", "budget"])["evaluations"].mean().rename("evaluations")
    curves = with_limits(explicand_means(frame), level)
    return curves.join(counted, on=["estimator", "budget"])


def coverage_table(frame: pd.DataFrame, level: float = LEVEL) -> pd.DataFrame:
    """Share of players whose nominal 95 % interval covers the truth, with limits over games.

    Only estimators and budgets with standard errors; columns as in `error_curves`.
    """
    means = explicand_means(frame, "coverage").dropna()
    if means.empty:
        return pd.DataFrame(columns=["estimator", "budget", "mean", "low", "high", "explicands"])
    return with_limits(means, level)


def last_budget(frame: pd.DataFrame) -> int:
    """The largest budget of an experiment."""
    return int(frame["budget"].max())


def variance_components(frame: pd.DataFrame) -> pd.DataFrame:
    """Spread of the error at the last budget: between games, and between seeds within a game.

    One-way random effects: with R seeds, the variance of the games' means exceeds the variance
    between games by the variance within games over R. Columns: estimator, between, within (standard
    deviations), share (of the variance that lies between games). A single seed leaves ``within``
    and ``share`` missing.
    """
    last = frame[frame["budget"] == last_budget(frame)]
    errors = last.pivot_table(
        index=["estimator", "explicand"], columns="repetition", values="error"
    )
    seeds = errors.shape[1]
    within = errors.var(axis=1, ddof=1).groupby("estimator").mean()
    total = errors.mean(axis=1).groupby("estimator").var(ddof=1)
    noise = within / seeds if seeds > 1 else 0.0
    between = (total - noise).clip(lower=0.0)
    table = {
        "between": np.sqrt(between),
        "within": np.sqrt(within),
        "share": between / (between + within),
    }
    return pd.DataFrame(table).reset_index()


def relative_errors(frame: pd.DataFrame, truth: pd.DataFrame) -> pd.DataFrame:
    """Errors at the last budget over those of the equal split, game by game.

    Indexed by estimator, smallest first; columns: median over games, low, high, smallest.
    """
    means = explicand_means(frame).xs(last_budget(frame), level="budget")
    ratios = means / equal_split_errors(truth, means.shape[1])
    low, high = bootstrap_limits(ratios.to_numpy(), np.median, LEVEL, "percentile", RESAMPLES)
    columns = {"median": ratios.median(axis=1), "low": low, "high": high}
    return pd.DataFrame(columns | {"smallest": ratios.min(axis=1)}).sort_values("median")


def equal_split_errors(truth: pd.DataFrame, games: int) -> np.ndarray:
    """Distance (games,) from the Shapley values to v(M)/d each, for the first games.

    It is the error of an efficient estimator that has looked at no coalition.
    """
    values = truth[truth["explicand"] < games].pivot(
        index="explicand", columns="player", values="value"
    )
    table = values.to_numpy()
    return np.linalg.norm(table - table.mean(axis=1, keepdims=True), axis=1)


def truth_precision(frame: pd.DataFrame, truth: pd.DataFrame) -> dict[str, float]:
    """Error of the truth, as a norm over players, against the smallest mean error of any estimator.

    Keys: error, smallest, share (their ratio). The error of references is the square root of the
    mean truth variance; that of bounded values the largest norm of the bounds of any game.
    """
    error = float(np.sqrt(frame.groupby("explicand")["truth_variance"].first().mean()))
    bounds = truth["bound"].fillna(0.0) ** 2
    error = max(error, float(np.sqrt(bounds.groupby(truth["explicand"]).sum().max())))
    smallest = float(explicand_means(frame).mean(axis=1).min())
    return {"error": error, "smallest": smallest, "share": error / smallest}
