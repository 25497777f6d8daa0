"""Figure of how often the limits of ratios decide wrongly."""

from collections.abc import Mapping, Sequence
from textwrap import fill

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from shapaudit_audit.report.style import WIDTH, house_style
from shapaudit_audit.report.tasks import Task

from ..calibration import ALPHA, CORRECTED, Share, generated, of_tasks, shares

# By notebook and name: title, caption.
FIGURES = {
    "chen_covert_lundberg_lee_2023/calibration": (
        "How often limits decide wrongly",
        "Share of samples in which limits decide although there is nothing to decide, against the "
        "spread of log-normal errors (left) and for the errors of this study (right). Bars are "
        "exact limits of the simulation; lines mark the nominal levels.",
    ),
}

SPREADS = (0.3, 0.5, 1.0, 1.5, 2.0, 2.5)  # of generated laws, in logarithms
LEAST = 1e-4  # the bottom of the axis, where shares of zero begin
NARROW = 10  # characters of a line of a task's label
ROOM = 1.6  # of a task's label beside that of a spread
# Colour, marker and place beside the law, by kind and level.
STYLES = {
    ("typical", ALPHA): ("#0072B2", "o", -0.24),
    ("typical", CORRECTED): ("#56B4E9", "s", -0.08),
    ("means", ALPHA): ("#D55E00", "^", 0.08),
    ("means, by the rule", ALPHA): ("#8A6D00", "D", 0.24),
}


@house_style
def calibration_figure(tasks: Mapping[str, Task]) -> Figure:
    """Wrong decisions of each kind of limits, by law; a share of zero shows its limit alone."""
    made = [(f"{spread:g}", shares(units)) for spread, units in generated(SPREADS)]
    own = [(_narrow(label), shares(units)) for label, units in of_tasks(tasks)]
    widths = (len(made), max(2.0, ROOM * len(own)))
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(WIDTH, 2.9), sharey=True, width_ratios=widths
    )
    _draw(left, made)
    _draw(right, own)
    left.set(
        yscale="log",
        ylim=(LEAST, 1.0),
        ylabel="share of wrong decisions",
        xlabel="standard deviation of the logarithms",
        title="log-normal errors",
    )
    right.set(title="errors of this study, resampled")
    left.set_yticks([0.001, 0.01, 0.05, 0.25, 1.0], ["0.1 %", "1 %", "5 %", "25 %", "100 %"])
    left.minorticks_off()
    right.tick_params(axis="x", labelsize=7)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    return figure


def _narrow(label: str) -> str:
    return "\n".join(fill(part, NARROW) for part in label.split(", "))


def _draw(ax: Axes, laws: Sequence[tuple[str, Sequence[Share]]]) -> None:
    for level in (ALPHA, CORRECTED):
        ax.axhline(level, color="0.15", lw=0.8, ls="--", zorder=1)
    for (kind, level), (colour, marker, aside) in STYLES.items():
        for at, (_, own) in enumerate(laws):
            share = next(cell for cell in own if (cell.kind, cell.level) == (kind, level))
            limits = share.limits
            ax.plot([at + aside] * 2, [max(limits.low, LEAST), limits.high], color=colour, lw=1.0)
            if share.wrong:
                ax.plot(at + aside, limits.estimate, marker, color=colour, ms=3.6)
        ax.plot([], [], marker, color=colour, ms=3.6, label=f"{kind}, {100 * level:g} %")
    ax.set_xticks(range(len(laws)), [name for name, _ in laws])
    ax.set_xlim(-0.6, max(len(laws), 1) - 0.4)
