"""Points side by side: none hides another, and their density can be seen."""

from bisect import bisect, insort
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIAMETERS = tuple(np.arange(44, 11, -2) / 10)  # points
FITTING = 0.75  # of the rows; an entry that all rows share would make all points tiny
MOST = 60  # levels on either side


def levels(places: np.ndarray, diameter: float, most: int) -> tuple[np.ndarray, int]:
    """A level for each place (n,), as near to 0 as there is room, and how many find no room.

    Places on one of the levels from -most to most are at least a diameter apart, and points for
    which none has room are on any of them. They come in a random order, which is always the same,
    so that the levels show no pattern but the density; every other one looks below the middle
    first.
    """
    rng = np.random.default_rng(0)
    taken: list[list[float]] = [[] for _ in range(2 * most + 1)]  # the last ones are below 0
    chosen = rng.integers(-most, most + 1, size=len(places))
    crowded = 0
    steps = [0, *(sign * k for k in range(1, most + 1) for sign in (1, -1))]
    for turn, point in enumerate(rng.permutation(len(places))):
        place, sign = float(places[point]), 1 - 2 * (turn % 2)
        for step in steps:
            row = taken[sign * step]
            if _free(row, place, diameter):
                insort(row, place)
                chosen[point] = sign * step
                break
        else:
            crowded += 1
    return chosen, crowded


def _free(row: list[float], place: float, diameter: float) -> bool:
    """Whether nothing in a sorted row is nearer to a place than a diameter."""
    at = bisect(row, place)
    return (at == 0 or place - row[at - 1] >= diameter) and (
        at == len(row) or row[at] - place >= diameter
    )


def swarm(
    rows: Sequence[np.ndarray], room: float, diameters: Sequence[float] = DIAMETERS
) -> tuple[list[np.ndarray], float]:
    """Offsets of the points of several rows, and the diameter of all, in the unit of ``room``.

    ``rows`` are places in points, of which each row has ``room`` on either side. The diameter is
    the largest of those given, which decrease, for which three rows in four fit. A row that does
    not is pressed together, and its points overlap.
    """

    def fits(number: int) -> bool:
        most = max(0, int(room / diameters[number] - 0.5))
        crowded = [levels(row, diameters[number], most)[1] for row in rows]
        return bool(np.mean(np.array(crowded) == 0) >= FITTING)

    diameter = diameters[min(bisect(range(len(diameters)), False, key=fits), len(diameters) - 1)]
    offsets = [levels(row, diameter, MOST)[0] * diameter for row in rows]
    widths = np.array([np.abs(row).max() for row in offsets])
    scales = np.minimum(1.0, max(0.0, room - diameter / 2) / np.maximum(widths, diameter / 2))
    return [row * scale for row, scale in zip(offsets, scales, strict=True)], diameter


def points_per_unit(ax: "Axes") -> tuple[float, float]:
    """Points of print in a unit of the x-axis and of the y-axis, once the figure is laid out."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    box = ax.get_window_extent()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    per_pixel = 72 / figure.dpi
    return per_pixel * box.width / abs(right - left), per_pixel * box.height / abs(top - bottom)
