"""Ratios of errors with limits that hold for all of them together."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Limited(Protocol):
    """An estimate between a lower and an upper limit."""

    @property
    def low(self) -> float:
        """The lower limit."""

    @property
    def high(self) -> float:
        """The upper limit."""


def by_ratios(ratios: Iterable[Limited], below: float = 1.0, above: float = 1.0) -> str:
    """Status of the claim that every ratio is below ``below``.

    Supported when every ratio is significantly below it, refuted when a ratio is significantly
    above ``above``, inconclusive otherwise. The limits have to hold simultaneously. Raises
    ValueError without any ratio.
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
    """Status of the claim that every ratio is below ``bound``, or above it with ``larger``.

    Refuted when a ratio is on the other side by the limits ``low`` and ``high`` of its row, which
    hold simultaneously for all rows. Supported when every ratio is on this side by its own limit,
    ``high_alone`` or ``low_alone``; these need no correction, because a false claim is supported
    only if the limit of a false row fails (Berger 1982). Raises ValueError without any row.
    """
    rows = list(rows)
    if not rows:
        raise ValueError("there is no ratio to judge by.")
    joint, alone, sign = ("high", "low_alone", -1) if larger else ("low", "high_alone", 1)
    if any(sign * row[joint] > sign * bound for row in rows):
        return "refuted"
    beyond = all(sign * row[alone] < sign * bound for row in rows)
    return "supported" if beyond else "inconclusive"
