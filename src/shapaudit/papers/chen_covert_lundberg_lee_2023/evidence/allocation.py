"""Evidence on claim 5: draws in proportion to the variance, and what two stages do to the bias."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence
from shapaudit.samplers.allocation import (
    Allocation,
    Stage,
    allocate,
    fill_up,
    proportional,
)
from shapaudit.theory.least_squares import rationals

PAIRS = 20  # of each study game
DRAWS = 1 << 20  # per player and stage: shares of the budget to six digits
MOST_PLAYERS, TRIALS = 40, 5  # of the random variances that the inequality is checked on
CARRIER = 4  # players of the unanimity game: contributions are 0 but for one order in four
BIASED_AT = (32, 64, 96)  # evaluations

Allot = Callable[[np.ndarray, np.ndarray, int], np.ndarray]  # variances, done, total -> more draws


def by_variance(variances: np.ndarray, done: np.ndarray, total: int) -> np.ndarray:
    """As in the public code of the paper."""
    return proportional(variances, total)


def by_deviation(variances: np.ndarray, done: np.ndarray, total: int) -> np.ndarray:
    """The least sum of variances that the draws already done allow."""
    return fill_up(np.sqrt(variances), done, total)


def two_stages(variances: np.ndarray, allot: Allot) -> float:
    """Sum of variances / draws when half of the draws are equal, over that of equal draws.

    ``variances`` (d,) are those of one draw, and known.
    """
    d = len(variances)
    done = np.full(d, DRAWS)
    counts = done + allot(variances, done, d * DRAWS)
    return float((variances / counts).sum() / (variances.sum() / (2 * DRAWS)))


def half_by_variance(variances: np.ndarray) -> Fraction:
    """The same of allocation by the variance, exactly: 2 sum of a_i / (1 + d a_i), a_i shares."""
    shares = variances / variances.sum()
    return sum(2 * a / (1 + len(variances) * a) for a in shares)


def contribution_variances(values: np.ndarray) -> np.ndarray:
    """Variances (d,) of the contributions to the players before in a uniform permutation."""
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


def study_rows(context: Context) -> tuple[Evidence, ...]:
    """By game of the study, factors of both rules over pairs whose contributions vary."""
    rows = []
    for study in context.study_games():
        variances = [contribution_variances(game.values) for game, _ in study.pairs(PAIRS)]
        found = [
            [two_stages(one, rule) for rule in (by_variance, by_deviation)]
            for one in variances
            if one.any()
        ]
        if found:
            variance, deviation = np.array(found).T
            row = {"game": study.name, "players": study.n_players, "pairs": len(found)}
            row |= {"variance": np.median(variance), "deviation": np.median(deviation)}
            rows.append(row | {"largest_quotient": (variance / deviation).max()})
    return tuple(rows)


def gather_gain(context: Context, factor: Callable = half_by_variance) -> Evidence:
    """The factor of random variances, exactly, and of the contributions of the study's games."""
    rng = context.generator("ccll23-05a")
    exact = []
    for d in range(2, 1 + min(MOST_PLAYERS, context.settings.max_exact_dimension)):
        exact.append(factor(rationals([1] * d)))
        exact += [factor(rationals(rng.integers(1, 100, d).tolist())) for _ in range(TRIALS)]
    return {"exact": exact, "rows": context.once(study_rows)}


def gather_best(context: Context, allot: Allot = by_variance) -> Evidence:
    """The sum of variances over the least possible, for k noisy players of d."""
    rows = []
    for d in (10, 79, 280):
        for noisy in sorted({1, 2, d // 4, d // 2, d - 1}):
            for quiet in (0.0, 0.01, 0.1, 0.3, 0.5):
                variances = np.where(np.arange(d) < noisy, 1.0, quiet**2)
                given = two_stages(variances, allot)
                row = {"players": d, "noisy": noisy, "quiet_deviation": quiet, "factor": given}
                row["over_best"] = given / two_stages(variances, by_deviation)
                rows.append(row)
    return {"rows": rows, "study": context.once(study_rows)}


def exact_moments(rule: Allocation, budget: int, players: int = CARRIER) -> dict[str, Fraction]:
    """Relative bias and its share of the squared error, means over the players, on unanimity.

    All players are needed, so a contribution is 1 with probability 1/d, 0 otherwise: the sums of
    the first stage are independent binomials, and so are those of the second given its draws.
    """
    d, phi = players, Fraction(1, players)
    each = budget // 2 // (2 * d)
    left = budget // 2 - each * d
    chances = [comb(each, x) * phi**x * (1 - phi) ** (each - x) for x in range(each + 1)]
    bias = square = Fraction(0)
    for sums in product(range(each + 1), repeat=d):
        means = np.array(sums) / each
        variances = means * (1 - means) * each / (each - 1)
        more = allocate(rule, Stage(means, np.full(d, each), variances), left).tolist()
        chance = np.prod([chances[x] for x in sums])
        for x, draws in zip(sums, more, strict=True):
            off, drawn = x - each * phi, each + draws
            bias += chance * off / drawn / d
            square += chance * (off**2 + draws * phi * (1 - phi)) / drawn**2 / d
    return {"relative_bias": bias / phi, "share": bias**2 / square}


def gather_bias(context: Context, rule: Allocation = "variance") -> Evidence:
    """Exact relative bias of pooled stages by budget."""
    rows = []
    for budget in BIASED_AT:
        moments = {name: float(value) for name, value in exact_moments(rule, budget).items()}
        rows.append({"players": CARRIER, "evaluations": budget} | moments)
    return {"rows": rows}
