"""Confidence limits for many ratios of means at once, over independent units."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

RESAMPLES = 9999
MINIMUM_UNITS = 10  # fewer make no limits worth having


class Group(NamedTuple):
    """Independent units, positive columns (n, K), and ratios (M, K) of the columns' means.

    A ratio is a product of the means to its exponents: (1, -1) is mean over mean, (1, -1, -1, 1)
    a ratio of two ratios.
    """

    units: np.ndarray
    exponents: np.ndarray


class Ratio(NamedTuple):
    """An estimated ratio, its limits together with all others, and its upper limit alone.

    The latter is what it takes to say that *all* ratios are below 1: if one of them is not, its
    own limit must be wrong (Berger 1982), whatever the number of ratios.
    """

    estimate: float
    low: float
    high: float
    high_alone: float

    @property
    def word(self) -> str:
        """What the limits of all ratios together say of this one."""
        if self.high < 1:
            return "smaller"
        return "larger" if self.low > 1 else "undecided"


def ratio_limits(groups: Sequence[Group], alpha: float, seed: int = 0) -> list[list[Ratio]]:
    """Limits that hold for all ratios of all groups together with probability 1 - alpha.

    Logarithms of ratios, divided by their standard errors (delta method); the quantile is that of
    the largest absolute deviation in bootstrap resamples, studentised in each resample, the units
    of a group resampled together (Westfall & Young 1993; Davison & Hinkley 1997, Section 2.4).
    Ratios that are the same for every unit get limits that coincide with them. Raises ValueError
    for groups of fewer than 10 units or with a mean that is not positive.
    """
    rng = np.random.default_rng(seed)
    largest = np.zeros(RESAMPLES)
    parts = []
    for group in groups:
        units = np.asarray(group.units, dtype=float)
        exponents = np.atleast_2d(np.asarray(group.exponents, dtype=float))
        if len(units) < MINIMUM_UNITS:
            raise ValueError(f"{len(units)} units; limits need at least {MINIMUM_UNITS}.")
        if not (units.mean(axis=0) > 0).all():
            raise ValueError("ratios need columns with positive means.")
        deviations = _deviations(units, exponents, rng)
        alone = np.quantile(deviations, 1 - alpha, axis=0, method="higher")
        parts.append((*_logarithms(units, exponents), alone))
        largest = np.maximum(largest, deviations.max(axis=1))
    together = np.quantile(largest, 1 - alpha, method="higher")
    return [
        [
            Ratio(*np.exp(value + error * np.array([0.0, -together, together, alone])).tolist())
            for value, error, alone in zip(*part, strict=True)
        ]
        for part in parts
    ]


def joint_ratios(
    units: Mapping[Any, pd.DataFrame], contrasts: Sequence[tuple[str, str]], alpha: float
) -> dict[Any, list[Ratio]]:
    """Ratios of mean errors, first over second, with limits for all of them together.

    ``units`` are frames of errors, a row per independent unit and a column per estimator; fewer
    than 10 units have no limits.
    """
    groups = {}
    for key, frame in units.items():
        exponents = np.zeros((len(contrasts), frame.shape[1]))
        for row, (a, b) in zip(exponents, contrasts, strict=True):
            row[frame.columns.get_loc(a)], row[frame.columns.get_loc(b)] = 1, -1
        groups[key] = Group(frame.to_numpy(), exponents)
    if min(len(group.units) for group in groups.values()) >= MINIMUM_UNITS:
        return dict(zip(groups, ratio_limits(list(groups.values()), alpha), strict=True))
    means = {key: frame.mean() for key, frame in units.items()}
    bare = (np.nan, np.nan, np.nan)
    return {k: [Ratio(float(m[a] / m[b]), *bare) for a, b in contrasts] for k, m in means.items()}


def _logarithms(units, exponents):
    """Logarithms (M,) of the ratios and their standard errors (M,)."""
    means = units.mean(axis=0)
    influence = (units / means) @ exponents.T
    errors = influence.std(axis=0, ddof=1) / np.sqrt(len(units))
    return exponents @ np.log(means), np.where(errors > 1e-12, errors, 0.0)


def _deviations(units, exponents, rng):
    """Absolute studentised deviations (RESAMPLES, M) of the ratios."""
    n = len(units)
    values, errors = _logarithms(units, exponents)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=RESAMPLES).astype(float)
    means = counts @ units / n
    deviations = np.zeros((RESAMPLES, len(values)))
    for m in np.flatnonzero(errors):
        used = np.flatnonzero(exponents[m])
        weights = exponents[m, used] / means[:, used]
        influence = weights @ units[:, used].T - exponents[m].sum()
        spread = np.sqrt((counts * influence**2).sum(axis=1) / (n * (n - 1)))
        deviation = np.abs(np.log(means[:, used]) @ exponents[m, used] - values[m])
        # A resample of one unit only has no spread, and says nothing.
        np.divide(deviation, spread, out=deviations[:, m], where=spread > 0)
    return deviations
