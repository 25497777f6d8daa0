"""Shares of runs whose interval covers the truth, against the level that was promised."""

from collections.abc import Sequence

from .ratios import Limited

NEAR = 0.05  # below the level, up to where a lower limit supports it


def by_coverage(
    limits: Sequence[Limited], level: float, margin: float = 0.0, least: bool = False
) -> str:
    """Whether intervals cover with probability ``level``: the status of a claim that says so.

    Refuted when a share is significantly below the level by more than ``margin``, or above it by
    more than that unless the level is what they cover at ``least``. Supported when every lower
    limit is within `NEAR` of the level, inconclusive otherwise. The limits have to hold together.
    Raises ValueError without any.
    """
    if not limits:
        raise ValueError("there is no coverage to judge.")
    low = any(limit.high < level - margin for limit in limits)
    high = any(limit.low > level + margin for limit in limits)
    if low or (high and not least):
        return "refuted"
    near = all(limit.low > level - NEAR for limit in limits)
    return "supported" if near else "inconclusive"
