"""LaTeX of the report: tables, and the numbers and words of its prose."""

from .audit import claims_table, evidence_labels, verdict_colours
from .latex import definitions
from .provenance import provenance_table
from .report import comparisons_of, tables, values

__all__ = [
    "claims_table",
    "comparisons_of",
    "definitions",
    "evidence_labels",
    "provenance_table",
    "tables",
    "values",
    "verdict_colours",
]
