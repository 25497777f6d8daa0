"""Names at the right ends of curves, so that a figure needs no legend."""

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes

SIZE = 7.0  # points
LEADING = 1.3  # distance of lines of text over their size
ROUNDING = 1e-9  # of distances between labels


def label_ends(ax: Axes, ends: Iterable[tuple[float, float, str, str]], gap: float = 5.0) -> None:
    """Write the name of each curve beside its right end, as near to it as names do not overlap.

    ``ends`` has for each curve x and y of its end, its name and its colour; ``gap`` is in points.
    The limits of the y axis must be set, and its scale; an end outside of them is named at the
    border.
    """
    scale = ax.yaxis.get_transform()
    bottom, top = scale.transform(np.array(ax.get_ylim()))
    own = ax.bbox.height / ax.figure.dpi * 72
    least = SIZE * LEADING / own * (top - bottom)
    named = sorted(
        (float(np.clip(scale.transform(np.array([y]))[0], bottom, top)), float(x), text, colour)
        for x, y, text, colour in ends
    )
    places = apart(np.array([place for place, *_ in named]), least)
    heights = scale.inverted().transform(places)
    for height, (_, x, text, colour) in zip(heights, named, strict=True):
        ax.annotate(
            text,
            (x, float(height)),
            (gap, 0),
            textcoords="offset points",
            color=colour,
            fontsize=SIZE,
            va="center",
            annotation_clip=False,
        )


def apart(places: np.ndarray, least: float) -> np.ndarray:
    """Increasing places moved as little as it takes to be ``least`` apart, about.

    Two that are so far apart but for rounding stay: else the places depended on the processor.
    """
    placed = places.copy()
    for _ in range(100):
        for k in np.flatnonzero(np.diff(placed) < (1.0 - ROUNDING) * least):
            middle = placed[k : k + 2].mean()
            placed[k : k + 2] = middle - least / 2, middle + least / 2
    return placed
