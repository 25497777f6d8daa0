"""Claims of Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from . import (
    counts,
    deviation,
    deviation_runs,
    dykstra,
    dykstra_accuracy,
    gradients,
    hessian,
    kappa,
    least_squares,
    online_variance,
    strong_convexity,
    versions,
)

PAPER = "grah-thouvenot-2020"

_MODULES = (
    least_squares,
    hessian,
    gradients,
    kappa,
    strong_convexity,
    deviation,
    deviation_runs,
    versions,
    dykstra,
    dykstra_accuracy,
    online_variance,
    counts,
)
CLAIMS = tuple(
    sorted((claim for module in _MODULES for claim in module.CLAIMS), key=lambda claim: claim.id)
)

__all__ = ["CLAIMS", "PAPER"]
