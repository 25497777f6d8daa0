"""The removal of the least error, and whether its lead is significant, from paired fits."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd

from shapaudit.statistics.quantiles import student_quantile

SAME = 9  # digits after the point of logarithms: processors round the others differently
LEAST_FITS = 3  # that two removals must share for limits
EXACT = 1e-12  # smaller errors are rounding, and count as this


class Lead(NamedTuple):
    """The best of some removals on a typical fit, and how the others compare with it.

    Attributes
    ----------
    entered : how many removals there are
    best : the name of the one with the least geometric mean of errors over fits
    error : its root mean square
    next : the name of the second best; "" without a second
    ratio, low, high : error of the next over that of the best, with limits; NaN without any
    others : those not significantly worse than the best: the lower limit of their ratio is not
        above 1. The lead is significant where there are none
    behind : the best of those that are significantly worse; "" without any
    behind_ratio, behind_low, behind_high : error of this over that of the best, with limits
    """

    entered: int
    best: str
    error: float
    next: str
    ratio: float
    low: float
    high: float
    others: tuple[str, ...]
    behind: str
    behind_ratio: float
    behind_low: float
    behind_high: float


def lead_table(
    names: Sequence[str], cells: Mapping[tuple, pd.DataFrame], alpha: float
) -> pd.DataFrame:
    """A line per cell: its key, in the columns ``names``, and the fields of `Lead`.

    A cell is a frame with the columns removal, fit and error. Ratios of errors are geometric means
    over the fits that two removals share, with limits by Student's t. The limits of all pairs in
    all cells hold together with probability 1 - alpha (Bonferroni), so that a removal may be
    called the best after a look at the data; a comparison that occurs twice counts once.
    """
    wide = {
        key: np.log(cell.pivot(index="fit", columns="removal", values="error").clip(lower=EXACT))
        for key, cell in cells.items()
    }
    # Limits that both pay for all coalitions give the same numbers, which are one comparison.
    pairs = {
        (a, b, (np.round(logs[a] - logs[b], SAME) + 0.0).tobytes())
        for own in wide.values()
        for logs in [_columns(own)]
        for a, b in combinations(logs, 2)
    }
    share = alpha / max(1, len(pairs))
    lines = [
        dict(zip(names, key, strict=True)) | lead(own, share)._asdict() for key, own in wide.items()
    ]
    return pd.DataFrame(lines, columns=[*names, *Lead._fields])


def lead(logs: pd.DataFrame, share: float) -> Lead:
    """Of logarithms of errors, fits by removals; each limit at confidence 1 - share."""
    ordered = list(logs.mean().sort_values().index)
    best, rest = ordered[0], ordered[1:]
    columns = _columns(logs)
    behind_by = {name: columns[name] - columns[best] for name in rest}
    limits = {name: limits_of(by[~np.isnan(by)], share) for name, by in behind_by.items()}
    behind = [name for name in rest if limits[name][1] > 1]
    none = (np.nan,) * 3
    return Lead(
        len(ordered),
        best,
        float(np.sqrt(np.exp(2 * logs[best].dropna()).mean())),
        rest[0] if rest else "",
        *(limits[rest[0]] if rest else none),
        tuple(name for name in rest if name not in behind),
        behind[0] if behind else "",
        *(limits[behind[0]] if behind else none),
    )


def _columns(logs: pd.DataFrame) -> dict[str, np.ndarray]:
    return dict(zip(logs.columns, logs.to_numpy().T, strict=True))


def limits_of(logs: np.ndarray, share: float) -> tuple[float, float, float]:
    """exp of the mean of logarithms (R,), and its limits, which are 0 and infinity for R < 3."""
    mean, count = float(logs.mean()) if len(logs) else 0.0, len(logs)
    if count < LEAST_FITS:
        return float(np.exp(mean)), 0.0, np.inf
    width = student_quantile(share / 2, count - 1) * logs.std(ddof=1) / np.sqrt(count)
    low, high = np.exp(mean - width), np.exp(mean + width)
    return float(np.exp(mean)), float(low), float(high)
