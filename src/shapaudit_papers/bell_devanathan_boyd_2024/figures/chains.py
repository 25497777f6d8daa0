"""Figures of LS-SPA: the toy's lattice, errors of samplers, risk estimates, a real attribution."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from shapaudit_audit.report.end_labels import label_ends
from shapaudit_audit.report.style import DASHES, MARKERS, WIDTH, house_style, label_decades

from ..findings import Attribution, BellReplication, Chains

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "bell_devanathan_boyd_2024/toy_lattice": (
        "The toy example (Figure 1)",
        "Coalitions of the toy example with their R2; edges show the lift of the added feature.",
        ("bdb24-08a",),
    ),
    "bell_devanathan_boyd_2024/feature_chains": (
        "Errors by feature chains (Figure 2)",
        "Mean norm of the error against the number of feature chains, by kind of permutations.",
        ("bdb24-11a", "bdb24-11b", "bdb24-11c"),
    ),
    "bell_devanathan_boyd_2024/risk_estimates": (
        "Risk estimates (Figure 3)",
        "Estimated against true 95 % quantiles of the error, one point per regression.",
        ("bdb24-12a", "bdb24-12b", "bdb24-12c"),
    ),
    "bell_devanathan_boyd_2024/diabetes_attribution": (
        "A real regression",
        "Shares of R2 for the features of the diabetes data, with 95 % intervals over random "
        "splits.",
    ),
}

COLOURS = ("#0072B2", "#D55E00", "#007A5A", "#AA4499", "#8A6D00", "#56B4E9")
SAMPLERS = {
    "mc": "Monte Carlo, Gaussian",
    "antithetic pairs": "antithetic pairs, Gaussian",
    "argsort": "argsort, Gaussian",
    "permutohedron": "permutohedron, Gaussian",
    "argsort replicates": "argsort, replicates",
    "cyclic orbits": "cyclic orbits, Student",
}


def _minus(value: float) -> str:
    # Adding zero takes the sign off what rounds to it.
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "\N{MINUS SIGN}")


def _members(index: int) -> str:
    inside = ",".join(str(j + 1) for j in range(3) if index >> j & 1)
    return f"{{{inside}}}" if inside else "∅"


@house_style
def lattice_figure(replication: BellReplication) -> Figure:
    """Coalitions of the toy with their R^2, and lifts along the edges (Figure 1 of the paper)."""
    figure, ax = plt.subplots(figsize=(WIDTH * 0.72, 2.9))
    order = {0: [0], 1: [1, 2, 4], 2: [3, 5, 6], 3: [7]}
    place = {
        index: (2.0 * (k - (len(level) - 1) / 2), size)
        for size, level in order.items()
        for k, index in enumerate(level)
    }
    for low in range(8):
        for j in range(3):
            high = low | 1 << j
            if high == low:
                continue
            (x0, y0), (x1, y1) = place[low], place[high]
            ax.plot([x0, x1], [y0, y1], color="0.75", lw=0.8, zorder=1)
            # Off the middle, where edges cross.
            at = 0.5 if low in (0,) or high == 7 else 0.3
            ax.text(
                x0 + at * (x1 - x0),
                y0 + at * (y1 - y0),
                _minus(replication.toy[high] - replication.toy[low]),
                ha="center",
                va="center",
                fontsize=7,
                color=COLOURS[j],
                bbox={"fc": "white", "ec": "none", "pad": 0.6},
            )
    for index, (x, y) in place.items():
        ax.text(
            x,
            y,
            f"{_members(index)}\n{_minus(replication.toy[index])}",
            ha="center",
            va="center",
            bbox={"boxstyle": "round,pad=0.25", "fc": "white", "ec": "0.4", "lw": 0.6},
            zorder=3,
        )
    for j in range(3):
        ax.plot([], [], color=COLOURS[j], lw=0, marker="s", ms=4, label=f"feature {j + 1} joins")
    ax.legend(loc="lower right", handletextpad=0.1)
    ax.set_xlim(-2.9, 3.4)
    ax.axis("off")
    return figure


@house_style
def chains_figure(replication: BellReplication) -> Figure:
    """Error against the number of feature chains, a panel per experiment (Figure 2)."""
    panels = list(replication.chains.values())
    figure, axes = plt.subplots(
        1,
        len(panels),
        figsize=(WIDTH * (0.5 + 0.25 * (len(panels) > 1)) * 1.33, 2.5),
        squeeze=False,
    )
    known = list(dict.fromkeys(name for panel in panels for name in panel.errors.index))
    for ax, panel in zip(axes[0], panels, strict=True):
        _draw_chains(ax, panel, known)
    axes[0, 0].set_ylabel("mean norm of the error")
    return figure


def _draw_chains(ax: Axes, panel: Chains, known: list[str]) -> None:
    ends = []
    for name, errors in panel.errors.iterrows():
        k = known.index(name)
        ax.plot(
            errors.index,
            errors,
            color=COLOURS[k],
            linestyle=DASHES[k % len(DASHES)],
            marker=MARKERS[k % len(MARKERS)],
            ms=3.5,
        )
        end = errors.dropna()
        ends.append((end.index[-1], end.iloc[-1], panel.labels[name], COLOURS[k]))
    ax.axhline(panel.truth_error, color="0.5", lw=0.8)
    ax.set(xscale="log", yscale="log", xlabel="feature chains", title=panel.label)
    last = max(panel.errors.columns)
    label_ends(ax, [*ends, (last, panel.truth_error, "error of the reference", "0.4")])
    label_decades(ax.yaxis)
    shown = [*panel.errors.columns][:: -(-len(panel.errors.columns) // 4)]
    ax.set_xticks(shown, [f"{count:,}" for count in shown])
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.tick_params(axis="x", which="minor", length=0)


@house_style
def risk_figure(replication: BellReplication) -> Figure:
    """Estimated against true 95 % quantiles of the error (what Figure 3 shows for one run)."""
    figure, ax = plt.subplots(figsize=(WIDTH * 0.55, 2.9))
    rows = replication.risk
    for k, (name, label) in enumerate(SAMPLERS.items()):
        own = rows[rows["sampler"] == name]
        ax.plot(
            own["true_quantile"],
            own["estimated"],
            marker=MARKERS[k % len(MARKERS)],
            ls="",
            ms=4,
            mfc="white",
            color=COLOURS[k],
            label=label,
        )
    low, high = rows["true_quantile"].min(), rows["estimated"].max()
    ax.plot([low, high], [low, high], color="0.15", lw=0.8, zorder=1)
    ax.set_xscale("log")
    ax.set_yscale("log")
    label_decades(ax.xaxis)
    label_decades(ax.yaxis)
    ax.set_xlabel("95 % quantile of the true error")
    ax.set_ylabel("mean estimate of it")
    ax.legend()
    return figure


@house_style
def attribution_figure(attribution: Attribution) -> Figure:
    """Shares of R^2 of the features of a real regression, with 95 % intervals, own and joint."""
    figure, ax = plt.subplots(figsize=(WIDTH * 0.62, 2.6))
    order = np.argsort(attribution.values)
    ax.errorbar(
        attribution.values[order],
        np.arange(len(order)),
        xerr=attribution.joint_half_widths[order],
        fmt="none",
        color=COLOURS[0],
        lw=0.6,
        label="all together",
    )
    ax.errorbar(
        attribution.values[order],
        np.arange(len(order)),
        xerr=attribution.half_widths[order],
        fmt="o",
        ms=4,
        mfc="white",
        color=COLOURS[0],
        lw=1.6,
        label="each for itself",
    )
    ax.legend(loc="lower right", title="95 % intervals", title_fontsize=7)
    ax.axvline(0, color="0.15", lw=0.8)
    ax.set_yticks(np.arange(len(order)), [attribution.features[j] for j in order])
    ax.set_xlabel(f"share of R² ({attribution.r_squared:.2f} in all)")
    return figure
