"""LaTeX of the report: tables, and the numbers and words of its prose."""

from .audit import claims_table, evidence_labels, verdict_colours
from .latex import definitions
from .provenance import provenance_table
from .sources import SOURCES, sources_table, table_sources, tables, values

__all__ = [
    "SOURCES",
    "claims_table",
    "definitions",
    "evidence_labels",
    "provenance_table",
    "sources_table",
    "table_sources",
    "tables",
    "values",
    "verdict_colours",
]
