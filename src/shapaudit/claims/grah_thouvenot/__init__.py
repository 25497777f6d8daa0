"""Claims of Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from . import (
    ball_rates,
    collapse,
    counts,
    deviation,
    deviation_law,
    deviation_runs,
    dykstra,
    dykstra_accuracy,
    gradients,
    hessian,
    interaction,
    kappa,
    least_squares,
    markov,
    online_variance,
    outperformance,
    rate_constant,
    rate_inverse,
    rate_square_root,
    sharper_rates,
    stability,
    strong_convexity,
    tuning_cost,
    usefulness,
    versions,
)

PAPER = "grah-thouvenot-2020"

_MODULES = (
    least_squares,
    hessian,
    gradients,
    kappa,
    strong_convexity,
    rate_inverse,
    rate_square_root,
    rate_constant,
    ball_rates,
    sharper_rates,
    stability,
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
    interaction,
    collapse,
)
CLAIMS = tuple(
    sorted((claim for module in _MODULES for claim in module.CLAIMS), key=lambda claim: claim.id)
)

__all__ = ["CLAIMS", "PAPER"]
