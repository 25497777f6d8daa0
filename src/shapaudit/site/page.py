"""The page, from its template."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..benchmark import Benchmark
from ..claims import STATUSES
from ..plotting.style import STATUSES as COLOURS
from . import content
from .text import mathematics


def render(
    study: Mapping,
    audit: Mapping | None,
    benchmark: Benchmark,
    provenance: Mapping,
    figures: Sequence[Path],
    captions: Path,
) -> str:
    """The HTML of a study: its claims, its benchmark and its figures, in one file.

    Without an ``audit`` the page is about the benchmark. ``figures`` are SVG files and ``captions``
    the folder of their captions, by the figure's name.
    """
    environment = Environment(
        loader=PackageLoader("shapaudit.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["mathematics"] = mathematics
    return environment.get_template("index.html").render(
        study=study,
        papers=content.papers(audit) if audit else [],
        statuses=STATUSES,
        colours=COLOURS,
        tasks=content.tasks(benchmark),
        estimators=content.estimators(benchmark),
        ratios=content.ratios(benchmark),
        choices=content.choices(benchmark),
        reference=content.reference(benchmark),
        figures=content.figures(figures, captions, study),
        provenance=provenance,
    )
