"""The page, from its template."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...audit.verdict import CONSEQUENCES
from ..style import CONSEQUENCES as COLOURS
from ..tasks import MARGIN, Comparison
from . import comparison, content
from .text import mathematics


def render(
    study: Mapping,
    provenance: Mapping,
    compared: Comparison,
    papers: Sequence[Mapping] = (),
    counts: Sequence[Mapping] = (),
    figures: Sequence[Path] = (),
    models: Sequence[Mapping] = (),
) -> str:
    """The HTML of a study: its claims, its comparison of estimators and its figures, in one file.

    ``papers`` and ``counts`` are those of `content.papers` and `content.counts`; without them the
    page is about the comparison alone.
    ``figures`` are SVG files, each with its caption beside it; ``models`` are those of
    `models.scored`.
    """
    environment = Environment(
        loader=PackageLoader("shapaudit.report.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["mathematics"] = mathematics
    return environment.get_template("index.html").render(
        study=study,
        papers=papers,
        counts=counts,
        consequences=CONSEQUENCES,
        colours=COLOURS,
        tasks=comparison.tasks(compared),
        estimators=comparison.estimators(compared),
        ratios=comparison.ratios(compared),
        choices=comparison.choices(compared),
        margin=MARGIN,
        reference=comparison.reference(compared),
        figures=content.figures(figures),
        models=models,
        provenance=provenance,
    )
