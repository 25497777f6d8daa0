"""Figures of the report, from tables of `statistics.summaries` and records of the audit."""

from .audit import looseness_figure, verdicts_figure
from .benchmark import bias_figure, protocol_figure, ratios_figure
from .curvature import curvature_figure
from .curves import Panel, error_figure, variants_figure
from .exact_curve import exact_curve_figure
from .exceedance import exceedance_figure
from .okhrati_lipani import (
    deviations_figure,
    endpoints_figure,
    equal_samples_figure,
    saliency_figure,
)
from .outperformance import outperformance_figure
from .projection import projection_figure
from .radius import radius_figure
from .rates import rates_figure
from .spread import spread_figure
from .style import FAMILIES, STATUSES, family_of, save
from .unhelpful import unhelpful_figure

__all__ = [
    "FAMILIES",
    "STATUSES",
    "Panel",
    "bias_figure",
    "curvature_figure",
    "deviations_figure",
    "endpoints_figure",
    "equal_samples_figure",
    "error_figure",
    "exact_curve_figure",
    "exceedance_figure",
    "family_of",
    "looseness_figure",
    "outperformance_figure",
    "projection_figure",
    "protocol_figure",
    "radius_figure",
    "rates_figure",
    "ratios_figure",
    "saliency_figure",
    "save",
    "spread_figure",
    "unhelpful_figure",
    "variants_figure",
    "verdicts_figure",
]
