"""What a figure shows, as values that a record can hold; importable from all unit tests."""

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axis import Axis
from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.spines import Spine
from matplotlib.text import Text


def shown(figure: Figure) -> dict[str, object]:
    """The size of a figure, its own texts, and each of its axes by their number.

    Settings of the house style that apply to all figures alike, such as widths of spines and
    colours of grids, are left out.
    """
    found = {"figure": [*figure.get_size_inches(), *_artists(figure.texts + figure.legends)]}
    for number, axes in enumerate(figure.axes):
        found[f"axes {number}"] = _axes(axes)
    return found


def _axes(axes) -> list:
    parts = [axes.get_position(original=True).bounds, axes.axison, axes.get_legend() is not None]
    parts += [[axes.get_title(place) for place in ("left", "center", "right")], axes.get_aspect()]
    parts += [_axis(axes.xaxis), _axis(axes.yaxis)]
    others = (Axis, Spine)
    own = [
        one
        for one in axes.get_children()
        if not isinstance(one, others) and one is not axes.patch and one.get_visible()
    ]
    return parts + _artists(own)


def _axis(axis: Axis) -> list:
    low, high = axis.get_view_interval()
    inside = [value for value in axis.get_majorticklocs() if low <= value <= high]
    small = [value for value in axis.get_minorticklocs() if low <= value <= high]
    texts = axis.get_major_formatter().format_ticks(axis.get_majorticklocs())
    sizes = [tick.label1.get_fontsize() for tick in axis.get_major_ticks()[:1]]
    turned = [tick.label1.get_rotation() for tick in axis.get_major_ticks()[:1]]
    grid = [line.get_visible() for line in axis.get_gridlines()[:1]]
    limits = [low, high, axis.get_scale(), axis.get_label_text(), axis.get_visible()]
    return [*limits, inside, len(small), texts, sizes, turned, grid]


def _artists(artists) -> list:
    return [_artist(one) for one in artists]


def _artist(one: Artist) -> list:
    same = [type(one).__name__, one.get_zorder(), one.get_alpha(), one.get_clip_on()]
    if isinstance(one, Line2D):
        marker = [one.get_marker(), one.get_markersize(), _colour(one.get_markerfacecolor())]
        dashes = str(one._dash_pattern)
        look = [_colour(one.get_color()), one.get_linestyle(), dashes, one.get_linewidth()]
        return [*same, *look, *marker, one.get_label(), np.asarray(one.get_xydata(), float)]
    if isinstance(one, Text):
        look = [one.get_fontsize(), _colour(one.get_color()), one.get_rotation()]
        look += [one.get_horizontalalignment(), one.get_verticalalignment(), one.get_weight()]
        return [*same, one.get_text(), *look, *map(_number, one.get_position())]
    if isinstance(one, Legend):
        texts = [text.get_text() for text in one.get_texts()]
        colours = [_artist(handle) for handle in one.legend_handles if handle is not None]
        return [*same, one.get_title().get_text(), texts, colours, one._ncols, str(one._loc)]
    if isinstance(one, Collection):
        paths = [path.vertices for path in one.get_paths()]
        look = [one.get_facecolor(), one.get_edgecolor(), one.get_linewidth()]
        return [*same, np.ma.filled(one.get_offsets(), np.nan), *paths, *look, one.get_label()]
    if isinstance(one, Patch):
        corners = one.get_patch_transform().transform(one.get_path().vertices)
        look = [one.get_facecolor(), one.get_edgecolor(), one.get_linewidth(), one.get_hatch()]
        return [*same, corners, *look, one.get_label()]
    if isinstance(one, AxesImage):
        colours = one.to_rgba(one.get_array(), norm=True)
        return [*same, np.asarray(colours, float), *one.get_extent(), one.get_interpolation()]
    return same


def _colour(colour) -> str:
    return colour if isinstance(colour, str) else to_hex(colour, keep_alpha=True)


def _number(value) -> float | str:
    return value if isinstance(value, str) else float(value)
