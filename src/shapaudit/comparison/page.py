"""A page of a comparison that needs no network: the answer, a figure, the tables."""

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..optional import needed
from ..own_files import OwnFolder
from ..pages import rendered, svg
from .words import chosen, exact, explained, few_players, named, overall, price, summary

if TYPE_CHECKING:
    from .comparison import Comparison
    from .several import Comparisons

WHAT = "the page of a comparison"
SIGNIFICANT = "{:.3g}".format
MARKERS = "osD^vP*X"
WRITTEN = (
    "page.html", "table.csv", "errors.csv", "values.csv", "outputs.csv", "background.csv",
)  # fmt: skip
ALTERNATIVE = "Error by evaluations, a line for each estimator; the table below has the numbers."


def check_packages() -> None:
    """Raise `MissingPackage` if the page lacks a package, before anything is computed."""
    for package in ("jinja2", "matplotlib", "yaml"):
        needed(package, WHAT, "plots")


def write(comparison: "Comparison | Comparisons", folder: str | Path) -> Path:
    """Write the page and the tables into a folder; return the page.

    ``outputs.csv`` has the base value and the prediction of each row, ``background.csv`` the rows
    from which absent columns were filled.

    ``comparison`` is a `Comparison`, or the `Comparisons` of several outputs. Raises `FolderError`
    rather than overwrite a file that was not written here.
    """
    labels = ["output", "row"] if len(comparison.parts) > 1 else "row"
    tables = (
        comparison.table().to_csv(index=False),
        comparison.errors.to_csv(index=False),
        comparison.values.to_csv(index_label=labels),
        comparison.ends.to_csv(index_label=labels),
        comparison.background_rows.to_csv(index=False),
    )
    OwnFolder(folder).write(dict(zip(WRITTEN, (_page(comparison), *tables), strict=True)))
    return Path(folder) / WRITTEN[0]


def _page(comparison: "Comparison | Comparisons") -> str:
    """The page as HTML."""
    many = cast("Comparisons", comparison) if len(comparison.parts) > 1 else None
    first, measured = comparison.parts[0], not comparison.parts[0].errors.empty
    return rendered(
        "shapaudit.comparison",
        "page.html",
        WHAT,
        several=bool(many),
        named=named(many) if many else "",
        few="" if measured else few_players(first),
        exact=exact(first),
        overall=overall(many) if many and measured else [],
        summary=summary(many) if many and measured else None,
        best=comparison.best() if measured else "",
        outputs=[_shown(part, number) for number, part in enumerate(comparison.parts)],
        price=price(first),
        shown=SIGNIFICANT,
    )


def _shown(comparison: "Comparison", number: int) -> dict[str, Any]:
    """What the page shows of one output."""
    table = comparison.table()
    return {
        "label": comparison.quantity.output,
        "units": comparison.quantity.units,
        "explained": explained(comparison),
        "answer": chosen(comparison),
        "needed": comparison.needed() if len(table) else None,
        "table": table,
        "figure": _figure(table, f"figure{number}") if len(table) else "",
    }


def _figure(table: Any, salt: str) -> str:
    """Median relative error by budget, as SVG with its text as text; ``salt`` makes its ids."""
    figure = needed("matplotlib.figure", WHAT, "plots").Figure(
        figsize=(6.4, 3.8), layout="constrained"
    )
    axes = figure.subplots()
    groups = table.groupby("estimator", sort=False)
    for marker, (name, part) in zip(cycle(MARKERS), groups, strict=False):
        floor = part["relative"].clip(lower=1e-16)
        (line,) = axes.plot(part["budget"], floor, marker=marker, label=name)
        axes.fill_between(
            part["budget"],
            part["low"].clip(lower=1e-16),
            part["high"].clip(lower=1e-16),
            color=line.get_color(),
            alpha=0.15,
            linewidth=0,
        )
    axes.set(xscale="log", yscale="log", xlabel="evaluations", ylabel="error / norm of the values")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    return svg(figure, salt).replace("<svg ", f'<svg role="img" aria-label="{ALTERNATIVE}" ', 1)
