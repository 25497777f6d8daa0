"""Moments, limits that hold together, and comparisons over independent units."""
