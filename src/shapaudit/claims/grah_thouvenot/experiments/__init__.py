"""The experiments: claims 18, 19 and 20."""

from . import collapse, default_step_sweep, interaction, outperformance, tuning_cost

MODULES = (outperformance, tuning_cost, default_step_sweep, interaction, collapse)
