"""How names, entries and numbers are written in a figure."""

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

NAME, ENTRY = 28, 16  # characters of a label at most
WHOLE = 1e6  # numbers from here on are written with an exponent


def shortened(text: object, length: int) -> str:
    """A text on one line, its middle left out where it is longer than ``length``."""
    line = " ".join(str(text).split())
    if len(line) <= length:
        return line
    tail = (length - 1) // 2
    return f"{line[: length - 1 - tail]}…{line[-tail:]}"


def number(value: float) -> str:
    """Three significant digits, and all digits before the point up to a million."""
    return _written(value, 3)


def signed(value: float) -> str:
    """A number with its sign; none of 0."""
    return _signed(value, number(abs(value)))


def with_error(value: float, half: float) -> str:
    """A signed value and the half-width of its interval, where it has one.

    The half-width has two digits; the value no more decimal places than that.
    """
    if half == 0:
        return signed(value)
    places = max(0, min(_places(half, 2), _places(value, 3)))
    size = number(abs(value)) if abs(value) >= WHOLE else f"{abs(value):.{places}f}"
    return f"{_signed(value, size)} ± {_written(half, 2)}"


def with_limits(mean: float, low: float, high: float) -> str:
    """A number and its limits in brackets, where they are known and differ."""
    if np.isnan(low) or low == high:
        return number(mean)
    return f"{number(mean)}  [{number(low)}, {number(high)}]"


def _written(value: float, digits: int) -> str:
    if value == 0:
        return "0"
    whole = 10**digits <= abs(value) < WHOLE
    text = f"{value:.0f}" if whole else f"{value:#.{digits}g}".removesuffix(".")
    return text.replace("-", "−")


def _signed(value: float, size: str) -> str:
    return size if value == 0 else f"{'+' if value > 0 else '−'}{size}"


def _places(value: float, digits: int) -> int:
    """Decimal places of a number's first digits; those of 0 are without end."""
    return 99 if value == 0 else digits - 1 - int(np.floor(np.log10(abs(value))))


def entry(value: Any) -> str:
    """An entry of a table, short: numbers, dates without a time of midnight, "missing"."""
    if np.ndim(value) == 0 and pd.isna(value):
        return "missing"
    if isinstance(value, bool | np.bool_ | str):
        return shortened(value, ENTRY)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return entry(pd.Series([value]).iloc[0])
    if isinstance(value, pd.Timestamp | pd.Timedelta):
        return str(value).removesuffix(" 00:00:00")
    if isinstance(value, Integral):
        return number(float(value)) if abs(int(value)) >= WHOLE else str(value).replace("-", "−")
    if isinstance(value, Real):
        return _of_float(float(value))
    return shortened(value, ENTRY)


def _of_float(value: float) -> str:
    """As `number`, but whole numbers without a decimal point: 5 and not 5.00."""
    whole = value.is_integer() and abs(value) < WHOLE
    return f"{value:.0f}".replace("-", "−") if whole else number(value)


def entries(texts: Iterable[str]) -> str:
    """The entries of a group."""
    return shortened(", ".join(texts), 2 * ENTRY)


def name(feature: str) -> str:
    """The name of a feature, short."""
    return shortened(feature, NAME)


def with_unit(label: str, unit: str) -> str:
    """The label of an axis, the unit in brackets."""
    return f"{label} ({unit})" if unit else label


def others(count: int) -> str:
    """The label of features that are summed up."""
    return f"sum of {count} others"
