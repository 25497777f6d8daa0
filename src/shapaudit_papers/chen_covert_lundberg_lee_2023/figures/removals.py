"""Figures of how removals err: against rows of the model, in training rows, and as data tell it."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from shapaudit_audit.report.removals import RemovalStudy
from shapaudit_audit.report.style import DASHES, MARKERS, WIDTH, house_style, label_decades

# By notebook and name: title, caption.
FIGURES = {
    "chen_covert_lundberg_lee_2023/removal_rows": (
        "Removals against rows of the model",
        "Relative error of estimates against the number of rows of the model, for the fit and one "
        "explanation together, by distribution; removals are fitted to the largest number of "
        "rows. Points are budgets; removals that need no row of the model are at the left edge. "
        "Errors beyond 2.4 are not shown.",
    ),
    "chen_covert_lundberg_lee_2023/removal_learning": (
        "Removals against training rows",
        "Relative error of the exact Shapley values of fitted games against the number of rows "
        "that removals were fitted to, by distribution. Root mean squares over fits; errors "
        "beyond 2.4 are not shown.",
    ),
    "chen_covert_lundberg_lee_2023/removal_data": (
        "What data tell of a removal",
        "Mean squared error of coalitions' values as estimated from data alone, by the model's "
        "output, against the true one, both divided by the variance that the distribution leaves; "
        "one point per removal and number of rows; errors beyond 12 are not shown. On the line "
        "the two differ by exactly that variance.",
    ),
}

# By target of a removal's card, and for conditional ones by what they use.
KINDS = {
    "another game": "#7F7F7F",
    "matching rows": "#007A5A",
    "fitted distribution": "#0072B2",
    "trained expectation": "#D55E00",
}
LAWS = ("#0072B2", "#D55E00", "#007A5A", "#AA4499", "#8A6D00", "#56B4E9")
ERRORS = (0.12, 2.4)  # what the panels show; uniform removal goes beyond
SHOWN = (0.01, 12.0), (0.4, 20.0)  # true errors of values, and those from data
LEAST = 1.0  # rows of the model at the left edge, where those that take none stand


def kind_of(study: RemovalStudy, name: str) -> str:
    """Kind of a removal, one of `KINDS`, by its card."""
    card = study.cards[name]
    if card is None or card.target != "conditional":
        return "another game"
    if card.uses == "rows":
        return "matching rows"
    return "fitted distribution" if card.uses == "distribution" else "trained expectation"


def styles(studies: Sequence[RemovalStudy]) -> dict[str, dict]:
    """Colour by kind, dashes and marker by place in the kind."""
    kinds = {name: kind_of(study, name) for study in studies for name in study.removals}
    looks, seen = {}, dict.fromkeys(KINDS, 0)
    for kind in KINDS:
        for name in (name for name, own in kinds.items() if own == kind):
            place = seen[kind]
            seen[kind] += 1
            looks[name] = {
                "color": KINDS[kind],
                "linestyle": DASHES[place % len(DASHES)],
                "marker": MARKERS[place % len(MARKERS)],
                "label": name.replace("-", " "),
            }
    return looks


def _panels(studies: Sequence[RemovalStudy], draw: Callable, xlabel: str) -> Figure:
    """A panel per study and a legend in the place of the next one."""
    columns = min(3, len(studies) + 1)
    lines = -(-(len(studies) + 1) // columns)
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(WIDTH, 0.3 + 1.85 * lines),
        squeeze=False,
        sharey=True,
        layout="constrained",
    )
    looks = styles(studies)
    for ax, study in zip(axes.flat, studies, strict=False):
        draw(ax, study, looks)
        ax.set(xscale="log", yscale="log", ylim=ERRORS, title=study.label)
        label_decades(ax.yaxis)
        label_decades(ax.xaxis)
    for k in range(lines):
        axes[k, 0].set_ylabel("relative error")
    for ax in axes.flat[len(studies) :]:
        ax.axis("off")
    for ax in axes.flat[max(0, len(studies) - columns) : len(studies)]:
        ax.set_xlabel(xlabel)
    handles = [Line2D([], [], ms=3.5, lw=1.1, **look) for look in looks.values()]
    axes.flat[len(studies)].legend(handles=handles, loc="center", ncols=2, columnspacing=1.0)
    return figure


@house_style
def rows_figure(studies: Sequence[RemovalStudy]) -> Figure:
    """Errors of estimates against rows of the model, fit included, at the most training rows."""
    return _panels(studies, _rows_panel, "rows of the model, fit included")


def _rows_panel(ax: Axes, study: RemovalStudy, looks: dict) -> None:
    splits = study.splits(0.05)
    splits = splits[splits["rows"] == max(study.block.rows)]
    for name, own in splits.groupby("removal", sort=False):
        error = np.sqrt(own["total"].clip(lower=0))
        ax.plot(own["model_rows"].clip(lower=LEAST), error, ms=3, lw=1.0, **looks[name])


@house_style
def learning_figure(studies: Sequence[RemovalStudy]) -> Figure:
    """Errors of fitted games against training rows."""
    return _panels(studies, _learning_panel, "training rows n")


def _learning_panel(ax: Axes, study: RemovalStudy, looks: dict) -> None:
    for name, curve in study.curves.iterrows():
        curve = curve.dropna()
        ax.plot(curve.index, curve, ms=3, lw=1.0, **looks[name])
    ax.set_xticks(study.curves.columns, [f"{count:,}" for count in study.curves.columns])
    ax.minorticks_off()


@house_style
def data_figure(studies: Sequence[RemovalStudy]) -> Figure:
    """The error from data against the true one, in units of the variance that the law leaves."""
    figure, ax = plt.subplots(figsize=(0.62 * WIDTH, 2.6), layout="constrained")
    for study, colour, marker in zip(studies, LAWS, (*MARKERS, "P"), strict=False):
        rest = study.remaining
        of = study.measures / rest
        ax.plot(of["error"], of["error_from_data"], marker, ms=3, color=colour, label=study.label)
    at = np.geomspace(*SHOWN[0], 100)
    ax.plot(at, 1 + at, color="0.15", lw=0.8, ls="--", zorder=1)
    ax.set(
        xscale="log",
        yscale="log",
        xlim=SHOWN[0],
        ylim=SHOWN[1],
        xlabel="true mean squared error of values",
        ylabel="the same from data",
    )
    label_decades(ax.xaxis)
    label_decades(ax.yaxis)
    figure.legend(loc="outside right center")
    return figure
