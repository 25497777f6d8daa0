"""Figure of the tasks: every estimator beside paired KernelSHAP, over many explicands."""

from collections.abc import Mapping
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from shapaudit_audit.report.ratios import bounded
from shapaudit_audit.report.style import WIDTH, house_style
from shapaudit_audit.report.tasks import Task, TaskComparison

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "chen_covert_lundberg_lee_2023/many_explicands": (
        "Many explicands",
        "Typical error relative to that of paired KernelSHAP for every estimator and task, with "
        "simultaneous limits for all ratios.",
        ("ccll23-01a", "ccll23-01b"),
    ),
}

FAMILIES = {
    "least squares": "#007A5A",
    "random order": "#0072B2",
    "multilinear": "#D55E00",
    "semivalue": "#8A6D00",
    "stochastic gradient": "#AA4499",
    "surrogate": "#56B4E9",
    "other": "#555555",
}
SHOWN = (0.1, 20.0)  # ratios beyond are off the axis, with an arrow
ROOMY = 4  # tasks beside each other; more have shorter titles and fewer ticks


@house_style
def ratios_figure(compared: TaskComparison) -> Figure:
    """Typical error over that of paired KernelSHAP, every estimator (rows) in every task (columns).

    At the headline budget, with limits that hold for all ratios together; filled where they
    leave 1 out. Families in the order of `FAMILIES`, their best on top.
    """
    rows = _rows(compared)
    count = max(1, len(compared.tasks))
    size = (WIDTH, 1.0 + 0.155 * (max(rows.values(), default=1) + 1))
    figure, axes = plt.subplots(1, count, figsize=size, sharey=True, squeeze=False)
    for ax, task in zip(axes[0], compared.tasks.values(), strict=False):
        _draw_ratios(ax, compared, task, rows, roomy=count <= ROOMY)
    _name_rows(axes[0, 0], compared, rows)
    figure.supxlabel("typical error over that of paired KernelSHAP", fontsize=8)
    return figure


def _rows(compared: TaskComparison) -> dict[str, float]:
    """Height of every estimator, from the top; a gap between families."""
    shown = compared.at_headline(compared.ratios)
    means = np.log(shown["ratio"]).groupby(shown["a"]).mean()
    rows, y = {}, 0.0
    for family in FAMILIES:
        names = [name for name in compared.estimators.get(family, []) if name in means.index]
        for name in sorted(names, key=lambda name: means[name]):
            rows[name] = y
            y += 1
        y += 0.8 * bool(names)
    return rows


def _draw_ratios(
    ax: Axes, compared: TaskComparison, task: Task, rows: Mapping[str, float], roomy: bool
) -> None:
    colours = {name: FAMILIES[f] for f, names in compared.estimators.items() for name in names}
    shown = compared.at_headline(compared.ratios)
    for row in shown[shown["task"] == task.name].itertuples():
        y, colour = rows[row.a], colours[row.a]
        low, high = np.clip([row.low, row.high], *SHOWN)
        ax.plot([low, high], [y, y], color=colour, lw=0.9)
        if SHOWN[0] <= row.ratio <= SHOWN[1]:
            face = colour if row.low > 1 or row.high < 1 else "white"
            ax.plot(row.ratio, y, "o", color=colour, mfc=face, ms=3.4, mew=0.8)
        else:
            _point_beyond(ax, row.ratio, y, colour)
    ax.axvline(1, color="0.15", lw=0.8, zorder=1)
    ax.tick_params(axis="y", length=0)
    ax.set(xscale="log", xlim=(SHOWN[0] / 1.15, SHOWN[1] * 1.15))
    ax.xaxis.set_major_locator(FixedLocator([0.1, 0.3, 1, 3, 10] if roomy else [0.1, 1, 10]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    title = f"{task.label.replace(', ', chr(10))}\n{task.headline:,} evaluations"
    if not roomy:
        title = "\n".join(fill(line, 11) for line in title.splitlines())
    ax.set_title(title, fontsize=7.5 if roomy else 7)


def _point_beyond(ax: Axes, ratio: float, y: float, colour: str) -> None:
    """An arrow at the end of the axis with the value that lies beyond it."""
    right = ratio > SHOWN[1]
    edge = SHOWN[1] if right else SHOWN[0]
    ax.plot(edge, y, ">" if right else "<", color=colour, ms=5, clip_on=False)
    text = bounded(ratio, _two_digits)
    place: dict[str, Any] = {
        "ha": "right" if right else "left",
        "va": "center",
        "fontsize": 7,
        "color": colour,
    }
    ax.text(edge / 1.25 if right else edge * 1.25, y, text, backgroundcolor="white", **place)


def _two_digits(ratio: float) -> str:
    """A ratio to two significant digits, without an exponent."""
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _name_rows(ax: Axes, compared: TaskComparison, rows: Mapping[str, float]) -> None:
    ax.set_yticks(list(rows.values()), [compared.label_of(name) for name in rows], fontsize=7)
    colours = {name: FAMILIES[f] for f, names in compared.estimators.items() for name in names}
    for tick, name in zip(ax.get_yticklabels(), rows, strict=True):
        tick.set_color(colours[name])
    ax.set_ylim(max(rows.values(), default=0) + 0.7, -0.7)
