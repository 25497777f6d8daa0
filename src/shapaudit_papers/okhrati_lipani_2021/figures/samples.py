"""Figures of the experiments of Okhrati & Lipani 2021."""

import numpy as np
import pandas as pd
import scipy
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from shapaudit.samplers.quadrature import RuleName, quadrature_rule
from shapaudit_audit.report.end_labels import label_ends
from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_audit.study.samples import with_samples
from shapaudit_papers.theory.multilinear import size_moments

from ..findings.maps import Maps
from ..findings.replication import OkhratiReplication
from ..findings.trial import CASTRO, METHODS, TableExperiment

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "okhrati_lipani_2021/endpoints": (
        "Why the end points matter",
        "Sums of three grids as bars over the mean contribution e(q) of one player; below, "
        "exact expected squared errors, times evaluations, of Castro sampling and of the "
        "forms of Owen sampling, and the squared bias in them.",
        ("ol21-02a", "ol21-03a"),
    ),
    "okhrati_lipani_2021/equal_samples": (
        "Equal samples (Figure 1)",
        "Mean squared errors of Castro, Owen and halved Owen sampling against samples: exact "
        "expectations (lines) and runs (markers).",
        ("ol21-03a", "ol21-03d", "ol21-04a"),
    ),
    "okhrati_lipani_2021/deviations": (
        "Standard deviations (Figure 2)",
        "Standard deviations of the estimates along a path of growing samples, as published "
        "(lines), and over replicates (circles).",
        ("ol21-01b",),
    ),
    "okhrati_lipani_2021/saliency": (
        "Saliency maps (Figure 3)",
        "Images, reference Shapley values, and estimates: Castro and halved Owen sampling at "
        "12 samples, and the best estimator at the evaluations of the latter. One scale for "
        "all maps.",
    ),
}

NAMES = {CASTRO: "Castro", "owen": "Owen", "halved-owen": "halved Owen"}
MARKS = {CASTRO: "o", "owen": "s", "halved-owen": "^"}
COLOURS = {CASTRO: "#333333", "owen": "#0072B2", "halved-owen": "#D55E00"}
GRIDS: dict[RuleName, str] = {
    "printed": "as printed",
    "trapezoid": "trapezoid",
    "midpoint": "midpoint",
}
FORMS = {
    CASTRO: ("0.2", "Castro"),
    "owen": ("#0072B2", "weights 1/Q, as printed"),
    "me": ("#56B4E9", "equal weights, public code"),
    "owen-trapezoid": ("#E69F00", "trapezoid"),
    "me-stratified": ("#CC79A7", "stratified q"),
    "me-gauss": ("#007A5A", "Gauss–Legendre"),
}
GAPS = 6  # Q of the bars: that of Figure 3
MICRO = 1e6
SPREAD_ROUNDING = 1e-9  # of repeated runs, relative to the largest along the path
TALLEST = 7.6  # inches, a page with room for a caption


def _player(trial: TableExperiment) -> tuple[np.ndarray, float]:
    """Mean contributions (d,) by size of a player, the one whose ends matter most, and its value.

    Of the first explicand.
    """
    means = size_moments(np.asarray(trial.tables[0]))[0]
    player = int(np.argmax(np.abs(means[:, 0] + means[:, -1])))
    return means[player], float(means[player].mean())


def _curve(means: np.ndarray, q: np.ndarray) -> np.ndarray:
    """e(q) at each q."""
    size = np.arange(len(means))
    q = q[:, None]
    law = scipy.special.comb(len(size) - 1, size) * q**size * (1 - q) ** (len(size) - 1 - size)
    return law @ means


@house_style
def endpoints_figure(trial: TableExperiment) -> Figure:
    """Why the ends matter: the sums of three grids as bars over e(q), and what they cost."""
    figure = plt.figure(figsize=(WIDTH, 4.3))
    grid = figure.add_gridspec(2, 3, height_ratios=[1, 1.15])
    tops = [figure.add_subplot(grid[0, k]) for k in range(3)]
    means, value = _player(trial)
    for ax, (name, title) in zip(tops, GRIDS.items(), strict=True):
        _bars(ax, means, value, name, title)
        ax.sharey(tops[0])
    tops[0].set_ylabel("e(q) of one player")
    _exact_errors(figure.add_subplot(grid[1, :2]), figure.add_subplot(grid[1, 2]), trial)
    return figure


def _bars(ax: Axes, means: np.ndarray, value: float, name: RuleName, title: str) -> None:
    levels = GAPS if name == "midpoint" else GAPS + 1
    rule = quadrature_rule(name, levels)
    nodes, widths = rule.low, rule.weights
    heights = _curve(means, nodes)
    left = nodes - widths / 2
    if name == "trapezoid":  # the ends have half a bar, inside
        left = np.clip(left, 0, 1 - widths)
    outside = (left < -1e-9) | (left + widths > 1 + 1e-9)
    colours = np.where(outside, "#D55E00", "#9ecae1")
    ax.bar(left, heights, widths, align="edge", color=colours, edgecolor="white", lw=0.6)
    q = np.linspace(0, 1, 201)
    ax.plot(q, _curve(means, q), color="0.15")
    ax.plot(nodes, heights, "o", color="0.15", ms=2.5)
    for edge in (0, 1):
        ax.axvline(edge, color="0.15", lw=0.6, ls=":")
    total = float(widths @ heights)
    ax.set(title=f"{title}: {total / value:.3f} of the value", xlabel="q")
    ax.set_xlim(-0.14, 1.14)


def _exact_errors(ax: Axes, key: Axes, trial: TableExperiment) -> None:
    sizes = np.unique(np.geomspace(6, 2000, 16).astype(int) // 2 * 2)
    forms, totals = [form for form in FORMS if form in trial.estimators], []
    for form in forms:
        colour, label = FORMS[form]
        budgets = [with_samples(trial.estimators["owen"], s, trial.players)[1] for s in sizes]
        scaled = np.array([trial.exact(form, n) for n in budgets]) * np.array(budgets)[:, None]
        ax.plot(budgets, scaled.sum(axis=1), color=colour, label=label)
        ax.plot(budgets, scaled[:, 0], color=colour, ls=(0, (2, 1.5)), lw=1)
        totals += scaled.sum(axis=1).tolist()
    ax.set(xscale="log", yscale="log", xlabel="evaluations", ylabel="squared error × evaluations")
    ax.set_ylim(min(totals) / 30, 2 * max(totals))
    label_decades(ax.yaxis)
    label_decades(ax.xaxis)
    key.axis("off")
    key.legend(*ax.get_legend_handles_labels(), loc="upper left")
    key.text(0.04, 0.02, "solid: expected squared error\ndashed: squared bias in it", fontsize=7)


@house_style
def equal_samples_figure(replication: OkhratiReplication) -> Figure:
    """Mean errors against samples, a panel per data set: lines are exact, markers are runs."""
    trials = list(replication.trials.values())
    rows = -(-len(trials) // 2)
    figure, axes = plt.subplots(
        rows,
        min(len(trials), 2),
        figsize=(WIDTH, min(2.5 * rows, TALLEST)),
        squeeze=False,
        sharey=True,
    )
    for ax in axes.flat[len(trials) :]:
        ax.axis("off")
    panels = list(zip(axes.flat, trials, strict=False))
    ends = [_draw_means(ax, trial) for ax, trial in panels]
    for (ax, _), own in zip(panels, ends, strict=True):
        ax.set_xlabel("samples")
        label_decades(ax.yaxis)
        if ax in axes[:, -1] or ax is panels[-1][0]:
            label_ends(ax, own)
    for ax in axes[:, 0]:
        ax.set_ylabel("mean squared error / 10⁻⁶")
    return figure


def _draw_means(ax: Axes, trial: TableExperiment) -> list:
    """Draw the expected and the measured means of a data set; return the ends of the curves."""
    ends = []
    for method in METHODS:
        budgets = [trial.budget_of(method, s) for s in trial.samples]
        measured = [trial.errors(method, n).mean() * MICRO for n in budgets]
        exact = [sum(trial.exact_of_method(method, n)) * MICRO for n in budgets]
        ax.plot(trial.samples, exact, color=COLOURS[method])
        ax.plot(trial.samples, measured, MARKS[method], color=COLOURS[method], ms=4)
        ends.append((trial.samples[-1], exact[-1], NAMES[method], COLOURS[method]))
    ax.set(xscale="log", yscale="log", title=trial.label)
    label_decades(ax.xaxis)
    return ends


@house_style
def deviations_figure(replication: OkhratiReplication) -> Figure:
    """Standard deviations along a path, as published, and over replicates.

    Estimates that do not vary, but for rounding, are left out.
    """
    count = len(replication.deviations)
    rows = -(-count // 2)
    figure, axes = plt.subplots(
        rows, min(count, 2), figsize=(WIDTH, 0.5 + 2.1 * rows), squeeze=False
    )
    for ax in axes.flat[count:]:
        ax.axis("off")
    for ax, (name, frame) in zip(axes.flat, replication.deviations.items(), strict=False):
        for method in METHODS:
            own = frame[frame["estimator"] == method]
            path, again = (_mean_by_samples(own, kind) for kind in ("path", "replicates"))
            varies = again > SPREAD_ROUNDING * path.max()
            ax.plot(path.index[1:], path[1:], color=COLOURS[method])
            ax.plot(again[varies], "o--", color=COLOURS[method], mfc="white", lw=0.8, ms=4)
        ax.set(yscale="log", title=replication.games[name].label)
        label_decades(ax.yaxis)
    for ax in axes[-1]:
        ax.set_xlabel("samples")
    for ax in axes[:, 0]:
        ax.set_ylabel("standard deviation")
    kinds = [
        Line2D([], [], color="0.4", label="along a path"),
        Line2D([], [], color="0.4", ls="--", marker="o", mfc="white", label="over replicates"),
    ]
    methods = [Line2D([], [], color=COLOURS[method], label=NAMES[method]) for method in METHODS]
    figure.legend(handles=[*methods, *kinds], loc="outside lower center", ncols=5)
    return figure


def _mean_by_samples(frame: pd.DataFrame, kind: str) -> pd.Series:
    return frame[frame["kind"] == kind].groupby("samples")["deviation"].mean()


@house_style
def saliency_figure(maps: Maps, labels: dict[str, str]) -> Figure:
    """Images and maps: reference, Castro and halved Owen at 12 samples, the best at as many rows.

    All maps have one scale, blue for negative contributions and red for positive ones; pixels
    beyond it, one in a hundred of the reference, are saturated.
    """
    side = int(np.sqrt(maps.players))
    shown = maps.shown
    scale = float(np.quantile(np.abs(maps.reference[:shown]), 0.99))
    rows = [("reference", maps.reference[:shown])]
    for method, budget in maps.rows:
        error = maps.relative_error(method, budget)
        text = f"{labels[method]}\n{budget:,} evaluations\nerror {error:.2f}"
        rows.append((text, maps.map_of(method, budget)))
    figure, axes = plt.subplots(
        len(rows) + 1, shown, figsize=(WIDTH, 0.62 * (len(rows) + 1)), squeeze=False
    )
    for ax in axes.flat:
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    for ax, image in zip(axes[0], maps.images, strict=False):
        ax.imshow(image.reshape(side, side), cmap="Greys")
    for line, (text, values) in zip(axes[1:], rows, strict=True):
        line[0].set_ylabel(text, rotation=0, ha="right", va="center", fontsize=7)
        for ax, row in zip(line, values, strict=True):
            drawn = ax.imshow(row.reshape(side, side), cmap="bwr", vmin=-scale, vmax=scale)
    bar = figure.colorbar(drawn, ax=axes[1:], shrink=0.7, aspect=25, pad=0.01)
    bar.ax.tick_params(labelsize=7)
    return figure
