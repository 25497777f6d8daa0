"""Estimates with limits, compared with bounds that they must not exceed."""

from collections.abc import Sequence

from .ratios import Limited


def by_bound(limits: Sequence[Limited], bounds: Sequence[float]) -> str:
    """Status of the claim that every quantity is within its bound.

    Refuted when a lower limit exceeds its bound, supported when no upper limit does, inconclusive
    otherwise. The limits have to hold together. Raises ValueError without any, or where there are
    not as many bounds.
    """
    if not limits:
        raise ValueError("there is no quantity to compare with a bound.")
    pairs = list(zip(limits, bounds, strict=True))
    if any(limit.low > bound for limit, bound in pairs):
        return "refuted"
    within = all(limit.high <= bound for limit, bound in pairs)
    return "supported" if within else "inconclusive"
