"""Claims of Grah & Thouvenot 2020, in the HAL (proceedings) and the earlier arXiv version."""

from ..base import grouped
from . import algorithms, constants, experiments, probability, quadratic, rates

PAPER = "grah-thouvenot-2020"

_ROOMS = (quadratic, constants, rates, probability, algorithms, experiments)
# Headings of the report, in its order, with the numbers of their claims.
GROUPS = {
    "Least squares and curvature": (1, 2, 3, 9),
    "Gradients and constants": (4, 5, 13),
    "Rates in expectation": (6, 7, 8),
    "Bounds in probability": (10, 11, 12),
    "Algorithms and their cost": (14, 15, 16, 17),
    "The experiments": (18, 19, 20),
}
CLAIMS = grouped([module for room in _ROOMS for module in room.MODULES], GROUPS)

__all__ = ["CLAIMS", "PAPER"]
