"""How figures look, and how they are saved: equal inputs give equal bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axis import Axis
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from ..study.blocks.runs import EstimatorBlock
from .palette import FAMILIES, family_of

WIDTH = 6.3  # inches, the text of an A4 page

DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.2, 1.2)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (8, 1, 1, 1, 1, 1)),
)
MARKERS = ("o", "s", "^", "D", "v")
SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "figure.constrained_layout.use": True,
    "pdf.fonttype": 42,  # fonts embedded as outlines that scale
    "svg.fonttype": "path",
    "svg.hashsalt": "shapaudit",
    "savefig.bbox": None,
}
house_style = mpl.rc_context(SETTINGS)  # decorates the functions that draw
METADATA = {
    "pdf": {"CreationDate": None, "ModDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
}


def line_styles(names: Sequence[str], specs: Mapping[str, EstimatorBlock]) -> dict[str, dict]:
    """Colour by family, dashes and marker by position in the family, label from the study.

    ``specs`` is the ``estimators`` block of the study's configuration.
    """
    styles, seen = {}, dict.fromkeys(FAMILIES, 0)
    for name in names:
        family = family_of(specs[name])
        position = seen[family]
        seen[family] += 1
        styles[name] = {
            "color": FAMILIES[family],
            "linestyle": DASHES[position % len(DASHES)],
            "marker": MARKERS[position % len(MARKERS)],
            "label": specs[name].label,
            "family": family,
        }
    return styles


def label_decades(axis: Axis) -> None:
    """Plain numbers on a logarithmic axis; 1, 2 and 5 of a decade where it spans less than two."""
    low, high = axis.get_view_interval()
    few = np.log10(high / low) < 2
    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)))
    axis.set_minor_locator(LogLocator(subs=tuple(range(1, 10))))
    axis.set_minor_formatter(NullFormatter())
    if low > 1e-5 and high < 1e7:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))


@dataclass(frozen=True)
class SavedFigure:
    """A figure on disk, which a notebook shows without drawing it again."""

    path: Path

    def _repr_svg_(self) -> str:
        return self.path.read_text(encoding="utf-8")


@house_style
def save(figure: Figure, output: str | Path, name: str) -> SavedFigure:
    """Write ``output/name.pdf`` for the report and ``output/name.svg`` for the web; close it."""
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    # Laid out once: to do it for each file would draw each twice.
    FigureCanvasPdf(figure)
    if (engine := figure.get_layout_engine()) is not None:
        engine.execute(figure)
    with mpl.rc_context({"figure.constrained_layout.use": False}):
        figure.set_layout_engine()
        for suffix, metadata in METADATA.items():
            figure.savefig(folder / f"{name}.{suffix}", metadata=metadata)
    plt.close(figure)
    return SavedFigure(folder / f"{name}.svg")
