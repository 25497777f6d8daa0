"""Confidence limits over independent units."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

pass

RESAMPLES = 4999


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

    def __post_init__(self):
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
    low = scipy.stats.beta.ppf(alpha / 2, count, trials - count + 1) if count else 0.0
    high = scipy.stats.beta.isf(alpha / 2, count + 1, trials - count) if count < trials else 1.0
    return Limit(name, count / trials, low, high, 1 - alpha)


def trials_needed(probability: float, alpha: float) -> int:
    """Trials without a success after which the upper Clopper-Pearson limit is ``probability``."""
    return int(np.ceil(np.log(alpha / 2) / np.log1p(-probability)))


def bootstrap(
    name: str,
    units: np.ndarray,
    alpha: float,
    statistic: Callable = np.mean,
    method: str = "BCa",
    seed: int = 0,
) -> Limit:
    """Bootstrap limits of a statistic of independent units (n,), n at least 2.

    ``method`` is "BCa" or, for statistics that are not smooth (medians), "percentile". Identical
    units give limits that coincide with the estimate.
    """
    units = np.asarray(units, dtype=float)
    estimate = float(statistic(units))
    if np.ptp(units) == 0:
        return Limit(name, estimate, estimate, estimate, 1 - alpha)
    result = scipy.stats.bootstrap(
        (units,),
        statistic,
        n_resamples=RESAMPLES,
        batch=max(1, (1 << 22) // len(units)),
        confidence_level=1 - alpha,
        method=method,
        rng=np.random.default_rng(seed),
    )
    interval = result.confidence_interval
    return Limit(name, estimate, interval.low, interval.high, 1 - alpha)


def median_with_limits(name: str, units: np.ndarray, alpha: float) -> Limit:
    """Median of independent units with percentile bootstrap limits."""
    return bootstrap(name, units, alpha, np.median, "percentile")
