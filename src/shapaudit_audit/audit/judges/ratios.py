"""Ratios of errors with limits that hold for all of them together."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Limited(Protocol):
    """An estimate between a lower and an upper limit."""

    low: float
    high: float


def by_ratios(ratios: Iterable[Limited], below: float = 1.0, above: float = 1.0) -> str:
    """Whether every ratio is significantly below ``below``: the status of a claim that says so.

    Refuted when one is significantly above ``above``, inconclusive otherwise. The limits have to
    hold together. Raises ValueError without any ratio.
    """
    ratios = list(ratios)
    if not ratios:
        raise ValueError("there is no ratio to judge by.")
    if any(ratio.low > above for ratio in ratios):
        return "refuted"
    return "supported" if all(ratio.high < below for ratio in ratios) else "inconclusive"


def by_own_limits(
    rows: Iterable[Mapping[str, Any]], bound: float = 1.0, larger: bool = False
) -> str:
    """Whether every ratio is below ``bound``, or with ``larger`` above: a claim's status.

    Refuted when one is on the other side by the limits ``low`` and ``high`` of its row, which hold
    for all rows together. Supported when each is on this side by its own limit, ``high_alone`` or
    ``low_alone``: if one is not, that limit is wrong (Berger 1982). Raises ValueError without any.
    """
    rows = list(rows)
    if not rows:
        raise ValueError("there is no ratio to judge by.")
    joint, alone, sign = ("high", "low_alone", -1) if larger else ("low", "high_alone", 1)
    if any(sign * row[joint] > sign * bound for row in rows):
        return "refuted"
    beyond = all(sign * row[alone] < sign * bound for row in rows)
    return "supported" if beyond else "inconclusive"
