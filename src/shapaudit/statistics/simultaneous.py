"""Confidence limits for many ratios of means at once, over independent units.

For statements on means: variances, mean squared errors. What a reader wants to know of errors on
one game after another is in `statistics.typical`, whose limits hold whatever the law.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from .limits import MINIMUM_UNITS, UNBOUNDED

RESAMPLES = 9999
ROUNDING = 1e-7  # of a ratio: what varies less is the same for every unit
# Units that count, as a share of all: with less, as from log-normal units of a spread of about 0.8
# on, a mean hangs on a few of them, and samples without these make the limits too small.
LEAST_SHARE = 0.5


class Group(NamedTuple):
    """Independent units, positive columns (n, K), and ratios (M, K) of the columns' means.

    A ratio is a product of the means to its exponents: (1, -1) is mean over mean, (1, -1, -1, 1)
    a ratio of two ratios.
    """

    units: np.ndarray
    exponents: np.ndarray


def contrasts_of(frame: pd.DataFrame, contrasts: Sequence[tuple[str, str]]) -> Group:
    """Ratios of the means of columns, first over second; a row is an independent unit."""
    exponents = np.zeros((len(contrasts), frame.shape[1]))
    for row, (a, b) in zip(exponents, contrasts, strict=True):
        row[frame.columns.get_loc(a)], row[frame.columns.get_loc(b)] = 1, -1
    return Group(frame.to_numpy(), exponents)


def verdict(low: float, high: float) -> str:
    """What limits of a ratio say of it: "smaller" than 1, "larger" or "undecided"."""
    if high < 1:
        return "smaller"
    return "larger" if low > 1 else "undecided"


class Ratio(NamedTuple):
    """An estimated ratio, its limits together with all others, and its upper limit alone.

    The latter is what it takes to say that *all* ratios are below 1: if one of them is not, its
    own limit must be wrong (Berger 1982), whatever the number of ratios.
    """

    estimate: float
    low: float
    high: float
    high_alone: float

    @classmethod
    def without_limits(cls, estimate: float) -> "Ratio":
        """A ratio of too few units for limits, which are NaN."""
        return cls(float(estimate), np.nan, np.nan, np.nan)

    @property
    def word(self) -> str:
        """What the limits of all ratios together say of this one."""
        return verdict(self.low, self.high)

    def inverted(self) -> "Ratio":
        """The reciprocal, its last entry a lower limit alone."""
        turned = (self.estimate, self.high, self.low, self.high_alone)
        return Ratio(*map(_reciprocal, turned))

    def row(self) -> dict[str, float]:
        """As part of a table's row: ratio, low, high, high_alone."""
        return dict(zip(("ratio", "low", "high", "high_alone"), self, strict=True))


def effective_share(units: np.ndarray) -> np.ndarray:
    """How many units (n, K) count in the mean of each column (K,), as a share of n (Kish 1965)."""
    return np.square(units.mean(axis=0)) / np.square(units).mean(axis=0)


def _reciprocal(value: float) -> float:
    """One over a value; 0 and `UNBOUNDED`, which say nothing, are each other's."""
    if value == 0:
        return UNBOUNDED
    return 0.0 if value == UNBOUNDED else 1 / value


def ratio_limits(
    groups: Sequence[Group],
    alpha: float,
    seed: int = 0,
    resamples: int | None = None,
    least_share: float = LEAST_SHARE,
) -> list[list[Ratio]]:
    """Limits that hold for all ratios of all groups together with probability 1 - alpha.

    Logarithms of ratios, divided by their standard errors (delta method); the quantile is that of
    the largest absolute deviation in bootstrap resamples, studentised in each resample, the units
    of a group resampled together (Westfall & Young 1993; Davison & Hinkley 1997, Section 2.4).
    Ratios that are the same for every unit get limits that coincide with them; those that are so
    in too many resamples, which then say nothing of their spread, the limits 0 and `UNBOUNDED`,
    and so do those with a mean that less than ``least_share`` of the units make (see
    `effective_share`).
    ``resamples`` is `RESAMPLES` by default.
    Raises ValueError for groups of fewer than 10 units or with a mean that is not positive.
    """
    rng = np.random.default_rng(seed)
    resamples = resamples or RESAMPLES
    largest = np.zeros(resamples)
    ratios = sum(len(np.atleast_2d(group.exponents)) for group in groups)
    bearable = alpha / 2 / max(1, ratios)  # share of the resamples that say nothing of a ratio
    parts = []
    for group in groups:
        units = np.asarray(group.units, dtype=float)
        exponents = np.atleast_2d(np.asarray(group.exponents, dtype=float))
        if len(units) < MINIMUM_UNITS:
            raise ValueError(f"{len(units)} units; limits need at least {MINIMUM_UNITS}.")
        if not (units.mean(axis=0) > 0).all():
            raise ValueError("ratios need columns with positive means.")
        deviations = _deviations(units, exponents, resamples, rng)
        alone = np.quantile(deviations, 1 - alpha, axis=0, method="higher")
        heavy = (exponents != 0) @ (effective_share(units) < least_share)
        known = (np.isinf(deviations).mean(axis=0) <= bearable) & ~heavy
        parts.append((*_logarithms(units, exponents), np.where(known, alone, np.inf)))
        largest = np.maximum(largest, deviations[:, known].max(axis=1, initial=0.0))
    together = float(np.quantile(largest, 1 - alpha, method="higher"))
    return [[_limits(*row, together) for row in zip(*part, strict=True)] for part in parts]


def _limits(value: float, error: float, alone: float, together: float) -> Ratio:
    if np.isinf(alone):
        return Ratio(float(np.exp(value)), 0.0, UNBOUNDED, UNBOUNDED)
    return Ratio(*np.exp(value + error * np.array([0.0, -together, together, alone])).tolist())


def ratio_of_means(units: np.ndarray, alpha: float, resamples: int | None = None) -> Ratio:
    """Mean of the first column of ``units`` (n, 2) over that of the second, as the only ratio.

    Fewer than 10 units have no limits.
    """
    if len(units) < MINIMUM_UNITS:
        first, second = units.mean(axis=0)
        return Ratio.without_limits(first / second)
    ((ratio,),) = ratio_limits([Group(units, np.array([[1, -1]]))], alpha, resamples=resamples)
    return ratio


def units_to_decide(ratio: float, high: float, units: int) -> float:
    """Units with which limits as wide as up to ``high``, times 1/sqrt(units), leave the 1 out."""
    distance = abs(np.log(ratio))
    return units * (np.log(high / ratio) / max(distance, 1e-3)) ** 2


def _logarithms(units: np.ndarray, exponents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms (M,) of the ratios and their standard errors (M,)."""
    means = units.mean(axis=0)
    influence = (units / means) @ exponents.T
    errors = influence.std(axis=0, ddof=1) / np.sqrt(len(units))
    return exponents @ np.log(means), np.where(errors > ROUNDING, errors, 0.0)


def _deviations(
    units: np.ndarray, exponents: np.ndarray, resamples: int, rng: np.random.Generator
) -> np.ndarray:
    """Absolute studentised deviations (resamples, M) of the ratios.

    Infinite where a resample has no ratio, or its units agree on another one than all units have.
    """
    n = len(units)
    _, errors = _logarithms(units, exponents)
    scaled = units / units.mean(axis=0)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    means = counts @ scaled / n
    with np.errstate(divide="ignore", invalid="ignore"):  # means of 0
        spread = np.sqrt(_variances(scaled, counts, means, exponents) / (n - 1))
        deviations = np.abs(np.log(means) @ exponents.T)
        flat = np.where(deviations > ROUNDING, np.inf, 0.0)
        studentised = np.where(spread > ROUNDING, deviations / spread, flat)
    return np.where(errors > 0, np.nan_to_num(studentised, nan=np.inf, posinf=np.inf), 0.0)


def _variances(
    scaled: np.ndarray, counts: np.ndarray, means: np.ndarray, exponents: np.ndarray
) -> np.ndarray:
    """Variances (resamples, M) over the units of each resample, of a ratio's relative influence."""
    first, second = np.nonzero(np.triu(np.abs(exponents).T @ np.abs(exponents)))
    moments = counts @ (scaled[:, first] * scaled[:, second]) / len(scaled)
    moments /= means[:, first] * means[:, second]
    shares = np.where(first == second, 1.0, 2.0) * exponents[:, first] * exponents[:, second]
    return np.maximum(moments @ shares.T - exponents.sum(axis=1) ** 2, 0.0)
