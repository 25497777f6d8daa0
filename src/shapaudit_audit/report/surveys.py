"""A paper's table of methods, audited: the printed cells, their verdicts, and our measurements."""

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
    """A method: its cells, the estimator that runs it here, and a text for each measure."""

    method: str
    cells: tuple[Cell, ...]
    runs: str
    measures: tuple[str, ...]


class Survey(NamedTuple):
    """A table of methods.

    Attributes
    ----------
    key : of the paper
    title, lead : heading and introduction on the page
    columns : names of the cells
    lines : methods, in the order of the table
    measures : names of what was measured
    measured : how this was measured, with the confidence of its limits
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
    """A cell with the consequence of its claim, given by its record."""
    return Cell(printed, claim["id"], short_id(claim["id"]), claim["consequence"])
