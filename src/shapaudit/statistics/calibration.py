"""How often limits of a ratio decide wrongly where there is nothing to decide."""

from collections.abc import Callable

import numpy as np

from .limits import limit_rank
from .simultaneous import LEAST_SHARE, Group, Ratio, effective_share, ratio_limits

Limits = Callable[[list[Group], float], list[list[Ratio]]]

POPULATION = 100_000  # units of a law that is not one of observed units


def log_normal(spread: float, other: float = 0.3) -> np.ndarray:
    """Population (m, 2) of log-normal units of two spreads, in logarithms."""
    rng = np.random.default_rng(0)
    return np.exp(rng.normal(size=(POPULATION, 2)) * [spread, other])


def level_medians(units: np.ndarray) -> np.ndarray:
    """The units (m, 2) scaled so that half of their ratios are below 1 and half above.

    Of an odd number of units the middle one is left out.
    """
    units = units[np.argsort(units[:, 0] / units[:, 1])]
    units = np.delete(units, len(units) // 2, axis=0) if len(units) % 2 else units
    return units * [1 / np.median(units[:, 0] / units[:, 1]), 1.0]


def level_means(units: np.ndarray) -> np.ndarray:
    """The units (m, 2) scaled so that both columns have the mean 1."""
    return units / units.mean(axis=0)


def decided(
    population: np.ndarray, limits: Limits, alpha: float, size: int, runs: int
) -> tuple[float, float]:
    """Shares of samples of ``size`` units whose limits call the first smaller, and larger.

    ``population`` (m, 2) is level, so that either is wrong; together they should be at most
    ``alpha``. Samples are drawn with replacement.
    """
    rng = np.random.default_rng(0)
    ratio = np.array([[1.0, -1.0]])
    words = []
    for _ in range(runs):
        sample = population[rng.integers(len(population), size=size)]
        ((ratio_limit,),) = limits([Group(sample, ratio)], alpha)
        words.append(ratio_limit.word)
    return words.count("smaller") / runs, words.count("larger") / runs


def decided_by_means(
    population: np.ndarray, alpha: float, size: int, runs: int, resamples: int
) -> tuple[float, float]:
    """Shares of samples that `ratio_limits` decides, without and with the rule of `LEAST_SHARE`."""
    rng = np.random.default_rng(0)
    ratio, decisions = np.array([[1.0, -1.0]]), []
    for _ in range(runs):
        sample = population[rng.integers(len(population), size=size)]
        groups = [Group(sample, ratio)]
        ((limits,),) = ratio_limits(groups, alpha, resamples=resamples, least_share=0.0)
        wrong = limits.word != "undecided"
        decisions.append((wrong, wrong and bool((effective_share(sample) >= LEAST_SHARE).all())))
    anyhow, careful = np.mean(decisions, axis=0).tolist()
    return anyhow, careful


def decided_typically(
    population: np.ndarray, alpha: float, size: int, runs: int
) -> tuple[float, float]:
    """The same of `typical.typical_limits`, all samples at once."""
    rng = np.random.default_rng(0)
    ratios = population[:, 0] / population[:, 1]
    k = limit_rank(size, alpha / 2)
    if k == 0:
        return 0.0, 0.0
    ordered = np.sort(ratios[rng.integers(len(ratios), size=(runs, size))], axis=1)
    return float((ordered[:, -k] < 1).mean()), float((ordered[:, k - 1] > 1).mean())
