"""Verdicts at a glance."""

from collections.abc import Mapping, Sequence

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from ..audit.changes import short_id
from .style import STATUSES, WIDTH, house_style

# By notebook and name: title, caption.
FIGURES = {
    "audit/verdicts": (
        "Verdicts",
        "Verdicts on the claims of the papers, and the reason of each.",
    ),
}


@house_style
def verdicts_figure(claims: Sequence[Mapping]) -> Figure:
    """One row per claim, its verdict a filled square in the column of the status."""
    size = (WIDTH, 0.9 + 0.175 * len(claims))
    figure, ax = plt.subplots(figsize=size)
    names = list(STATUSES)
    for y, claim in enumerate(claims):
        if y % 2 == 0:
            ax.axhspan(y - 0.5, y + 0.5, color="#f5f5f5", lw=0)
        status = claim["status"]
        ax.plot(names.index(status), y, "s", color=STATUSES[status], ms=8)
        ax.text(-0.62, y, short_id(claim["id"]), va="center", ha="right", fontsize=7)
        ax.text(len(names) - 0.4, y, claim["reason"], va="center", fontsize=7, color="0.25")
    counts = [sum(claim["status"] == name for claim in claims) for name in names]
    heads = [f"{name} ({count})" for name, count in zip(names, counts, strict=True)]
    ax.set(xlim=(-0.5, len(names) + 1.3), ylim=(len(claims) - 0.5, -0.5))
    ax.set_yticks(range(len(claims)), [claim["title"] for claim in claims])
    ax.set_xticks(range(len(names) + 1), [*heads, "reason"], rotation=35, ha="left")
    ax.tick_params(length=0, bottom=False, labelbottom=False, labeltop=True, pad=1, labelsize=7)
    ax.tick_params(axis="y", pad=22)
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    return figure
