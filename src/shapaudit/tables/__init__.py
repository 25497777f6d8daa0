"""LaTeX of the report: tables, and the numbers and words of its prose."""

from .audit import claims_table, evidence_labels, verdict_colours
from .benchmark_best import best_table, best_values
from .latex import definitions
from .okhrati_lipani import tables as replication_tables
from .okhrati_lipani import values as replication_values
from .provenance import provenance_table
from .report import comparisons_of, tables, values

__all__ = [
    "best_table",
    "best_values",
    "claims_table",
    "comparisons_of",
    "definitions",
    "evidence_labels",
    "provenance_table",
    "replication_tables",
    "replication_values",
    "tables",
    "values",
    "verdict_colours",
]
