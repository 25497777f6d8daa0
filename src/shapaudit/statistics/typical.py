"""Limits of the ratio of errors on a typical unit: the median over independent units, exactly.

A mean of errors is not bounded by a few dozen units whose tail is heavy: whatever is resampled,
the units that would make the mean are missing from most samples, and the estimator with the
heavier tail is called the better one. The median of the ratios has limits that hold whatever the
law is. It answers the question of a reader with one game in hand: by what factor does the error
change on a typical one, half of all games having a smaller factor and half a larger one?
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from .limits import MINIMUM_UNITS, UNBOUNDED, limit_rank
from .simultaneous import Group, Ratio, contrasts_of

TINY = 1e-300  # in the place of an error of 0, so that two of them have the ratio 1


def typical_limits(groups: Sequence[Group], alpha: float) -> list[list[Ratio]]:
    """Median ratios over the units, limits that hold for all together with probability 1 - alpha.

    A unit's ratio is the product of its columns to the exponents; two errors of 0 are equal. The
    limits are order statistics (`limit_rank`) at alpha over the number of ratios of all groups
    (Bonferroni), exact for every law and every number of units; they are 0 and `UNBOUNDED` where
    the units are too few. ``high_alone`` is a limit at alpha.
    Raises ValueError for groups of fewer than 10 units, or with errors below 0.
    """
    share = alpha / max(1, sum(len(np.atleast_2d(group.exponents)) for group in groups))
    return [_limits_of(group, alpha, share) for group in groups]


def _limits_of(group: Group, alpha: float, share: float) -> list[Ratio]:
    units = np.asarray(group.units, dtype=float)
    if len(units) < MINIMUM_UNITS:
        raise ValueError(f"{len(units)} units; limits need at least {MINIMUM_UNITS}.")
    if not (units >= 0).all():
        raise ValueError("ratios need columns of errors, which are not negative.")
    exponents = np.atleast_2d(np.asarray(group.exponents, dtype=float))
    ratios = np.sort(np.exp(np.log(units.clip(min=TINY)) @ exponents.T), axis=0)
    both, alone = (limit_rank(len(units), rate) for rate in (share / 2, alpha))
    none = np.zeros(ratios.shape[1])
    low = ratios[both - 1] if both else none
    high, high_alone = (ratios[-k] if k else none + UNBOUNDED for k in (both, alone))
    table = np.minimum([np.median(ratios, axis=0), low, high, high_alone], UNBOUNDED)
    return [Ratio(*row) for row in table.T.tolist()]


def joint_ratios(
    units: Mapping[Any, pd.DataFrame], contrasts: Sequence[tuple[str, str]], alpha: float
) -> dict[Any, list[Ratio]]:
    """Ratios of errors on a typical unit, first over second, limits for all of them together.

    ``units`` are frames of errors, a row per independent unit and a column per estimator; fewer
    than 10 units in one of them leave all without limits.
    """
    groups = {key: contrasts_of(frame, contrasts) for key, frame in units.items()}
    if min(len(group.units) for group in groups.values()) >= MINIMUM_UNITS:
        return dict(zip(groups, typical_limits(list(groups.values()), alpha), strict=True))
    return {
        key: [Ratio.without_limits((frame[a] / frame[b]).median()) for a, b in contrasts]
        for key, frame in units.items()
    }


def typical_ratio(units: np.ndarray, alpha: float) -> Ratio:
    """First column of ``units`` (n, 2) over the second on a typical unit, as the only ratio.

    Fewer than 10 units have no limits.
    """
    frame = pd.DataFrame(units, columns=["first", "second"])
    return joint_ratios({"only": frame}, [("first", "second")], alpha)["only"][0]
