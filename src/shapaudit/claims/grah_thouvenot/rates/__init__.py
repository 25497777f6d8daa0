"""Rates in expectation: claims 6, 7 and 8."""

from . import ball, constant, default_step, exact_curve, inverse, sharper, square_root, stability

MODULES = (inverse, square_root, constant, ball, sharper, exact_curve, stability, default_step)
