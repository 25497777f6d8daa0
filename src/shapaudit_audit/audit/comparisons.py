"""Rows of ratios of errors in verdicts: ratio, low, high, error (smaller, larger, undecided)."""

from collections.abc import Callable, Iterable, Sequence

from shapaudit.statistics.limits import Limit

from .evidence import Evidence
from .numbers_in_words import show

WORDS = ("smaller", "larger", "undecided")  # of `statistics.simultaneous.verdict`


def limits_of(
    rows: Sequence[Evidence], name: Callable[[Evidence], str], alpha: float
) -> tuple[Limit, ...]:
    """The limits of rows with ratio, low and high, at the level 1 - alpha of their family."""
    return tuple(Limit(name(row), row["ratio"], row["low"], row["high"], 1 - alpha) for row in rows)


def span(values: Iterable[float]) -> str:
    """The smallest and the largest value in words, or one number where both round to it."""
    values = list(values)
    low, high = show(min(values)), show(max(values))
    return low if low == high else f"{low} to {high}"


def out_of(count: int, total: int) -> str:
    """A count out of a total in words: "none of 50", "all 16", "1 of 32"."""
    if count == total:
        return f"all {total}"
    return f"{count or 'none'} of {total}"


def count_words(rows: Sequence[Evidence], words: Sequence[str] = WORDS) -> dict[str, int]:
    """Number of rows by the word for their error."""
    return {word: sum(row["error"] == word for row in rows) for word in words}
