"""What the notebook and the report read of the experiments of Okhrati & Lipani 2021.

Errors are squared, and means over the players, as published.
"""

from .loading import MAPS, SAMPLES, load_replication
from .maps import (
    MAP_CONTRASTS,
    MAP_ROLES,
    MAP_SAMPLES,
    Maps,
)
from .replication import CONTRASTS, Replication
from .trial import (
    CASTRO,
    METHODS,
    Trial,
    exact_error,
)

__all__ = [
    "CASTRO",
    "CONTRASTS",
    "MAPS",
    "MAP_CONTRASTS",
    "MAP_ROLES",
    "MAP_SAMPLES",
    "METHODS",
    "SAMPLES",
    "Maps",
    "Replication",
    "Trial",
    "exact_error",
    "load_replication",
]
