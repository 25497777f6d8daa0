"""Algorithms and their cost: claims 14 to 17."""
