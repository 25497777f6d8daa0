"""Figures of the report, from tables of `shapaudit.summaries` and records of the audit."""

from .audit import looseness_figure, verdicts_figure
from .curves import Panel, error_figure, variants_figure
from .rates import rates_figure
from .spread import spread_figure
from .style import FAMILIES, STATUSES, family_of, save

__all__ = [
    "FAMILIES",
    "STATUSES",
    "Panel",
    "error_figure",
    "family_of",
    "looseness_figure",
    "rates_figure",
    "save",
    "spread_figure",
    "variants_figure",
    "verdicts_figure",
]
