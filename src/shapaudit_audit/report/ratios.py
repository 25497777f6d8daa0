"""Ratios of errors that are far from 1."""

from collections.abc import Callable

LEAST, MOST = 1e-3, 999  # beyond these a ratio of errors is not shown as a number


def bounded(value: float, shown: Callable[[float], str]) -> str:
    """A ratio of errors as it is ``shown``, or ``< 0.001`` or ``> 999`` where it is far from 1.

    Nearly exact estimates err by rounding errors, and a ratio of these says nothing.
    """
    if value < LEAST or value > MOST:
        return f"< {LEAST:g}" if value < LEAST else f"> {MOST}"
    return shown(value)
