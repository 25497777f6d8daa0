"""Printed means of squared errors against expectations, all cells together.

Cell by cell, limits of a fifth to a half leave room for much that all cells together show.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .agreement import POWER
from .quantiles import normal_quantile

RESAMPLES = 9999
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class JointTest:
    """What the cells say together of printed over expected errors.

    Attributes
    ----------
    cells : number of cells
    statistic, expected, p : sum of the squared logarithms over their standard errors, its mean
        where the printed means have the expectations, and the share of resamples that exceed it
    typical, low, high : geometric mean of the ratios with limits
    noticed : common factor that would be noticed with probability `POWER`
    within, p_within : statistic and p after each method has been given a factor of its own
    between, p_between : squared logarithms of these factors over their common one, standardised and
        summed, and its p where all methods have one factor
    methods : these factors by method, with limits that hold for all methods together: columns
        factor, low, high
    """

    cells: int
    statistic: float
    expected: float
    p: float
    typical: float
    low: float
    high: float
    noticed: float
    within: float
    p_within: float
    between: float
    p_between: float
    methods: pd.DataFrame


def joint_test(
    squares: Mapping[str, np.ndarray], ratios: Mapping[str, np.ndarray], trials: int
) -> JointTest:
    """The test of means of ``trials`` trials, by method, over their expectations.

    ``squares`` are squared errors (T, k) of our own trials of a method at k numbers of samples,
    ``ratios`` (k,) the printed means over their expectations. The law of such means is that of
    resamples of whole trials, so that what the cells of a method share stays.
    """
    rng = np.random.default_rng(0)
    names = list(ratios)
    errors, drawn = [], []
    for name in names:
        scaled = squares[name] / squares[name].mean(axis=0)
        counts = rng.multinomial(trials, np.full(len(scaled), 1 / len(scaled)), size=RESAMPLES)
        errors.append(scaled.std(axis=0, ddof=1) / np.sqrt(trials))
        drawn.append(np.log(counts @ scaled / trials))
    sizes = [len(ratios[name]) for name in names]
    owner = np.repeat(np.arange(len(names)), sizes)
    error = np.concatenate(errors)
    observed, null = np.log(np.concatenate([ratios[name] for name in names])), np.hstack(drawn)
    whole, nulls = _square(observed, error), _square(null, error)
    left, lefts = (_square(table - _own(table, error, owner), error) for table in (observed, null))
    centre, spread = observed.mean(), null.mean(axis=1).std()
    width = normal_quantile((1 - LEVEL) / 2)
    reach = normal_quantile(1 - POWER)
    between, betweens = _between(observed, null, error, owner)
    return JointTest(
        cells=len(observed),
        statistic=float(whole),
        expected=float(nulls.mean()),
        p=_share(nulls, float(whole)),
        typical=float(np.exp(centre)),
        low=float(np.exp(centre - width * spread)),
        high=float(np.exp(centre + width * spread)),
        noticed=float(np.exp((width + reach) * spread)),
        within=float(left),
        p_within=_share(lefts, float(left)),
        between=float(between),
        p_between=_share(betweens, between),
        methods=_methods(names, observed, null, error, owner),
    )


def _square(logs: np.ndarray, error: np.ndarray) -> np.ndarray:
    return np.square(logs / error).sum(axis=-1)


def _share(nulls: np.ndarray, value: float) -> float:
    """p of a value among resamples, itself counted: at least 1 / (RESAMPLES + 1)."""
    return float((1 + (nulls >= value).sum()) / (1 + len(nulls)))


def _factors(logs: np.ndarray, error: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Weighted mean logarithm (..., methods) of each method's cells."""
    shares = (owner[:, None] == np.arange(owner.max() + 1)) / np.square(error)[:, None]
    return logs @ (shares / shares.sum(axis=0))


def _own(logs: np.ndarray, error: np.ndarray, owner: np.ndarray) -> np.ndarray:
    return _factors(logs, error, owner)[..., owner]


def _between(
    observed: np.ndarray, null: np.ndarray, error: np.ndarray, owner: np.ndarray
) -> tuple[float, np.ndarray]:
    """Statistic of the differences between the methods' factors, observed and in resamples."""
    factors, nulls = (_factors(logs, error, owner) for logs in (observed, null))
    spreads = nulls.std(axis=0)
    common = np.square(1 / spreads) / np.square(1 / spreads).sum()

    def left(own: np.ndarray) -> np.ndarray:
        return np.square((own - (own @ common)[..., None]) / spreads).sum(axis=-1)

    return float(left(factors)), left(nulls)


def _methods(
    names: Sequence[str],
    observed: np.ndarray,
    null: np.ndarray,
    error: np.ndarray,
    owner: np.ndarray,
) -> pd.DataFrame:
    factors = _factors(observed, error, owner)
    spreads = _factors(null, error, owner).std(axis=0)
    width = normal_quantile((1 - LEVEL) / (2 * len(names))) * spreads
    ends = {"factor": factors, "low": factors - width, "high": factors + width}
    return pd.DataFrame({key: np.exp(logs) for key, logs in ends.items()}, index=names)
