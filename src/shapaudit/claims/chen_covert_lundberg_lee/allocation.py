"""Claim 5: draws in proportion to the variance, and what two stages do to the bias."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

import numpy as np

from ...samplers.allocation import Allocation, Stage, allocate, fill_up, proportional
from ...theory.least_squares import rationals
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from .common import AGNOSTIC, claim

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


@lru_cache(maxsize=1)
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
    return {"exact": exact, "rows": study_rows(context)}


def check_gain(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the factor never exceeds 1 in exact arithmetic."""
    exact, rows = evidence["exact"], evidence["rows"]
    numbers = {"largest_factor": max(exact), "least_factor": min(exact)}
    sample = {"variances": len(exact), "games": len(rows)}
    details = {"numbers": numbers, "sample": sample, "rows": rows}
    if max(exact) > 1:
        return Verdict("refuted", f"The factor can be {max(exact)}.", "false", **details)
    medians = [row["variance"] for row in rows]
    return Verdict(
        "proved",
        "With known variances, half of the draws equal and half in proportion to the variances "
        "never give a larger sum of variances than equal draws: the factor 2 sum a/(1 + d a) over "
        "the shares a of the variance is concave, and 1 when they are equal. Median factors on the "
        f"study's games: {show(min(medians))} to {show(max(medians))}. Without the equal half the "
        "sum is that of equal draws, whatever the variances.",
        "sound",
        **details,
    )


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
    return {"rows": rows, "study": study_rows(context)}


def check_best(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by variances for which another allocation has a smaller sum."""
    rows = tuple(evidence["rows"])
    worst = max(rows, key=lambda row: row["over_best"])
    numbers = {
        "largest_quotient": worst["over_best"],
        "largest_quotient_study": max(row["largest_quotient"] for row in evidence["study"]),
    }
    sample = {"variances": len(rows), "games": len(evidence["study"])}
    if worst["over_best"] <= 1 + 1e-5:
        summary = "No other allocation of the second half has a smaller sum of variances."
        return Verdict("proved", summary, "sound", numbers, (), sample, rows)
    return Verdict(
        "refuted",
        "Least is the sum with draws in proportion to the standard deviations, as far as those "
        f"done allow. The sum by the variance is up to {show(numbers['largest_quotient_study'])} "
        f"times that on the study's games, {show(worst['over_best'])} times with {worst['noisy']} "
        f"noisy of {worst['players']} players and a standard deviation "
        f"{show(worst['quiet_deviation'])} times theirs for the others: many quiet players "
        "together are worth more draws than the variance gives them.",
        "false",
        numbers,
        (),
        sample,
        rows,
    )


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


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an expectation that is not the Shapley value."""
    rows = tuple(evidence["rows"])
    biases = [row["relative_bias"] for row in rows]
    worst = max(rows, key=lambda row: abs(row["relative_bias"]))
    numbers = {
        "worst_relative_bias": worst["relative_bias"],
        "least_relative_bias": min(biases, key=abs),
        "largest_share": max(row["share"] for row in rows),
    }
    if not any(biases):
        return Verdict("proved", "No bias in exact arithmetic.", "sound", numbers, rows=rows)
    parts = [f"{show(100 * row['relative_bias'])} at {row['evaluations']}" for row in rows]
    return Verdict(
        "refuted",
        f"Exactly, on the unanimity game of {CARRIER} players, the relative bias of IME with "
        f"adaptive sampling is, in per cent by evaluations: {', '.join(parts)}; its square is up "
        f"to {show(100 * numbers['largest_share'])} per cent of the squared error. A player whose "
        "first draws are all 0 shows no variance and gets no more draws, so its low mean stays; "
        "one stage, or a second that does not look at the first, is unbiased.",
        "hypothesis",
        numbers,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-05a",
        title="More draws where the variance is high",
        where=AGNOSTIC,
        statement=r"Allocating more samples to estimate $\phi_i(v)$ for players with high variance "
        r"in their marginal contributions improves convergence: with $n_i$ half uniform and half "
        r"proportional to $\sigma_i^2$, $\sum_i\sigma_i^2/n_i$ is at most that of equal $n_i$.",
        gather=gather_gain,
        check=check_gain,
    ),
    claim(
        id="ccll23-05b",
        title="Draws in proportion to the variance are best",
        where=f"{AGNOSTIC}, in the authors' public code",
        statement=r"Once half of the draws are equal, giving the other half in proportion to the "
        r"variances $\sigma_i^2$ makes $\sum_i\sigma_i^2/n_i$ least.",
        gather=gather_best,
        check=check_best,
        source="this project",
    ),
    claim(
        id="ccll23-05c",
        title="Adaptive sampling is unbiased",
        where=f"{AGNOSTIC}, where IME with adaptive sampling is among the unbiased estimators",
        statement=r"The estimator that pools a first stage with a second, allotted by the "
        r"variances found in the first, is unbiased like IME.",
        gather=gather_bias,
        check=check_bias,
    ),
)
