"""Evidence on claim 20: where SGD-Shapley starts and what it samples, in the paper it is from."""

from collections.abc import Callable, Mapping

import numpy as np

from shapaudit.samplers.gradients import importance_sizes
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.pairing import kernel_law

# Grah & Thouvenot 2020, experiments: the initial value is the projection of zero on K_1.
STARTS = {"Grah & Thouvenot 2020, experiments": "the projection of zero, which is the equal split"}
PLAYERS = (3, 10, 79, 280)
RATIOS = {"D = C": lambda d: 1.0, "D = C sqrt(d)": lambda d: d**0.5}  # the latter in their code


def gather_start(context: Context, starts: Mapping[str, str] = STARTS) -> Evidence:
    """Return what the cited paper says of the first iterate."""
    rows = [
        {"source": source, "start": start, "random": int("random" in start)}
        for source, start in starts.items()
    ]
    return {"rows": rows}


def gather_sizes(
    context: Context, law: Callable[[int, float], np.ndarray] = importance_sizes
) -> Evidence:
    """Return probabilities of coalitions of size 1 and d - 1, by W(S) and in the cited paper."""
    rows = []
    for d in PLAYERS:
        kernel = kernel_law(d).astype(float)
        for name, ratio in RATIOS.items():
            sizes = law(d, ratio(d))
            row = {"players": d, "ratio": name, "one_by_kernel": kernel[0], "one": sizes[0]}
            row |= {"all_but_one": sizes[-1]}
            rows.append(row | {"distance": float(np.abs(sizes - kernel).sum() / 2)})
    return {"rows": rows}
