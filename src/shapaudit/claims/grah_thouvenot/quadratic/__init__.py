"""Least squares and curvature: claims 1, 2, 3 and 9."""

from . import hessian, least_squares, strong_convexity

MODULES = (least_squares, hessian, strong_convexity)
