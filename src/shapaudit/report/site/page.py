"""The page, from its template."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...audit.base import STATUSES
from ...papers.chen_covert_lundberg_lee_2023.findings import Benchmark
from ..style import STATUSES as COLOURS
from . import comparison, content
from .text import mathematics


def render(
    study: Mapping,
    audit: Mapping | None,
    benchmark: Benchmark,
    provenance: Mapping,
    figures: Sequence[Path],
) -> str:
    """The HTML of a study: its claims, its benchmark and its figures, in one file.

    Without an ``audit`` the page is about the benchmark. ``figures`` are SVG files, each with its
    caption beside it.
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
        papers=content.papers(audit) if audit else [],
        statuses=STATUSES,
        colours=COLOURS,
        tasks=comparison.tasks(benchmark),
        estimators=comparison.estimators(benchmark),
        ratios=comparison.ratios(benchmark),
        choices=comparison.choices(benchmark),
        reference=comparison.reference(benchmark),
        figures=content.figures(figures),
        provenance=provenance,
    )
