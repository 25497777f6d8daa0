"""A paper's table of methods, audited: what is printed, its verdict, what was measured."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ..audit.ids import short_id


class Cell(NamedTuple):
    """A cell as printed, and the id of the claim that it was judged by, with its consequence."""

    printed: str
    claim: str
    short: str
    consequence: str


class SurveyLine(NamedTuple):
    """A method: its cells, by what it runs here, and what was measured, a text for each measure."""

    method: str
    cells: tuple[Cell, ...]
    runs: str
    measures: tuple[str, ...]


class Survey(NamedTuple):
    """A table of methods.

    Attributes
    ----------
    key : of the paper
    title, lead : what the page says of the table
    columns : names of the cells
    lines : methods, in the order of the table
    measures : names of what was measured
    measured : how it was measured, with limits of what confidence
    claim : id of the claim that the measures are of
    """

    key: str
    title: str
    lead: str
    columns: tuple[str, ...]
    lines: Sequence[SurveyLine]
    measures: tuple[str, ...]
    measured: str
    claim: str


def cell_of(printed: str, claim: Mapping) -> Cell:
    """A cell with what became of its claim."""
    return Cell(printed, claim["id"], short_id(claim["id"]), claim["consequence"])
