"""Bounds in probability: claims 10, 11 and 12."""
