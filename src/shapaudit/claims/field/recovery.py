"""Claim 6: how many evaluations it takes to be exact on additive games."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from ...estimators import Estimator, OptimisedMonteCarlo
from ...games import AdditiveGame
from ...samplers import sample_sizes, uniform_subsets
from ...samplers.sizes import kernel_sizes
from ...theory.pairing import kernel_law
from ..base import Evidence, Limit, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, random_integers, show, vector_cases, verdict_against
from ..limits import clopper_pearson
from .common import claim

WALK = OptimisedMonteCarlo()
LISTED = (3, 4)  # players for whom all samples are listed
SAMPLED = (10, 16)
SHARES = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3))  # pairs per player


def gather_walk(context: Context, estimator: Estimator = WALK) -> Evidence:
    """Estimates at d + 1 evaluations and weights of additive games, integers throughout."""
    cases: list[Case] = []
    for d in range(1, context.settings.max_exact_dimension + 1):
        weights = random_integers(context, "field26-06", d, count=d).astype(float)
        rng = context.generator("field26-06", "walk", d)
        found = estimator.estimate(AdditiveGame(weights, offset=1.0), d + 1, rng).values
        # Sums of small integers are exact in floating point.
        cases += vector_cases(f"d = {d}", *(map(Fraction, side) for side in (found, weights)))
    return {"cases": cases}


def check_walk(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when a single walk returns the weights of every additive game."""
    sample = {"values": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        text = f"{wrong.label}: {wrong.left}, not {wrong.right}."
        return verdict_against(wrong, text, sample=sample)
    return Verdict(
        "proved",
        "In an additive game a player contributes its weight to whatever coalition, so one walk of "
        f"d + 1 evaluations is exact; so it is, to the last bit, for {sample['values']} integer "
        "weights.",
        "sound",
        sample=sample,
        evidence="prop:recovery",
    )


def full_rank_probability(n_players: int, draws: int) -> Fraction:
    """Probability that this many draws from the kernel determine an additive game.

    A coalition and its complement have opposite directions Px, so pairs and single draws have the
    same chance: d - 1 independent axes are needed.
    """
    d = n_players
    law = kernel_law(d)
    axes = range(1, 1 << (d - 1))
    chances = {s: 2 * law[s.bit_count() - 1] / comb(d, s.bit_count()) for s in axes}
    total = Fraction(0)
    for sample in combinations_with_replacement(axes, draws):
        if rank_of(np.array([[s >> j & 1 for j in range(d)] for s in set(sample)])) == d - 1:
            orders = factorial(draws) // prod(factorial(sample.count(s)) for s in set(sample))
            total += orders * prod(chances[s] for s in sample)
    return total


def rank_of(members: np.ndarray) -> np.ndarray:
    """Rank of the directions Px of the coalitions (..., m, d)."""
    return np.linalg.matrix_rank(members - members.mean(axis=-1, keepdims=True))


def gather_ranks(context: Context, rank=rank_of) -> Evidence:
    """Exact probabilities of full rank for few players, and counts in random samples for more."""
    exact = {d: full_rank_probability(d, d) for d in LISTED}
    counts = []
    trials = context.settings.repetitions
    for d in SAMPLED:
        rng = context.generator("field26-06", "ranks", d)
        for share in SHARES:
            draws = int(share * d)
            sizes = sample_sizes(kernel_sizes(d), trials * draws, rng)
            members = uniform_subsets(sizes, d, rng).reshape(trials, draws, d)
            full = int((rank(members.astype(float)) == d - 1).sum())
            counts.append({"players": d, "pairs": draws, "full": full, "trials": trials})
    return {"exact": exact, "counts": counts}


def check_ranks(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if d pairs fail with positive probability, by listing all samples."""
    exact, counts = evidence["exact"], evidence["counts"]
    rows = [
        {"players": d, "pairs": d, "trials": "all", "probability": float(p), "low": p, "high": p}
        for d, p in exact.items()
    ]
    limits = [
        clopper_pearson(
            f"d = {c['players']}, {c['pairs']} pairs", c["full"], c["trials"], alpha / len(counts)
        )
        for c in counts
    ]
    rows += [
        {"players": c["players"], "pairs": c["pairs"], "trials": c["trials"]}
        | {"probability": one.estimate, "low": one.low, "high": one.high}
        for c, one in zip(counts, limits, strict=True)
    ]
    details = {
        "numbers": {f"probability_{d}": p for d, p in exact.items()},
        "limits": tuple(limits),
        "sample": {"trials": counts[0]["trials"]} if counts else {},
        "rows": tuple(rows),
    }
    if all(p == 1 for p in exact.values()):
        return Verdict("supported", "All samples of d pairs have full rank.", "sample", **details)
    listed = ", ".join(f"{p} for d = {d}" for d, p in exact.items())
    sampled = "; ".join(_sentence(one) for one in _at(limits, counts, Fraction(1)))
    more = "; ".join(_sentence(one) for one in _at(limits, counts, Fraction(2)))
    return Verdict(
        "refuted",
        f"The sample must span d - 1 directions, and d pairs do so with probability {listed}"
        + (f"; by sampling, {sampled}; {more}" if limits else "")
        + ". A complement adds no direction: without pairs the same number of draws, at half the "
        "evaluations, is as good on additive games.",
        "hypothesis",
        **details,
    )


def _at(limits, counts, share):
    return [
        one
        for one, c in zip(limits, counts, strict=True)
        if c["pairs"] == int(share * c["players"])
    ]


def _sentence(limit: Limit) -> str:
    return f"{show(limit.estimate)} for {limit.name}"


CLAIMS = (
    claim(
        id="field26-06a",
        title="One walk recovers an additive game",
        where="as usually stated",
        statement=r"A permutation method is exact on additive games after one walk.",
        gather=gather_walk,
        check=check_walk,
    ),
    claim(
        id="field26-06b",
        title="A kernel method recovers an additive game from d pairs",
        where="as usually stated",
        statement=r"KernelSHAP is exact on additive games after $d$ pairs of complements.",
        gather=gather_ranks,
        check=check_ranks,
    ),
)
