"""A figure of the consequences of verdicts, claim by claim; the package of a paper declares it."""

from collections.abc import Mapping, Sequence

from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from ..audit.ids import short_id
from ..audit.tally import consequences
from ..audit.verdict import CONSEQUENCES as WORDS
from .audit import verdicts_of
from .palette import CONSEQUENCES
from .style import WIDTH, house_style


@house_style
def verdicts_figure(claims: Sequence[Mapping]) -> Figure:
    """One row per claim, a filled square in the column of its consequence, its verdicts beside."""
    size = (WIDTH, 0.9 + 0.175 * len(claims))
    figure, ax = plt.subplots(figsize=size)
    names = list(CONSEQUENCES)
    for y, claim in enumerate(claims):
        if y % 2 == 0:
            ax.axhspan(y - 0.5, y + 0.5, color="#f5f5f5", lw=0)
        key = claim["consequence"]
        ax.plot(names.index(key), y, "s", color=CONSEQUENCES[key], ms=8)
        ax.text(-0.62, y, short_id(claim["id"]), va="center", ha="right", fontsize=7)
        ax.text(len(names) - 0.4, y, verdicts_of(claim), va="center", fontsize=6, color="0.25")
    heads = [f"{WORDS[key]} ({count})" for key, count in consequences(claims).items()]
    ax.set(xlim=(-0.5, len(names) + 3.5), ylim=(len(claims) - 0.5, -0.5))
    ax.set_yticks(range(len(claims)), [claim["title"] for claim in claims])
    ax.set_xticks(range(len(names) + 1), [*heads, "verdicts"], rotation=35, ha="left")
    ax.tick_params(length=0, bottom=False, labelbottom=False, labeltop=True, pad=1, labelsize=7)
    ax.tick_params(axis="y", pad=22)
    ax.grid(False)
    ax.spines[["left", "bottom"]].set_visible(False)
    return figure
