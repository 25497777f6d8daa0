"""Evidence on claim 8e: the steps of the paper's experiments against the stability limit."""

from collections.abc import Callable

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.recursion import log_amplification, stability_limit

# Players, steps, constant step and a in a/sqrt(t) of Section 5.2.
EXPERIMENTS = ((16, 32_000, 0.01, 0.1), (300, 60_000, 0.001, 0.01))
READINGS = {"as printed": 1.0, "public code": 0.5}  # which descends F / 2
DIMENSIONS = (2, 3, 10, 16, 100, 300)

Limit = Callable[[np.ndarray], float]


def gather_small(context: Context, limit_of: Limit = stability_limit) -> Evidence:
    """Return limits by d, and by how much each step first exceeds them and amplifies the error.

    Sizes are drawn by importance sampling with D = C sqrt(d).
    """
    rows = []
    for d, count, constant, root in EXPERIMENTS:
        sizes = importance_sizes(d, d**0.5)
        rules = {
            "constant": np.full(count, constant),
            "1/sqrt(t)": root / np.sqrt(np.arange(1.0, count + 1)),
        }
        rows += [
            {"players": d, "step": name, "reading": reading}
            | {"first_over_limit": float(share * steps[0] / limit_of(sizes))}
            | {"amplification": _amplification(sizes, share * steps)}
            for reading, share in READINGS.items()
            for name, steps in rules.items()
        ]
    limits = {d: float(limit_of(importance_sizes(d, d**0.5))) for d in DIMENSIONS}
    return {"rows": rows, "limits": limits}


def _amplification(sizes, steps):
    return 10 ** max(0.0, float(log_amplification(sizes, steps).max()))
