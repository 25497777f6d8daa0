"""Claims of Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from ..base import grouped
from . import (
    ball_rates,
    collapse,
    counts,
    deviation,
    deviation_law,
    deviation_runs,
    dykstra,
    dykstra_accuracy,
    exact_curve,
    gradients,
    hessian,
    interaction,
    kappa,
    least_squares,
    markov,
    online_variance,
    outperformance,
    radius,
    radius_effect,
    rate_constant,
    rate_inverse,
    rate_square_root,
    sharper_rates,
    stability,
    strong_convexity,
    tuning_cost,
    unhelpful,
    unhelpful_sweep,
    usefulness,
    versions,
)

PAPER = "grah-thouvenot-2020"

_MODULES = (
    least_squares,
    hessian,
    gradients,
    radius,
    radius_effect,
    kappa,
    strong_convexity,
    rate_inverse,
    rate_square_root,
    rate_constant,
    ball_rates,
    sharper_rates,
    exact_curve,
    stability,
    unhelpful,
    markov,
    usefulness,
    deviation,
    deviation_law,
    deviation_runs,
    versions,
    dykstra,
    dykstra_accuracy,
    online_variance,
    counts,
    outperformance,
    tuning_cost,
    unhelpful_sweep,
    interaction,
    collapse,
)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Least squares and curvature": (1, 2, 3, 9),
    "Gradients and constants": (4, 5, 13),
    "Rates in expectation": (6, 7, 8),
    "Bounds in probability": (10, 11, 12),
    "Algorithms and their cost": (14, 15, 16, 17),
    "The experiments": (18, 19, 20),
}
CLAIMS = grouped(_MODULES, GROUPS)

__all__ = ["CLAIMS", "PAPER"]
