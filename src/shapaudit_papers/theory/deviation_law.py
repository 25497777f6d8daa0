"""The law of the squared error after one step of projected SGD, and the deviation inequality.

Grah & Thouvenot 2020, Section 4.2: P(Z >= A (2 + 4 a)) <= 2 exp(-a^2) for A >= E Z.
"""

from collections.abc import Mapping
from math import comb, log

import numpy as np

from shapaudit.samplers.gradients import importance_sizes

from .constants import Setting
from .gradients import residuals

TIES = 1e-12  # relative; errors closer than this are one value of the law


def law_of_one_step(
    values: np.ndarray, truth: np.ndarray, setting: Setting, step: float, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and values (2^d - 2,) of Z after one step from v(M)/d, projected on K.

    The step goes along P x; the projection on K shortens it to the radius of K.
    """
    d = setting.n_players
    sizes = np.bitwise_count(np.arange(1, (1 << d) - 1)).astype(np.int64)
    q = importance_sizes(d, setting.radius / setting.bound)[sizes - 1]
    counts = np.array([comb(d, size) for size in range(d + 1)], dtype=float)[sizes]
    start = np.full(d, setting.total / d)
    norms = sizes * (d - sizes) / d  # ||P x||^2
    lengths = step * 2 * (d - 1) / (sizes * (d - sizes) * q) * residuals(values, start)[1:-1]
    longest = np.sqrt(setting.ceiling / 4 / norms)
    moved = rate * np.clip(lengths, -longest, longest)
    along = residuals(np.zeros(len(values)), start - truth)[1:-1]  # <x, phi_0 - phi*>
    return q / counts, setting.start - 2 * moved * along + moved**2 * norms


def worst_level(probabilities: np.ndarray, values: np.ndarray) -> dict[str, float]:
    """Mean of the law, and the value z > 2 mean at which P(Z >= z) exceeds the bound most, or falls
    short of it least; the largest value where none is above twice the mean.
    """
    order = np.argsort(-values)
    tails, levels = np.cumsum(probabilities[order]), values[order]
    mean = float(probabilities @ values)
    # Of equal values the last in the order has the whole tail.
    last = np.flatnonzero(np.append(levels[1:] < levels[:-1] * (1 - TIES), True))
    high = last[levels[last] > 2 * mean]
    excess = np.log(tails[high]) - (log(2) - ((levels[high] / mean - 2) / 4) ** 2)
    k = high[excess.argmax()] if len(high) else last[0]
    return {"mean": mean, "z": float(levels[k]), "tail": float(tails[k])}


def level(law: Mapping[str, float]) -> float:
    """The a with A (2 + 4 a) = z, A being the mean."""
    return (law["z"] / law["mean"] - 2) / 4


def excess(law: Mapping[str, float]) -> float:
    """log P(Z >= z) - log(2 exp(-a^2)); below a = 0 the inequality says nothing."""
    a = level(law)
    return log(law["tail"]) - (log(2) - a * a) if a >= 0 else -log(2)
