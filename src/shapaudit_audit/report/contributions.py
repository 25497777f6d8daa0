"""What the papers bring to the report, found in their packages without being registered.

Apart from the package's own file, which evidence is gathered with: that does not wait for a report.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from ..papers import PAPERS, package_of, sections
from .advice import Advice
from .originals import Original
from .record import Summary
from .situation_table import SituationLine
from .sources import SOURCES, ResultSource
from .surveys import Survey


def sources() -> list[ResultSource]:
    """What the report's values and tables come from: those of no paper, then those of the papers.

    A paper's own are the ``SOURCES`` of its ``tables``.
    """
    return [*SOURCES, *(source for tables in _parts("tables") for source in tables.SOURCES)]


def summaries() -> list[Summary]:
    """What the papers add to the record of a run, newest first: ``SUMMARY`` of ``summary``."""
    return [part.SUMMARY for part in _parts("summary")][::-1]


def advice() -> list[Advice]:
    """What the papers know to be best without a comparison: ``ADVICE`` of ``advice``."""
    return [line for part in _parts("advice") for line in part.ADVICE]


def originals() -> dict[str, tuple[Original, ...]]:
    """Figures and tables that the papers print, by key: ``ORIGINALS`` of ``originals``."""
    return {part.__name__.split(".")[-2]: part.ORIGINALS for part in _parts("originals")}


def surveys(audit: Mapping) -> list[Survey]:
    """Tables of methods that papers print, with an audit's verdicts: ``survey`` of ``survey``."""
    return [part.survey(audit) for part in _parts("survey")]


def situations() -> list[SituationLine]:
    """What the papers advise by situation: ``SITUATIONS`` of ``advice``."""
    return [line for part in _parts("advice") for line in part.SITUATIONS]


def guest_sections() -> str:
    """LaTeX that takes in the sections which papers bring along in their packages."""
    return "".join(rf"\input{{{paper}}}" + "\n" for paper in sections())


def guest_bibliographies() -> str:
    """Definition of a macro: the bibliographies beside these sections, each after a comma."""
    names = [paper for paper, file in sections().items() if file.with_suffix(".bib").exists()]
    return rf"\newcommand{{\guestbibliographies}}{{{''.join(f',{name}' for name in names)}}}" + "\n"


def _parts(name: str) -> Iterator[ModuleType]:
    """Modules of a name in the packages of the papers, of those that have one."""
    for paper in PAPERS:
        dotted = f"{package_of(paper)}.{name}"
        if find_spec(dotted):
            yield import_module(dotted)
