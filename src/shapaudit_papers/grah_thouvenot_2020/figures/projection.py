"""Figure of how accurate Dykstra's projection is where PSGD takes it, and far from the ball."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from shapaudit.statistics.limits import clopper_pearson
from shapaudit_audit.report.style import WIDTH, house_style

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/projection": (
        "Algorithm 2",
        "How often Algorithm 2 is capped or wrong, and by how much (claim 14).",
        ("gt20-14a", "gt20-14b"),
    ),
}

Rows = Sequence[Mapping]
ACCURATE = 1e-3  # the accuracy of the claim, in units of D
CONFIDENCE = 0.95
FAR = "Points drawn far from K"
RADII = {"public D": "D = C√d", "tight D": "D just above ‖φ*‖"}
STEPS = {"inverse": "2/(μ(t+1))", "square root": "2D/(B√t)"}
COUNTS: dict[
    str, tuple[str, dict[str, Any], float]
] = {  # what is counted: its label, its marker and how far below its row it stands
    "ball_bites": ("ball bites", {"marker": "|", "color": "0.45", "ms": 7, "mew": 1.3}, 0.0),
    "capped": ("stopped by the cap", {"marker": "o", "color": "#0072B2", "mfc": "white"}, -0.17),
    "wrong": ("wrong", {"marker": "o", "color": "#D55E00"}, 0.17),
}
WRONG = COUNTS["wrong"][1]["color"]


@house_style
def projection_figure(rows: Rows) -> Figure:
    """Shares of points that Algorithm 2 was capped at or got wrong, and the largest error.

    There is a row for each group, on the path of PSGD or drawn far from K. Limits are drawn for the
    latter only: points of one path depend on each other.
    """
    entries = _layout(rows)
    size = (WIDTH, 0.85 + 0.16 * (entries[-1][0] + 1))
    figure, axes = plt.subplots(1, 2, figsize=size, sharey=True, width_ratios=(1.25, 1))
    smallest = min(1 / row["points"] for row in rows)
    for y, _, row in entries:
        if row is not None:
            _draw_shares(axes[0], y, row, limits=group_label(row["group"])[0] == FAR)
            _draw_error(axes[1], y, row)
    _share_axis(axes[0], smallest)
    _error_axis(axes[1])
    axes[0].set_yticks([y for y, *_ in entries], [label for _, label, _ in entries])
    for tick, (_, _, row) in zip(axes[0].get_yticklabels(), entries, strict=True):
        tick.set_fontweight("bold" if row is None else "normal")
    for ax in axes:
        ax.set_ylim(entries[-1][0] + 0.7, -0.7)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="y", visible=False)
    figure.legend(handles=_handles(axes[0]), loc="outside upper center", ncols=len(COUNTS))
    return figure


def interval(count: int, points: int) -> tuple[float, float]:
    """Clopper-Pearson limits of a share, at the level `CONFIDENCE`."""
    limits = clopper_pearson("share", count, points, 1 - CONFIDENCE)
    return limits.low, limits.high


def group_label(group: str) -> tuple[str, str]:
    """Heading and label of a group of points, from its name in the claims."""
    game, *rest = group.split(", ")
    if len(rest) != 2:
        return FAR, group
    radius, rule = rest
    label = f"{RADII.get(radius, radius)}, step {STEPS.get(rule, rule)}"
    return game.replace("-", " ").capitalize(), label


def _layout(rows: Rows) -> list[tuple[float, str, Mapping | None]]:
    """Height, label and row from top to bottom; headings are without a row."""
    entries: list[tuple[float, str, Mapping | None]] = []
    heading, y = None, -1.0
    for row in rows:
        above, label = group_label(row["group"])
        if above != heading:
            y += 1 if heading is None else 1.35
            entries.append((y, above, None))
            heading = above
        y += 1
        entries.append((y, label, row))
    return entries


def _draw_shares(ax: Axes, y: float, row: Mapping, limits: bool) -> None:
    for key, (_, style, below) in COUNTS.items():
        if limits and key != "ball_bites":
            ax.plot(interval(row[key], row["points"]), [y + below] * 2, color=style["color"], lw=1)
        style = {"ms": 4, "mew": 0.9, **style} | ({} if row[key] else {"mfc": "white"})
        ax.plot(row[key] / row["points"], y + below, **style, clip_on=False, zorder=4)


def _share_axis(ax: Axes, smallest: float) -> None:
    """Logarithmic down to the smallest share that one point makes, then linear to 0."""
    ax.set_xscale("symlog", linthresh=smallest, linscale=0.8)
    ax.set(xlim=(-0.1 * smallest, 1.15), xlabel="share of the points, %")
    decades = [10.0**k for k in range(-8, 1) if 10.0**k >= 0.99 * smallest]
    ax.xaxis.set_major_locator(FixedLocator([0.0, *decades]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())


def _draw_error(ax: Axes, y: float, row: Mapping) -> None:
    error = row["largest_error"]
    face = WRONG if error > ACCURATE else "white"
    ax.plot(error, y, "o", color=WRONG if error > ACCURATE else "0.3", mfc=face, ms=4, mew=0.9)


def _error_axis(ax: Axes) -> None:
    ax.axvline(ACCURATE, color="0.15", lw=0.9, linestyle=(0, (5, 1.5)))
    ax.set(xscale="log", xlabel="largest error / D")
    low, high = ax.get_xlim()
    ax.set_xlim(low, max(high, 2))
    ax.xaxis.set_major_locator(LogLocator(numticks=5))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.text(ACCURATE / 2, 0, "asked for", ha="right", va="center", color="0.15", fontsize=7)


def _handles(ax: Axes) -> list:
    return [
        ax.plot([], [], **{"ms": 4, "mew": 0.9, "linestyle": "none", **style}, label=label)[0]
        for label, style, _ in COUNTS.values()
    ]
