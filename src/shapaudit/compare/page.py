"""A page of a comparison that needs no network: the answer, a figure, the tables."""

from io import StringIO
from pathlib import Path

import matplotlib
from jinja2 import Environment, PackageLoader, StrictUndefined
from matplotlib.figure import Figure

from .words import answer, price

SIGNIFICANT = "{:.3g}".format


def write(comparison, folder: str | Path) -> Path:
    """Write page.html, table.csv, errors.csv and values.csv into a folder; return the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    comparison.values.to_csv(folder / "values.csv", index_label="row")
    comparison.errors.to_csv(folder / "errors.csv", index=False)
    table = comparison.table() if len(comparison.errors) else comparison.errors
    table.to_csv(folder / "table.csv", index=False)
    environment = Environment(
        loader=PackageLoader("shapaudit.compare"), undefined=StrictUndefined, autoescape=True
    )
    content = environment.get_template("page.html").render(
        answer=answer(comparison),
        price=price(comparison),
        figure=_figure(table) if len(table) else "",
        needed=comparison.needed() if len(table) else None,
        table=table,
        shown=SIGNIFICANT,
    )
    page = folder / "page.html"
    page.write_text(content, encoding="utf-8")
    return page


def _figure(table) -> str:
    """Median relative error by budget, as SVG with its text as text."""
    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axes = figure.subplots()
    for name, part in table.groupby("estimator", sort=False):
        floor = part["relative"].clip(lower=1e-16)
        (line,) = axes.plot(part["budget"], floor, marker="o", label=name)
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
    stream = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "shapaudit"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue().partition("?>")[2].partition(">")[2]
