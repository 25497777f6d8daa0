"""Mean absolute Shapley values over the rows of a table, and how sure they are."""

import numpy as np
import pandas as pd

from ..statistics.limits import skewed_mean_limits
from .explanation import LEVEL, Explanation, check_level

LEAST_ROWS = 20  # fewer make no limits worth having that hold for several features together
FOLDED = 2 / np.sqrt(np.pi)  # E[exp(-Z^2 / 2)] = 1 / sqrt(2), and E|Z| = sqrt(2 / pi)


def mean_absolute(explanation: Explanation, level: float = LEVEL) -> pd.DataFrame:
    """Mean of |value| over the rows for each feature (and output), with limits.

    The limits are those of E|phi|, the mean over all rows of which the table is a random sample,
    of exact Shapley values under the same background. For the features of an output they hold
    together at the level (Bonferroni), and cover two sources of error:

    - the drawing of the rows, by Student's t with the correction for skewness of Hall (1992), see
      `skewed_mean_limits`;
    - the errors of the values, which are taken to be normal with the standard errors of the
      explanation and independent from row to row. They inflate |value|: its expectation lies above
      |phi|, the more so the smaller |phi| is. Therefore only the upper limit is that of the mean
      of |value|. The lower one is that of the mean of `deflated`, whose expectation is at most
      |phi|. The bias makes the limits wider, on the side of small values, and not wrong.

    ``mean_abs`` itself is the plain mean of |value|; where errors are large it lies near the upper
    limit.

    Fewer than `LEAST_ROWS` rows have the limits NaN. No limits know of an effect that is rarer than
    one row in the table: a feature that acts on one row in twenty may be missing from a sample of
    thirty, and its limits then lie too low. Where all values of a feature are equal and exact the
    limits coincide with the mean.

    Returns
    -------
    DataFrame
        Columns ``output`` (where there are several), ``feature``, ``mean_abs``, ``low``, ``high``;
        within an output the largest mean is first.
    """
    check_level(level)
    n, d = len(explanation), len(explanation.feature_names)
    values = explanation.values.reshape(n, d, -1)
    errors = explanation.standard_errors.reshape(n, d, -1)
    names = explanation.output_names
    parts = [
        _one_output(values[..., k], errors[..., k], explanation.feature_names, 1 - level)
        for k in range(values.shape[2])
    ]
    if not names:
        return parts[0]
    for part, name in zip(parts, names, strict=True):
        part.insert(0, "output", name)
    return pd.concat(parts, ignore_index=True)


def _one_output(
    values: np.ndarray, errors: np.ndarray, names: tuple[str, ...], alpha: float
) -> pd.DataFrame:
    sizes = np.abs(values)
    low = high = np.full(len(names), np.nan)
    if len(values) >= LEAST_ROWS:
        share = alpha / len(names)
        low = np.maximum(skewed_mean_limits(deflated(values, errors), share)[0], 0.0)
        high = skewed_mean_limits(sizes, share)[1]
    frame = pd.DataFrame(
        {"feature": names, "mean_abs": sizes.mean(axis=0), "low": low, "high": high}
    )
    order = np.argsort(-frame["mean_abs"].to_numpy(), kind="stable")
    return frame.iloc[order].reset_index(drop=True)


def deflated(values: np.ndarray, standard_errors: np.ndarray) -> np.ndarray:
    """|x| - (2 / sqrt(pi)) s exp(-x^2 / (2 s^2)): in expectation at most |phi| for x ~ N(phi, s^2).

    With phi = t s, the expectation of the second term is s sqrt(2 / pi) exp(-t^2 / 4), that of
    |x| - |phi| is 2 s (density(t) - |t| P(Z > |t|)). The two are equal at t = 0, where |x| is
    inflated most, and elsewhere the former is the larger one; both vanish as |phi| grows.
    """
    ratio = np.divide(
        values, standard_errors, out=np.zeros_like(values, float), where=standard_errors > 0
    )
    return np.abs(values) - FOLDED * standard_errors * np.exp(-np.square(ratio) / 2)
