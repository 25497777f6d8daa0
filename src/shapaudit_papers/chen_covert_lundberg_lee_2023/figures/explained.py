"""Figures of explainers: error by depth, error against passes, pictures."""

from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from shapaudit_audit.report.style import WIDTH, house_style, label_decades

from ..explained import (
    ROUNDING,
    Explanations,
    Studied,
    by_depth,
    by_passes,
    depths,
    with_pictures,
)

# By notebook and name: title, caption.
FIGURES = {
    "chen_covert_lundberg_lee_2023/error_by_depth": (
        "Explainers of networks, by depth",
        "Relative error of explainers of networks by number of hidden layers, beside estimators.",
    ),
    "chen_covert_lundberg_lee_2023/error_by_passes": (
        "Explainers of networks, by cost",
        "Relative error of explainers and estimators against passes through a network.",
    ),
    "chen_covert_lundberg_lee_2023/attribution_maps": (
        "Explanations of pictures",
        "Handwritten digits, their Shapley values, and the values given by explainers and "
        "estimators.",
    ),
}
COLOURS = {
    "rescale": "#D55E00",
    "reveal-cancel": "#AA4499",
    "dasp-four": "#0072B2",
    "dasp": "#56B4E9",
    "paired-kernel-shap": "#007A5A",
    "antithetic-mc": "#555555",
    "auto": "#111111",
}
OTHER = "#8A6D00"
MARKERS = {"rescale": "o", "reveal-cancel": "s", "dasp-four": "^", "dasp": "D"}
TITLES = {"relu": "ReLU"}
GIVEN = ("explicand", "reference")


def _nothing() -> Figure:
    figure, ax = plt.subplots(figsize=(WIDTH, 1))
    ax.text(0.5, 0.5, "not run in this study", ha="center", va="center")
    ax.set_axis_off()
    return figure


@house_style
def depth_figure(explanations: Explanations) -> Figure:
    """Relative error on a typical network by depth, a panel per activation.

    Explainers in full lines; estimators, dashed, with their least and largest budget.
    """
    study = by_depth(explanations)
    if study is None:
        return _nothing()
    panels = depths(study)
    size = (WIDTH, 3.1)
    figure, axes = plt.subplots(1, len(panels), figsize=size, sharey=True, squeeze=False)
    for ax, (activation, own) in zip(axes[0], panels.items(), strict=True):
        _draw_depths(ax, explanations, study, own)
        ax.set(title=TITLES.get(activation, activation), xlabel="hidden layers", yscale="log")
        ax.set_xticks(sorted(set(own.values())))
    axes[0, 0].set_ylabel("error over norm of the Shapley values")
    label_decades(axes[0, 0].yaxis)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _draw_depths(ax: Axes, explanations: Explanations, study: Studied, own: dict[str, int]) -> None:
    cells = study.shown(list(own))
    largest = {
        method: sorted({c.budget for c in cells if c.method == method})
        for method in dict.fromkeys(cell.method for cell in cells)
    }
    for method, budgets in largest.items():
        for budget in dict.fromkeys((budgets[0], budgets[-1])):
            depth = [own[c.model] for c in cells if (c.method, c.budget) == (method, budget)]
            limits = np.array(
                [
                    explanations.typical[study.name, c][:3]
                    for c in cells
                    if (c.method, c.budget) == (method, budget)
                ]
            )
            label = study.labels[method] + (f", {budget} rows" if budget else "")
            _line(ax, depth, limits, method, label, faint=bool(budget) and budget == budgets[0])


def _line(ax: Axes, x, limits: np.ndarray, method: str, label: str, faint: bool) -> None:
    colour = COLOURS.get(method, OTHER)
    middle, low, high = limits.clip(min=ROUNDING).T
    explainer = method in MARKERS
    style: dict[str, Any] = {
        "ls": "-" if explainer else "--",
        "marker": MARKERS.get(method, "."),
        "ms": 4,
    }
    ax.plot(x, middle, color=colour, label=label, alpha=0.5 if faint else 1.0, **style)
    if np.isfinite(low).all() and explainer:
        shown = np.minimum(high, 10.0)
        ax.fill_between(x, np.maximum(low, 1e-3), shown, color=colour, alpha=0.1, lw=0)


@house_style
def passes_figure(explanations: Explanations) -> Figure:
    """Relative error on a typical network against passes, a panel per study.

    Explainers are points, estimators lines over their budgets; bars are limits.
    """
    studies = [
        study
        for study in by_passes(explanations)
        if any(c.method in MARKERS for c in study.shown())
    ]
    if not studies:
        return _nothing()
    columns = min(2, len(studies))
    lines = -(-len(studies) // columns)
    size = (WIDTH, 0.6 + 2.2 * lines)
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for ax, study in zip(axes.flat, studies, strict=False):
        _draw_passes(ax, explanations, study)
    for ax in axes.flat[len(studies) :]:
        ax.set_axis_off()
    for ax in axes[:, 0]:
        ax.set_ylabel("relative error")
    entries = {
        label: handle
        for ax in axes.flat
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)
    }
    figure.legend(entries.values(), entries, loc="outside lower center", ncols=3)
    return figure


def _draw_passes(ax: Axes, explanations: Explanations, study: Studied) -> None:
    cells = study.shown()
    for method in dict.fromkeys(cell.method for cell in cells):
        own = [cell for cell in cells if cell.method == method]
        passes = [study.rows[cell] for cell in own]
        limits = np.array([explanations.typical[study.name, cell][:3] for cell in own])
        middle, low, high = limits.clip(min=ROUNDING).T
        bars = None
        if np.isfinite(low).all():
            ends = np.maximum(low, middle / 10), np.minimum(high, 10 * middle)
            bars = [middle - ends[0], ends[1] - middle]
        style: dict[str, Any] = {"color": COLOURS.get(method, OTHER), "ms": 5, "elinewidth": 0.7}
        line = "none" if method in MARKERS else "--"
        marker = MARKERS.get(method, ".")
        label = study.labels[method]
        ax.errorbar(passes, middle, yerr=bars, label=label, ls=line, marker=marker, **style)
    doubt = study.frame["reference_error"].median()
    if doubt > 0:
        ax.axhline(doubt, color="0.6", lw=0.8, ls=":", label="standard error of the reference")
    ax.set(title=study.block.label, xlabel="passes or rows", xscale="log", yscale="log")
    label_decades(ax.xaxis)
    label_decades(ax.yaxis)


@house_style
def maps_figure(explanations: Explanations) -> Figure:
    """Pictures, a row each; beside them their Shapley values and what the methods give for them.

    One scale for each picture, blue for negative contributions and red for positive ones; of
    estimators the largest budget is shown.
    """
    study = with_pictures(explanations)
    if study is None:
        return _nothing()
    kept, units = study.kept, sorted(study.kept["unit"].unique())
    most = kept.groupby("method", sort=False)["budget"].max()
    methods = [*GIVEN, *(method for method in most.index if method not in GIVEN)]
    size = (WIDTH, 0.5 + 1.0 * len(units))
    figure, axes = plt.subplots(len(units), len(methods), figsize=size, squeeze=False)
    for ax in axes.flat:
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
    for line, unit in zip(axes, units, strict=True):
        own = kept[kept["unit"] == unit]
        _draw_maps(
            line,
            {
                method: own[(own["method"] == method) & (own["budget"] == most[method])]
                .sort_values("feature")["value"]
                .to_numpy()
                for method in methods
            },
        )
    for ax, method in zip(axes[0], methods, strict=True):
        budget = f"\n{most[method]:,} rows" if most[method] else ""
        text = study.labels[method].replace(" ", "\n", 1) + budget
        ax.set_title(text, fontsize=7)
    return figure


def _draw_maps(line: np.ndarray, values: dict[str, np.ndarray]) -> None:
    """A picture and its maps, one in each of a line of axes, with their errors."""
    reference = values["reference"]
    side = int(np.sqrt(reference.size))
    scale = float(np.quantile(np.abs(reference), 0.99))
    for ax, (method, map_) in zip(line, values.items(), strict=True):
        if method == "explicand":
            ax.imshow(map_.reshape(side, side), cmap="Greys")
            continue
        ax.imshow(map_.reshape(side, side), cmap="bwr", vmin=-scale, vmax=scale)
        if method != "reference":
            error = np.linalg.norm(map_ - reference) / np.linalg.norm(reference)
            ax.set_xlabel(f"error {error:.3f}", fontsize=7)
