"""Rates in expectation: claims 6, 7 and 8."""
