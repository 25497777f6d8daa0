"""Shares of runs whose interval covers the truth, compared with the nominal level."""

from collections.abc import Sequence

from .ratios import Limited

NEAR = 0.05  # below the level, within which a lower limit supports the claim


def by_coverage(
    limits: Sequence[Limited], level: float, margin: float = 0.0, least: bool = False
) -> str:
    """Status of the claim that intervals cover with probability ``level``.

    Refuted when a share is significantly below the level by more than ``margin``, or significantly
    above it by more than ``margin`` unless the claim is that they cover at ``least`` with that
    probability. Supported when every lower limit is within `NEAR` of the level, inconclusive
    otherwise. The limits have to hold simultaneously. Raises ValueError without any.
    """
    if not limits:
        raise ValueError("there is no coverage to judge.")
    low = any(limit.high < level - margin for limit in limits)
    high = any(limit.low > level + margin for limit in limits)
    if low or (high and not least):
        return "refuted"
    near = all(limit.low > level - NEAR for limit in limits)
    return "supported" if near else "inconclusive"
