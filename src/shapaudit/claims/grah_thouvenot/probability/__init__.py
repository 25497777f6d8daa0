"""Bounds in probability: claims 10, 11 and 12."""

from . import deviation, deviation_law, deviation_runs, markov, versions

MODULES = (markov, deviation, deviation_law, deviation_runs, versions)
