"""Gradients and constants: claims 4, 5 and 13."""
