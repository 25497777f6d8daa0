"""Figure of the radius D: what it does to the bounds, and what to the algorithm."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter

from shapaudit_audit.report.style import DASHES, WIDTH, house_style, label_decades

from .rates import GAME_COLOURS

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/radius": (
        "What the radius does",
        "Bounds, second moments and errors against the radius D of the ball (claims 4e to 4h).",
        ("gt20-04e", "gt20-04f", "gt20-04g", "gt20-04h"),
    ),
}

BOUNDS = {"inverse_bound": "4κ²/T", "square_root_bound": "4Dκ/√T", "kappa": "κ/C"}
SHADES = ("0.1", "0.55", "0.75")  # by number of players
RATIO_LIMITS = (0.5, 40.0)
_LEGEND = {
    "fontsize": 6.5,
    "labelspacing": 0.25,
    "frameon": True,
    "edgecolor": "none",
    "framealpha": 0.9,
    "borderpad": 0.3,
    "borderaxespad": 0.2,
}


@house_style
def radius_figure(rows: Sequence[Mapping], specs: Mapping[str, dict], steps: int) -> Figure:
    """Bounds and exact errors, second moments, and errors relative to D = C sqrt(d), against D.

    ``rows`` are those of the claim gt20-04g, ``specs`` the ``games`` block of the study, ``steps``
    the number of steps of bounds and errors. Lines are medians over explicands, bands their range.
    In the shaded part the ball leaves out the Shapley values of some explicands or of all.
    """
    figure, axes = plt.subplots(1, 3, figsize=(WIDTH, 2.75), sharex=True)
    games = list(dict.fromkeys(row["game"] for row in rows))
    colours = dict(zip(games, GAME_COLOURS, strict=False))
    members = {game: [row for row in rows if row["game"] == game] for game in games}
    for ax in axes:
        ax.set(xscale="log", yscale="log", xlabel="D / (C√d)")
    _draw_bounds(axes[0], members, colours)
    axes[0].set_title(f"Bound and error, T = {steps:,}")
    axes[0].set_ylabel("squared error / C²")
    for game, mine in members.items():
        _draw_ratio(axes[1], mine, "moment", colours[game], DASHES[0])
        _draw_ratio(axes[1], mine, "moment_at_start", colours[game], DASHES[1])
        _draw_ratio(axes[2], mine, "square_root", colours[game], DASHES[0])
        _draw_ratio(axes[2], mine, "constant", colours[game], DASHES[2])
    axes[1].set_title("Second moment")
    axes[2].set_title(f"Exact error, T = {steps:,}")
    axes[1].set_ylabel("relative to D = C√d")
    _legend_of(axes[1], {"at φ*": DASHES[0], "at φ₀": DASHES[1]})
    _legend_of(axes[2], {"step 2D/(B√t)": DASHES[0], "constant step": DASHES[2]})
    edge = max(row["largest_least"] for row in rows)
    for ax in axes:
        ax.set_xlim(min(row["radius"] for row in rows), max(row["radius"] for row in rows))
        ax.axvspan(ax.get_xlim()[0], edge, color="0.93", zorder=0, linewidth=0)
        ax.xaxis.set_major_locator(LogLocator(numticks=6))
        ax.axvline(1, color="0.3", lw=0.8)
    axes[0].yaxis.set_major_locator(LogLocator(numticks=7))
    axes[0].yaxis.set_minor_formatter(NullFormatter())
    for ax in axes[1:]:
        ax.set_ylim(RATIO_LIMITS)
        label_decades(ax.yaxis)
    handles = [Line2D([], [], color=colours[game], label=specs[game]["label"]) for game in games]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(games))
    return figure


def _draw_bounds(ax: Axes, members: Mapping[str, Sequence[Mapping]], colours: Mapping) -> None:
    """Bounds and kappa by number of players, in grey, and the median exact error by game."""
    players = {rows[0]["players"]: rows for rows in members.values()}
    handles = [
        Line2D([], [], color=SHADES[0], linestyle=dashes, lw=1.1, label=label)
        for dashes, label in zip(DASHES, BOUNDS.values(), strict=False)
    ]
    for shade, (d, rows) in zip(SHADES, sorted(players.items(), reverse=True), strict=False):
        x = [row["radius"] for row in rows]
        for dashes, key in zip(DASHES, BOUNDS, strict=False):
            ax.plot(x, [row[key] for row in rows], color=shade, linestyle=dashes, lw=1.1)
        handles.append(Line2D([], [], color=shade, lw=4, label=f"d = {d}"))
    for game, rows in members.items():
        x, y = ([row[key] for row in rows] for key in ("radius", "median_square_root"))
        ax.plot(x, y, color=colours[game])
    ax.legend(handles=handles, loc="upper left", handlelength=2.2, **_LEGEND | {"framealpha": 0})
    ax.set_ylim(top=100 * ax.get_ylim()[1])


def _draw_ratio(ax: Axes, rows: Sequence[Mapping], name: str, colour: str, dashes) -> None:
    x = [row["radius"] for row in rows]
    low, middle, high = (
        [row[f"{word}_{name}_ratio"] for row in rows] for word in ("smallest", "median", "largest")
    )
    ax.fill_between(x, low, high, color=colour, alpha=0.1, linewidth=0)
    ax.plot(x, middle, color=colour, linestyle=dashes)


def _legend_of(ax: Axes, entries: Mapping[str, Any]) -> None:
    lines = [
        Line2D([], [], color="0.3", linestyle=dashes, label=label)
        for label, dashes in entries.items()
    ]
    ax.legend(handles=lines, loc="upper right", handlelength=2.2, **_LEGEND)
