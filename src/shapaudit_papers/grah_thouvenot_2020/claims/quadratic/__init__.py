"""Least squares and curvature: claims 1, 2, 3 and 9."""
