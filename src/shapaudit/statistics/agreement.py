"""Published squared errors of repeated trials against our own: bias, variance, and what differs.

Chen, Covert, Lundberg & Lee 2023, Tables 2 to 7: over T trials of an estimate of phi the squared
norm of the mean error ("bias"), the mean squared norm of the deviations from the mean ("variance")
and their sum, the mean squared error.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from scipy.special import gammaincc

from .quantiles import normal_quantile, student_quantile
from .simultaneous import Ratio

TRIALS = 100  # of the published means
POWER = 0.8  # a difference is said to be noticed that is found with this probability

# Methods of the published tables, in their order.
PUBLISHED = (
    "ME",
    "ME_RAND",
    "ME_ANTI",
    "MEF",
    "MEF_RAND",
    "MEF_ADAPT",
    "MEF_ANTI",
    "RO",
    "RO_ANTI",
    "ROF",
    "ROF_ADAPT",
    "ROF_ANTI",
    "LS",
    "LS_ANTI",
    "LS_SGD",
)


def decompose(frame: pd.DataFrame, methods: Mapping[str, str]) -> pd.DataFrame:
    """Error, bias and variance of the trials on one game, by method and samples.

    ``frame`` holds the estimates of one game, ``methods`` the published name of each estimator that
    has one; the others are left out. Columns: method (as published), samples (the budget), error =
    bias + variance, bias, variance, spread (standard deviation of the squared error over its mean),
    trials.
    """
    own = frame[frame["estimator"].isin(methods)]
    groups = own.assign(method=own["estimator"].map(methods)).groupby(["method", "budget"])
    squares = groups["squared_error"]
    cells = pd.DataFrame(
        {
            "error": squares.mean(),
            "variance": groups["squared_deviation"].mean(),
            "spread": squares.std() / squares.mean(),
            "trials": squares.size(),
        }
    )
    # The difference of two means of squares, which rounding may leave below 0.
    cells["bias"] = (cells["error"] - cells["variance"]).clip(lower=0.0)
    return cells.reset_index(names=["method", "samples"])


def published_cells(published: pd.DataFrame, data: str, players: int) -> pd.DataFrame:
    """Published bias, variance and error by method and samples; none for other numbers of players.

    ``published`` is `config/published/chen_covert_lundberg_lee_2023.csv`.
    """
    same = (published["data"] == data) & (published["players"] == players)
    wide = published[same].pivot(index=["method", "samples"], columns="quantity", values="value")
    wide = wide.reindex(columns=["bias", "variance"])
    return wide.assign(error=wide["bias"] + wide["variance"]).reset_index()


def compare_cells(ours: pd.DataFrame, theirs: pd.DataFrame, alpha: float = 0.05) -> pd.DataFrame:
    """Our errors over the published ones, cell by cell.

    If both are means of independent squared errors of one law, the logarithm of their ratio has
    the variance spread^2 (1 / T + 1 / T') to first order, whatever the law; its limits hold for all
    cells together with probability 1 - alpha (Bonferroni). Columns: method, samples, ours,
    published, bias, variance (the last two as published), ratio, low, high, agrees, and noticed,
    the factor between the two laws that would be found with probability `POWER`.
    """
    cells = ours.merge(theirs, on=["method", "samples"], suffixes=("", "_published"))
    ratio = cells["error"] / cells["error_published"]
    quantile = normal_quantile(alpha / (2 * max(1, len(cells))))
    error = cells["spread"] * np.sqrt(1 / cells["trials"] + 1 / TRIALS)
    width = np.exp(quantile * error)
    low, high = ratio / width, ratio * width
    return pd.DataFrame(
        {
            "method": cells["method"],
            "samples": cells["samples"],
            "ours": cells["error"],
            "published": cells["error_published"],
            "bias": cells["bias_published"],
            "variance": cells["variance_published"],
            "spread": cells["spread"],
            "ratio": ratio,
            "low": low,
            "high": high,
            "agrees": (low <= 1) & (high >= 1),
            "noticed": np.exp((quantile + normal_quantile(1 - POWER)) * error),
        }
    )


def biased(
    bias: np.ndarray, variance: np.ndarray, spread: np.ndarray, trials: int, alpha: float = 0.05
) -> np.ndarray:
    """Which cells (n,) have a bias that the number of trials does not explain.

    Without bias, T times the squared norm of the mean error has the mean of one squared error and,
    for nearly normal estimates, its law; that is taken as a gamma law of the same ``spread``.
    Bonferroni over the cells.
    """
    shape = np.asarray(spread) ** -2.0
    # An estimate of a squared norm that is negative is no bias.
    beyond = np.maximum(bias, 0.0) * np.asarray(trials) / np.asarray(variance)
    chance = gammaincc(shape, shape * beyond)
    return chance < alpha / max(1, len(chance))


def typical_ratio(cells: pd.DataFrame) -> Ratio:
    """Geometric mean over the cells of ours over published, with 95 % limits over methods.

    Budgets of a method may share trials, so that its mean is the unit. Student's limits of the
    logarithm, which need two methods.
    """
    means = np.log(cells["ratio"]).groupby(cells["method"]).mean()
    quantiles = student_quantile(np.array([0.025, 0.05]), max(1, len(means) - 1))
    width, alone = quantiles * means.std() / np.sqrt(len(means))
    centre = means.mean()
    return Ratio(*np.exp([centre, centre - width, centre + width, centre + alone]).tolist())
