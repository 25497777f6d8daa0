"""Confidence limits over independent units."""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from math import comb
from typing import Any

import numpy as np
import scipy
from scipy.special import betainccinv, betaincinv

from .quantiles import student_quantile

MINIMUM_UNITS = 10  # fewer make no limits worth having
UNBOUNDED = sys.float_info.max  # in the place of infinity, which JSON does not hold
RESAMPLES = 4999
BLOCK = 1 << 22  # resampled units in memory at a time
DIGITS = 42  # binary ones of a statistic that rounding leaves alone
ALIKE = 1e-12  # relative spread of resamples up to which they do not vary
STRAIGHT = 1e-9  # slope up to which the transformation of skewed means is a straight line


@dataclass(frozen=True)
class Limit:
    """A confidence interval: two-sided, at confidence ``level``.

    Raises ValueError for ends that are not finite or in the wrong order.
    """

    name: str
    estimate: float
    low: float
    high: float
    level: float

    def __post_init__(self) -> None:
        for key in ("estimate", "low", "high", "level"):
            object.__setattr__(self, key, float(getattr(self, key)))
        ends = (self.estimate, self.low, self.high)
        if not (np.isfinite(ends).all() and self.low <= self.high and 0 < self.level < 1):
            raise ValueError(
                f"limit {self.name!r}: need finite low <= high and 0 < level < 1; {self}."
            )


def clopper_pearson(name: str, count: int, trials: int, alpha: float) -> Limit:
    """Exact limits of a probability from ``count`` successes in ``trials`` independent trials.

    Two-sided, error alpha/2 at most on either side (Clopper & Pearson 1934).
    Raises ValueError unless 0 <= count <= trials and trials > 0.
    """
    if trials < 1 or not 0 <= count <= trials:
        raise ValueError(f"{name}: {count} successes in {trials} trials make no proportion.")
    low = betaincinv(count, trials - count + 1, alpha / 2) if count else 0.0
    high = betainccinv(count + 1, trials - count, alpha / 2) if count < trials else 1.0
    return Limit(name, count / trials, low, high, 1 - alpha)


def trials_needed(probability: float, alpha: float) -> int:
    """Trials without a success after which the upper Clopper-Pearson limit is ``probability``."""
    return int(np.ceil(np.log(alpha / 2) / np.log1p(-probability)))


def bounded_mean(name: str, units: np.ndarray, ceiling: float, alpha: float) -> Limit:
    """Limits of the mean of independent units (n,) in [0, ceiling], valid for every n from 2 on.

    Empirical Bernstein bound of Maurer & Pontil 2009, Theorem 4, on either side.
    """
    n, log = len(units), np.log(4 / alpha)
    width = np.sqrt(2 * units.var(ddof=1) * log / n) + 7 * ceiling * log / (3 * (n - 1))
    mean = float(units.mean())
    low, high = max(0.0, mean - width), min(ceiling, mean + width)
    return Limit(name, mean, min(low, mean), max(high, mean), 1 - alpha)


def skewed_mean_limits(units: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """Limits (K,) of the means of independent units (n, K), each of confidence 1 - alpha.

    Student's t after the cubic transformation of Hall 1992 (J. R. Stat. Soc. B 54, 221), which
    removes the effect of skewness up to the order 1/n: squared errors are skewed.
    """
    n = len(units)
    mean, spread = units.mean(axis=0), units.std(axis=0, ddof=1)
    cubes = ((units - mean) ** 3).mean(axis=0)
    skewness = np.divide(cubes, spread**3, out=np.zeros_like(mean), where=spread > 0)
    slope = skewness / (3 * np.sqrt(n))
    slope = np.where(np.abs(slope) > STRAIGHT, slope, STRAIGHT)  # there it is Student's t
    quantile = student_quantile(alpha / 2, n - 1) * np.array([[1.0], [-1.0]])
    ratios = (np.cbrt(1 + 3 * slope * (quantile - slope / 2)) - 1) / slope
    low, high = mean - ratios * spread / np.sqrt(n)
    return np.minimum(low, mean), np.maximum(high, mean)


def bootstrap_limits(
    units: np.ndarray,
    statistic: Callable[..., Any],
    level: float,
    method: str = "BCa",
    resamples: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Bootstrap limits (...) of a statistic over the last axis of independent units (..., n).

    ``statistic`` takes an array and ``axis``; ``method`` is that of `scipy.stats.bootstrap`: "BCa"
    (Efron 1987) or, for statistics that are not smooth (medians), "percentile". Resampling always
    starts from the same generator, so that equal units give equal limits. Where the resamples do
    not vary, both limits are the statistic itself. Statistics that differ by rounding errors count
    as equal, as that of a resample in another order does. ``resamples`` is `RESAMPLES` by default.
    """
    with np.errstate(all="ignore"), warnings.catch_warnings():
        # Resamples that do not vary are dealt with below.
        warnings.simplefilter("ignore", scipy.stats.DegenerateDataWarning)
        result = scipy.stats.bootstrap(
            (units,),
            lambda sample, axis: _rounded(statistic(sample, axis=axis)),
            axis=-1,
            vectorized=True,
            confidence_level=level,
            n_resamples=resamples or RESAMPLES,
            batch=max(1, BLOCK // np.size(units)),
            method=method,
            rng=np.random.default_rng(0),
        )
    value = statistic(units, axis=-1)
    fixed = np.std(result.bootstrap_distribution, axis=-1) <= ALIKE * np.abs(value)
    low = np.where(fixed, value, result.confidence_interval.low)
    return low, np.where(fixed, value, result.confidence_interval.high)


def _rounded(values: np.ndarray) -> np.ndarray:
    """The values without their last binary digits."""
    mantissas, exponents = np.frexp(values)
    return np.ldexp(np.round(np.ldexp(mantissas, DIGITS)), exponents - DIGITS)


def bootstrap(
    name: str,
    units: np.ndarray,
    alpha: float,
    statistic: Callable[..., Any] = np.mean,
    method: str = "BCa",
) -> Limit:
    """A statistic of independent units (n,) with limits by `bootstrap_limits`.

    Units that are all the same give limits that coincide with the estimate; fewer than 10 say
    nothing of their law, and their limits are those of floating point.
    """
    units = np.asarray(units, dtype=float)
    estimate = statistic(units)
    if len(units) < MINIMUM_UNITS:
        return Limit(name, estimate, -UNBOUNDED, UNBOUNDED, 1 - alpha)
    if np.ptp(units) == 0:
        return Limit(name, estimate, estimate, estimate, 1 - alpha)
    low, high = bootstrap_limits(units, statistic, 1 - alpha, method)
    return Limit(name, estimate, float(low), float(high), 1 - alpha)


@cache
def limit_rank(units: int, alpha: float) -> int:
    """Largest k with P(Bin(n, 1/2) < k) <= alpha: the k-th smallest of n units is a lower limit.

    One-sided, of the median of any law (Thompson 1936, Ann. Math. Stat. 7, 122). 0 where the units
    are too few for any.
    """
    below = accumulate(comb(units, k) for k in range(units + 1))
    return sum(count / 2**units <= alpha for count in below)


def median_with_limits(name: str, units: np.ndarray, alpha: float) -> Limit:
    """Median of independent units (n,) with exact limits, which are order statistics.

    Where the units are too few the limits are those of floating point.
    """
    ordered, k = np.sort(units), limit_rank(len(units), alpha / 2)
    low, high = (ordered[k - 1], ordered[-k]) if k else (-UNBOUNDED, UNBOUNDED)
    return Limit(name, np.median(ordered), low, high, 1 - alpha)
