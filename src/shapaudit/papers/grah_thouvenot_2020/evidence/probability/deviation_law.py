"""Evidence on claim 11 on the study's games.

The law of the error after one step, by enumeration.
"""

from math import comb, log

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence
from shapaudit.theory.constants import importance_sizes
from shapaudit.theory.gradients import residuals
from shapaudit.theory.recursion import averaging_rates, inverse_steps, square_root_steps

from ..rates.runs import CONSTANT_STEP
from ..rates.settings import Setting, settings_of

TIES = 1e-12  # relative; errors closer than this are one value of the law


def first_steps(setting: Setting) -> dict[str, tuple[float, float]]:
    """First step size, and weight of phi_1 in the average after it, of the three rules."""
    d, ratio = setting.n_players, setting.radius / setting.bound
    return {
        "inverse": (inverse_steps(d, 1)[0], averaging_rates("weighted", 1)[0]),
        "square root": (square_root_steps(d, ratio, 1)[0], averaging_rates("uniform", 1)[0]),
        "constant": (CONSTANT_STEP, averaging_rates("last", 1)[0]),
    }


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


def worst_level(probabilities: np.ndarray, values: np.ndarray) -> Evidence:
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


def gather_laws(context: Context) -> Evidence:
    """For every pair and step rule, the level at which the law of Z does worst; D = C sqrt(d)."""
    laws = []
    for study_game in context.study_games():
        for pair, (game, truth) in enumerate(study_game.pairs(), start=1):
            setting = dict(settings_of(game, truth)).get("public")
            if setting is None:
                continue
            for rule, (step, rate) in first_steps(setting).items():
                law = law_of_one_step(game.values, truth, setting, step, rate)
                names = {"game": study_game.name, "pair": pair, "rule": rule}
                laws.append(names | worst_level(*law))
    return {"laws": laws}


def level(law: Evidence) -> float:
    """The a with A (2 + 4 a) = z, A being the mean."""
    return (law["z"] / law["mean"] - 2) / 4


def excess(law: Evidence) -> float:
    """log P(Z >= z) - log(2 exp(-a^2)); below a = 0 the inequality says nothing."""
    a = level(law)
    return log(law["tail"]) - (log(2) - a * a) if a >= 0 else -log(2)
