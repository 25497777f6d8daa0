"""Figures and tables that papers print, described in words, beside those of this study."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .findings import Findings
from .site.text import number, words

Rows = Sequence[Mapping[str, float | int | str]]


@dataclass(frozen=True)
class Original:
    """A figure or a table of a paper; it is described, never copied.

    Attributes
    ----------
    item : its name in the paper, "Figure 2"
    shows : axes and curves, or rows and columns
    read : the conclusion of its authors, and the differences in ours
    figures : ours, by notebook and name
    compare : makes rows, with the same keys, of the printed numbers beside ours; None where no
        numbers are printed or read off the figure
    """

    item: str
    shows: str
    read: str
    figures: tuple[str, ...] = ()
    compare: Callable[[Findings], Rows] | None = None


def interval(low: float, high: float) -> str:
    """Limits as a cell of a table; a dash where there are none."""
    return f"{number(low)} to {number(high)}" if low == low else "–"


def table_of(rows: Rows) -> dict[str, list] | None:
    """Head and cells in words, or None without rows. A row need not have all keys."""
    if not rows:
        return None
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[number(row.get(key)) for key in keys] for row in rows]
    return {"head": [words(key) for key in keys], "cells": cells}
