"""A page of an explanation that needs no network, and its tables."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..optional import needed
from ..own_files import OwnFolder
from ..pages import rendered, svg
from .explanation import Explanation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WHAT = "the page of an explanation"
WRITTEN = ("page.html", "values.csv", "importance.csv")
ROWS = 5  # that have a picture of their own
FEATURES = 3  # whose values are drawn against their entries
WIDTH, HEIGHT = 6.3, 3.4  # inches


def check_packages() -> None:
    """Raise `MissingPackage` if the page lacks a package, before anything is computed."""
    for package in ("jinja2", "matplotlib"):
        needed(package, WHAT, "plots")


def write(explanation: Explanation, folder: str | Path, target: str = "") -> Path:
    """Write page.html, values.csv and importance.csv into a folder; return the page.

    ``target`` is what the model predicts. Raises `FolderError` rather than overwrite a file that
    was not written here.
    """
    tables = (
        explanation.to_frame().to_csv(index=False),
        explanation.mean_abs().to_csv(index=False),
    )
    contents = (_page(explanation, target), *tables)
    OwnFolder(folder).write(dict(zip(WRITTEN, contents, strict=True)))
    return Path(folder) / WRITTEN[0]


def _page(explanation: Explanation, target: str) -> str:
    """The page as HTML."""
    names = explanation.output_names or ("",)
    outputs = [
        _shown(explanation.output(name) if name else explanation, name, number)
        for number, name in enumerate(names)
    ]
    return rendered(
        "shapaudit.explanations", "explanation.html", WHAT,
        target=target, unit=explanation.unit, how=explanation.how, outputs=outputs,
        rows=len(explanation), shown=f"{min(ROWS, len(explanation))}",
    )  # fmt: skip


def _shown(explanation: Explanation, name: str, number: int) -> dict[str, Any]:
    """What the page shows of one output."""
    plot, labels = explanation.plot, explanation.data.index
    drawn: dict[str, Callable[..., Any]] = {}
    if len(explanation) > 1:
        drawn["Mean absolute values"] = lambda ax: plot.bar(ax=ax)
        drawn["All values"] = lambda ax: plot.beeswarm(ax=ax)
        for feature in explanation.mean_abs()["feature"][:FEATURES]:
            drawn[f"Values of {feature}"] = partial(_dependence, explanation, feature)
    for row in range(min(ROWS, len(explanation))):
        drawn[f"Row {labels[row]}"] = partial(_waterfall, explanation[row])
    figures = [
        _figure(draw, title, f"figure{number}-{place}")
        for place, (title, draw) in enumerate(drawn.items())
    ]
    return {"name": name, "figures": figures}


def _dependence(explanation: Explanation, feature: str, ax: "Axes") -> None:
    explanation.plot.dependence(feature, ax=ax)


def _waterfall(row: Explanation, ax: "Axes") -> None:
    row.plot.waterfall(ax=ax)


def _figure(draw: "Callable[[Axes], Any]", title: str, salt: str) -> dict[str, str]:
    """A picture as SVG with its text as text; ``salt`` makes its ids."""
    made = needed("matplotlib.figure", WHAT, "plots").Figure((WIDTH, HEIGHT), layout="constrained")
    draw(made.subplots())
    return {"title": title, "svg": svg(made, salt)}
