"""The page, from its template."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...audit.base import STATUSES
from ..style import STATUSES as COLOURS
from ..tasks import MARGIN, Comparison
from . import comparison, content
from .text import mathematics


def render(
    study: Mapping,
    provenance: Mapping,
    compared: Comparison,
    papers: Sequence[Mapping] = (),
    figures: Sequence[Path] = (),
    models: Sequence[Mapping] = (),
) -> str:
    """The HTML of a study: its claims, its comparison of estimators and its figures, in one file.

    ``papers`` are those of `content.papers`; without them the page is about the comparison alone.
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
        statuses=STATUSES,
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
