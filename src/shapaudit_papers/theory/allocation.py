"""Effect on variance and bias of draws in proportion to an estimated variance.

Chen et al. 2023, Section 5.2.1 (adaptive sampling): half of the draws are equal for all players,
the others are allotted by estimates from the first half.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb, prod

import numpy as np

from shapaudit.samplers.allocation import Allocation, StageSummary, allocate, fill_up, proportional

DRAWS = 1 << 20  # per player and stage: shares of the budget to six digits

Allot = Callable[[np.ndarray, np.ndarray, int], np.ndarray]  # variances, done, total -> more draws


def by_variance(variances: np.ndarray, done: np.ndarray, total: int) -> np.ndarray:
    """More draws (d,) in proportion to the variances, as the public code of the paper has it."""
    return proportional(variances, total)


def by_deviation(variances: np.ndarray, done: np.ndarray, total: int) -> np.ndarray:
    """More draws (d,) such that the sum of variances is least, given the draws already done."""
    return fill_up(np.sqrt(variances), done, total)


def two_stages(variances: np.ndarray, allot: Allot) -> float:
    """Sum of variances when half of the draws are allotted, over the sum for equal draws.

    ``variances`` (d,) are those of one draw, and known.
    """
    d = len(variances)
    done = np.full(d, DRAWS)
    counts = done + allot(variances, done, d * DRAWS)
    return float((variances / counts).sum() / (variances.sum() / (2 * DRAWS)))


def half_by_variance(variances: np.ndarray) -> Fraction:
    """`two_stages` by the variance, exactly: 2 sum of a_i / (1 + d a_i), a_i the shares."""
    shares = variances / variances.sum()
    return sum(2 * a / (1 + len(variances) * a) for a in shares)


def contribution_variances(values: np.ndarray) -> np.ndarray:
    """Variances (d,) of the contributions of a uniform permutation, from the values (2^d,)."""
    d = len(values).bit_length() - 1
    index = np.arange(1 << d)
    law = np.array([1 / (d * comb(d - 1, size)) for size in range(d)])
    variances = np.empty(d)
    for player in range(d):
        without = index[(index >> player) & 1 == 0]
        gains = values[without | 1 << player] - values[without]
        chances = law[np.bitwise_count(without)]
        variances[player] = chances @ np.square(gains - chances @ gains)
    return variances


def pooled_moments(rule: Allocation, budget: int, players: int) -> dict[str, Fraction]:
    """Relative bias, its share of the squared error, and that error over the one of equal draws.

    They are means over the players of a unanimity game. All players are needed, so a contribution
    is 1 with probability 1/d, 0 otherwise: the sums of the first stage are independent binomials,
    and so are those of the second given its draws.
    """
    d, phi = players, Fraction(1, players)
    each = budget // 2 // (2 * d)
    left = budget // 2 - each * d
    chances = [comb(each, x) * phi**x * (1 - phi) ** (each - x) for x in range(each + 1)]
    bias = square = Fraction(0)
    for sums in product(range(each + 1), repeat=d):
        means = np.array(sums) / each
        variances = means * (1 - means) * each / (each - 1)
        more = allocate(rule, StageSummary(means, np.full(d, each), variances), left).tolist()
        chance = prod((chances[x] for x in sums), start=Fraction(1))
        for x, draws in zip(sums, more, strict=True):
            off, drawn = x - each * phi, each + draws
            bias += chance * off / drawn / d
            square += chance * (off**2 + draws * phi * (1 - phi)) / drawn**2 / d
    equal = phi * (1 - phi) * d / (budget // 2)
    return {"relative_bias": bias / phi, "share": bias**2 / square, "over_equal": square / equal}
