"""Gradients and constants: claims 4, 5 and 13."""

from . import gradients, kappa, radius, radius_effect, usefulness

MODULES = (gradients, radius, radius_effect, kappa, usefulness)
