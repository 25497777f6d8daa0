"""Thresholds of comparisons in float32 and in float64 that come to the same."""

import numpy as np


def just_above(thresholds: np.ndarray) -> np.ndarray:
    """The float32 t' with x <= t just where x < t', for float32 x and float64 thresholds t."""
    with np.errstate(over="ignore"):
        rounded = thresholds.astype(np.float32)
        below = np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)
        return np.nextafter(below, np.float32(np.inf))


def last_below(thresholds: np.ndarray) -> np.ndarray:
    """The largest float64 whose float32 is below a float32 threshold: x < t in float32 is x <= it.

    It is half-way between the threshold and the float32 before it, where rounding to even goes to
    the one before, and the float64 below otherwise.
    """
    above = thresholds.astype(np.float32)
    before = np.nextafter(above, np.float32(-np.inf))
    with np.errstate(over="ignore", invalid="ignore"):
        middle = before.astype(np.float64) / 2 + above.astype(np.float64) / 2
    down = middle.astype(np.float32) < above
    return np.where(down, middle, np.nextafter(middle, -np.inf))
