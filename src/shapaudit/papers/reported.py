"""What the papers bring to the report, found in their packages without being registered.

Apart from the package's own file, which evidence is gathered with: that does not wait for a report.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ..report.record import Summary
from ..report.sources import SOURCES, Source
from . import PAPERS


def sources() -> list[Source]:
    """What the report's values and tables come from: those of no paper, then those of the papers.

    A paper's own are the ``SOURCES`` of its ``tables``.
    """
    return [*SOURCES, *(source for tables in _parts("tables") for source in tables.SOURCES)]


def summaries() -> list[Summary]:
    """What the papers add to the record of a run, newest first: ``SUMMARY`` of ``summary``."""
    return [part.SUMMARY for part in _parts("summary")][::-1]


def _parts(name: str) -> Iterator[ModuleType]:
    """Modules of a name in the packages of the papers, of those that have one."""
    for paper in PAPERS:
        dotted = f"{__package__}.{paper}.{name}"
        if find_spec(dotted):
            yield import_module(dotted)
