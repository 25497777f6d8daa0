"""Ratios of errors with limits that hold for all of them together."""

from collections.abc import Iterable
from typing import Protocol


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
