"""Figure of the curvature of F, and of the inequality that holds on the hyperplane only."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullLocator

from shapaudit.samplers.gradients import strong_convexity
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.report.style import WIDTH, house_style, label_decades
from shapaudit_papers.theory.least_squares import LeastSquaresProblem, spectrum

# By notebook and name: title, caption, claims that it shows.
FIGURES = {
    "audit/curvature": (
        "Least squares and curvature",
        "Eigenvalues of the Hessian of F beside the printed one (claim 2b), and the "
        "inequality that fails off the hyperplane (claim 9a).",
        ("gt20-02b", "gt20-09a"),
    ),
}

AND_GAME = (0, 0, 0, 1)  # v(M) = 1 for two players, all else 0: the counterexample of claim 9a
LARGEST_DIMENSION = 64
SPAN = (-3.25, 1.6)  # signed distances from phi* in the right panel
PRINTED: dict[str, Any] = {"color": "#D55E00", "linestyle": (0, (5, 1.5))}
HYPERPLANE, ONES = "#0072B2", "#007A5A"
BELOW: dict[str, Any] = {"ha": "right", "va": "top"}
BOTH_ENDS = {"arrowstyle": "<->", "color": "0.3", "lw": 0.7, "shrinkA": 0, "shrinkB": 0}


@house_style
def curvature_figure(counterexample: Sequence[Mapping]) -> Figure:
    """Eigenvalues of the Hessian of F beside the printed one; F - F* beside the printed bound.

    ``counterexample`` are the rows of the claim on the inequality off the hyperplane: ``left`` the
    squared distance of a point of the game `AND_GAME` to phi*, ``right`` (2 / mu) (F - F*) there.
    """
    figure, axes = plt.subplots(1, 2, figsize=(WIDTH, 2.75), width_ratios=(1, 1.12))
    _draw_eigenvalues(axes[0])
    _draw_excess(axes[1], counterexample)
    return figure


def _draw_eigenvalues(ax: Axes) -> None:
    d = np.arange(2, LARGEST_DIMENSION + 1)
    # The Hessian of F is 2 X'WX.
    low, high = np.array([[float(2 * value) for value, _ in spectrum(int(n))] for n in d]).T
    printed = np.array([strong_convexity(int(n)) for n in d])
    ax.plot(d, high, color=ONES)
    ax.plot(d, low, color=HYPERPLANE)
    ax.plot(d, printed, **PRINTED)
    ax.set(title="eigenvalues of ∇²F", xlabel="players d", xscale="log", yscale="log")
    ax.set(xlim=(d[0], d[-1]), ylim=(printed[0] / 1.6, high[-1] * 1.5))
    ax.set_xticks([2**k for k in range(1, 7)])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.xaxis.set_minor_locator(NullLocator())
    label_decades(ax.yaxis)
    ax.text(28, high[12], "along the vector\nof ones", color=ONES, va="top", ha="center")
    ax.text(d[-1], low[-1] * 1.2, "on directions that sum to 0", color=HYPERPLANE, ha="right")
    ax.text(d[-1], printed[-1] / 1.25, "μ = 1 − 1/d, as printed", color="#D55E00", **BELOW)
    at = 5
    ends = (printed[at - 2], low[at - 2])
    ax.annotate("", (at, ends[1]), (at, ends[0]), arrowprops=BOTH_ENDS)
    ax.text(at * 1.08, sqrt(ends[0] * ends[1]), f"× {ends[1] / ends[0]:g}", va="center")


def _draw_excess(ax: Axes, rows: Sequence[Mapping]) -> None:
    """F - F* on two lines through phi*, and (mu / 2) of the squared distance."""
    problem = LeastSquaresProblem(AND_GAME)
    star = shapley_values(problem.values).astype(float)
    mu = strong_convexity(problem.n_players)
    s = np.linspace(*SPAN, 209)

    def excess(direction):
        unit = np.array(direction) / np.linalg.norm(direction)
        return np.array([float(problem.objective(star + x * unit)) for x in s]) - float(
            problem.objective(star)
        )

    bound, off, on = mu / 2 * s**2, excess((1, 1)), excess((1, -1))
    ax.fill_between(s, off, bound, where=off < bound, color="#D55E00", alpha=0.13, linewidth=0)
    ax.plot(s, on, color=HYPERPLANE)
    ax.plot(s, off, color=ONES)
    ax.plot(s, bound, **PRINTED)
    ax.axhline(0, color="0.3", lw=0.6)
    ax.axvline(0, color="0.3", lw=0.6)
    for row in rows:
        x, y = -sqrt(Fraction(row["left"])), float(Fraction(row["right"])) * mu / 2
        ax.plot(x, y, "o", color=ONES, mfc="w", ms=5, zorder=5)
        ax.text(x, y - 0.12, str(row["case"]).rsplit(", ", 1)[-1], ha="center", va="top")
    top = off.max() * 1.15
    ax.set(title="F(y) − F(φ*), d = 2", xlabel="signed distance of y to φ*")
    ax.set(xlim=SPAN, ylim=(off.min() - 0.14 * top, top))
    _name_lines(ax, s, on, off, bound)


def _name_lines(ax: Axes, s, on, off, bound) -> None:
    """Labels beside the lines, at points of them."""
    at = np.searchsorted(s, (-2.25, 1.3, -1.75))
    ax.text(s[at[0]] + 0.12, on[at[0]], "y on the\nhyperplane", color=HYPERPLANE)
    ax.text(s[at[1]] - 0.15, off[at[1]], "y along\n(1, 1)", color=ONES, ha="right")
    ax.text(s[-1], -0.08, "printed bound", color="#D55E00", **BELOW)
    inside = (s[at[2]], (off[at[2]] + bound[at[2]]) / 2)
    arrow = {"arrowstyle": "-", "color": "0.3", "lw": 0.6, "shrinkA": 1, "shrinkB": 0}
    ax.annotate("fails", inside, (-2.75, 0.22), ha="center", va="center", arrowprops=arrow)
