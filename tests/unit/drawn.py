"""What a figure shows, as values that a record can hold; importable from all unit tests."""

import re

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

from shapaudit_audit.report.style import WIDTH
from unit.places import ROOT

READABLE = 6.8  # points of the smallest letters on a page: 7, and a figure may be scaled a little


def shown(figure: Figure) -> dict[str, object]:
    """The size of a figure, its own texts, and each of its axes by their number.

    Settings of the house style that apply to all figures alike, such as widths of spines and
    colours of grids, are left out.
    """
    parts = {"figure": [*figure.get_size_inches(), *_artists(figure.texts + figure.legends)]}
    for number, axes in enumerate(figure.axes):
        parts[f"axes {number}"] = _axes(axes)
    return parts


def smallest_letters(figure: Figure, name: str) -> float:
    """Points of the smallest letters of a figure on the page of the report or its supplement.

    ``name`` is what the text calls the figure; one that it does not show has no such letters.
    """
    text = "".join(path.read_text("utf-8") for path in sorted((ROOT / "paper").rglob("*.tex")))
    of_line = re.search(rf"\\includegraphics\[width=([0-9.]*)\\linewidth[^]]*\]{{{name}}}", text)
    if not of_line:
        return float("inf")
    scale = float(of_line[1] or 1) * WIDTH / figure.get_figwidth()
    return scale * min(part.get_fontsize() for part in figure.findobj(Text) if part.get_visible())


def _axes(axes) -> list:
    parts = [axes.get_position(original=True).bounds, axes.axison, axes.get_legend() is not None]
    parts += [[axes.get_title(place) for place in ("left", "center", "right")], axes.get_aspect()]
    parts += [_axis(axes.xaxis), _axis(axes.yaxis)]
    others = (Axis, Spine)
    own = [
        child
        for child in axes.get_children()
        if not isinstance(child, others) and child is not axes.patch and child.get_visible()
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
    marks = [tick.tick1line.get_markersize() for tick in axis.get_major_ticks()[:1]]
    limits = [low, high, axis.get_scale(), axis.get_label_text(), axis.get_visible()]
    return [*limits, inside, len(small), texts, sizes, marks, turned, grid]


def _artists(artists) -> list:
    return [_artist(artist) for artist in artists]


def _artist(artist: Artist) -> list:
    same = [type(artist).__name__, artist.get_zorder(), artist.get_alpha(), artist.get_clip_on()]
    if isinstance(artist, Line2D):
        marker = [
            artist.get_marker(),
            artist.get_markersize(),
            _colour(artist.get_markerfacecolor()),
        ]
        dashes = str(artist._dash_pattern)
        look = [_colour(artist.get_color()), artist.get_linestyle(), dashes, artist.get_linewidth()]
        return [*same, *look, *marker, artist.get_label(), np.asarray(artist.get_xydata(), float)]
    if isinstance(artist, Text):
        look = [artist.get_fontsize(), _colour(artist.get_color()), artist.get_rotation()]
        look += [
            artist.get_horizontalalignment(),
            artist.get_verticalalignment(),
            artist.get_weight(),
        ]
        return [*same, artist.get_text(), *look, *map(_number, artist.get_position())]
    if isinstance(artist, Legend):
        texts = [text.get_text() for text in artist.get_texts()]
        colours = [_artist(handle) for handle in artist.legend_handles if handle is not None]
        return [
            *same,
            artist.get_title().get_text(),
            texts,
            colours,
            artist._ncols,
            str(artist._loc),
        ]
    if isinstance(artist, Collection):
        paths = [path.vertices for path in artist.get_paths()]
        look = [artist.get_facecolor(), artist.get_edgecolor(), artist.get_linewidth()]
        return [
            *same,
            np.ma.filled(artist.get_offsets(), np.nan),
            *paths,
            *look,
            artist.get_label(),
        ]
    if isinstance(artist, Patch):
        corners = artist.get_patch_transform().transform(artist.get_path().vertices)
        look = [
            artist.get_facecolor(),
            artist.get_edgecolor(),
            artist.get_linewidth(),
            artist.get_hatch(),
        ]
        return [*same, corners, *look, artist.get_label()]
    if isinstance(artist, AxesImage):
        colours = artist.to_rgba(artist.get_array(), norm=True)
        return [*same, np.asarray(colours, float), *artist.get_extent(), artist.get_interpolation()]
    return same


def _colour(colour) -> str:
    return colour if isinstance(colour, str) else to_hex(colour, keep_alpha=True)


def _number(value) -> float | str:
    return value if isinstance(value, str) else float(value)
