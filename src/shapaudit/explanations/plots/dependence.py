"""Dependence: the values of one feature against its entries."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ..explanation import Explanation
from . import words
from .canvas import GREY, INK, POSITIVE, THIN, canvas, label_axes
from .entries import Entries
from .swarm import points_per_unit, swarm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEIGHT = 3.2  # inches
GAP = 0.08  # of the range of entries, between the smallest and those that are missing
MARKER = 3.6  # points


def dependence(table: Explanation, feature: int, ax: "Axes | None") -> "Axes":
    """Values of a feature by its number, with their intervals."""
    name = words.name(table.feature_names[feature])
    entries = Entries.of(table, feature).few()
    values, half = table.values[:, feature], table.half_widths()[:, feature]
    ax = canvas(ax, HEIGHT)
    ax.axhline(0, color=INK, linewidth=THIN, zorder=1)
    label_axes(ax, name, words.with_unit(f"Shapley value of {name}", table.unit))
    spread = np.concatenate([values - half, values + half, [0.0]])
    edge = 0.05 * np.ptp(spread) or 1.0
    ax.set_ylim(spread.min() - edge, spread.max() + edge)
    scale = _category_scale if entries.categories else _number_scale
    missing = ~np.isfinite(entries.places)
    left, room = scale(ax, entries, bool(missing.any()))
    places = np.where(missing, left, entries.places)
    apart = missing | bool(entries.categories)
    places[apart] = _side_by_side(ax, places[apart], values[apart], room)
    _points(ax, places[~missing], values[~missing], half[~missing], POSITIVE)
    _points(ax, places[missing], values[missing], half[missing], "white")
    return ax


def _points(ax: "Axes", x: np.ndarray, y: np.ndarray, half: np.ndarray, face: str) -> None:
    line: dict[str, Any] = {"color": GREY, "elinewidth": 0.6, "zorder": 2}
    if half.any():
        ax.errorbar(x, y, yerr=half, fmt="none", alpha=0.6, **line)
    edge = POSITIVE if face != "white" else INK
    ax.scatter(x, y, s=MARKER**2, c=face, edgecolors=edge, linewidths=THIN, zorder=3)


def _category_scale(ax: "Axes", entries: Entries, missing: bool) -> tuple[float, float]:
    """An axis of categories; return the place of missing entries, and the room at a place."""
    texts = [*["missing"] * missing, *entries.categories]
    ticks = np.arange(len(texts)) - missing
    turned: dict[str, Any] = {"rotation": 30, "ha": "right"} if sum(map(len, texts)) > 70 else {}
    ax.set_xticks(ticks, texts, parse_math=False, **turned)
    ax.set_xlim(ticks[0] - 0.5, ticks[-1] + 0.5)
    if missing:
        _divide(ax, -0.5)
    return -1.0, 0.4


def _number_scale(ax: "Axes", entries: Entries, missing: bool) -> tuple[float, float]:
    """An axis of numbers or dates; return the same as `_category_scale`."""
    present = entries.places[np.isfinite(entries.places)]
    low, high = (present.min(), present.max()) if len(present) else (0.0, 0.0)
    gap = GAP * (high - low) or 1.0
    left = low - 1.5 * gap
    if entries.dates:
        ax.xaxis_date()
    ax.set_xlim((left if missing else low) - gap / 2, high + gap / 2)
    if missing:
        ticks = [tick for tick in ax.get_xticks() if low <= tick <= high and len(present)]
        texts = ax.xaxis.get_major_formatter().format_ticks([*map(float, ticks)])
        ax.set_xticks([left, *ticks], ["missing", *texts])
        _divide(ax, low - 0.75 * gap)
    return left, 0.4 * gap


def _divide(ax: "Axes", place: float) -> None:
    """A line between missing entries and all others."""
    ax.axvline(place, color=GREY, linewidth=THIN, linestyle=(0, (2, 2)), zorder=1)


def _side_by_side(ax: "Axes", places: np.ndarray, values: np.ndarray, room: float) -> np.ndarray:
    """Points of the same place beside each other, with ``room`` on either side."""
    width, height = points_per_unit(ax)
    moved = places.copy()
    for place in np.unique(places):
        (own,) = np.nonzero(places == place)
        (offsets,), _ = swarm([values[own] * height], room * width, [MARKER + THIN])
        moved[own] += offsets / width
    return moved
