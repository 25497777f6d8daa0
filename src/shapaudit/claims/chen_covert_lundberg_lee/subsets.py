"""Claims 9 and 11: the coalitions that random q and random orders draw for one player."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import comb

import numpy as np

from ...theory.grids import random_law
from ...theory.least_squares import rationals
from ...theory.random_order import predecessor_law, semivalue_probability
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, small_dimensions, vector_cases, verdict_against
from .common import AGNOSTIC, APPENDIX, claim

ENUMERATED = 6  # players of the permutations that are listed


def random_subset_law(n_players: int) -> list[Fraction]:
    """Probability (d,) of one coalition of the others by its size, q uniform (Equation 9)."""
    d = n_players
    return [p / comb(d - 1, size) for size, p in enumerate(random_law(d))]


def size_first_law(n_players: int) -> list[Fraction]:
    """The same when the size is uniform, and then the coalition."""
    d = n_players
    return [Fraction(1, d * comb(d - 1, size)) for size in range(d)]


def gather_subsets(context: Context, law: Callable[[int], list[Fraction]]) -> Evidence:
    """P(S) and the probability of a coalition under a sampler, for every d and size."""
    players = range(2, context.settings.max_exact_dimension + 1)
    cases = []
    for d in players:
        right = rationals([semivalue_probability(d, size) for size in range(d)])
        cases += vector_cases(f"d = {d}, sizes from 0", np.array(law(d)), right)
    return {"cases": cases, "max_dimension": players[-1]}


def check_marginal(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when random q draws each coalition with probability P(S)."""
    numbers = {"max_dimension": evidence["max_dimension"]}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: probability {wrong.left}, not {wrong.right}.", numbers=numbers
        )
    return Verdict(
        "proved",
        "For one player, a uniform q draws every coalition of the others with probability P(S), "
        f"exactly for every d up to {numbers['max_dimension']} and by the Beta integral for all. "
        "With coalitions of their own for all players the two are one estimator.",
        "sound",
        numbers,
        evidence="prop:chen-sizes",
    )


def check_straightforward(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a uniform size and then a uniform coalition have the law P(S)."""
    numbers = {"max_dimension": evidence["max_dimension"]}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong,
            f"The simple sampler draws from another law: {wrong.label}, {wrong.left} and not "
            f"{wrong.right}.",
            "inconclusive",
            numbers=numbers,
        )
    return Verdict(
        "refuted",
        "Draw a size uniformly from 0 to d - 1, then a coalition of that size: this is P(S), for "
        f"every d up to {numbers['max_dimension']} and by its definition for all.",
        "false",
        numbers,
        evidence="prop:chen-sizes",
    )


def gather_predecessors(
    context: Context, law: Callable[[int, int], dict[int, Fraction]] = predecessor_law
) -> Evidence:
    """P(S) and the probability of S as the set of predecessors, over all permutations."""
    cases = []
    for d in small_dimensions(context, ENUMERATED):
        for player in range(d):
            found = law(d, player)
            for members in range(1 << d):
                if not members >> player & 1:
                    right = semivalue_probability(d, members.bit_count())
                    left = found.get(members, Fraction(0))
                    cases.append(Case(f"d = {d}, player {player + 1}, set {members}", left, right))
    return {"cases": cases}


def check_predecessors(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the predecessors have the law P(S)."""
    sample = {"coalitions": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left}, not {wrong.right}.", sample=sample
        )
    return Verdict(
        "proved",
        f"Listing all permutations, {sample['coalitions']} sets precede a player with probability "
        "P(S), and for all d because |S|! (d - |S| - 1)! permutations have them there: IME and "
        "ApproSemivalue draw from one law, independently for each player.",
        "sound",
        sample=sample,
        evidence="prop:chen-sizes",
    )


CLAIMS = (
    claim(
        id="ccll23-09a",
        title="Random q and random orders, player by player",
        where=f"{AGNOSTIC}, Equation 9; {APPENDIX}",
        statement=r"Multilinear extension sampling with random $q$ draws subsets effectively from "
        r"$P(S)=\frac{|S|!\,(d-|S|-1)!}{d!}$.",
        gather=partial(gather_subsets, law=random_subset_law),
        check=check_marginal,
    ),
    claim(
        id="ccll23-11a",
        title="IME and ApproSemivalue",
        where=AGNOSTIC,
        statement=r"The preceding players in a random permutation are a sample from "
        r"$P(S)=\frac{|S|!\,(d-|S|-1)!}{d!}$.",
        gather=gather_predecessors,
        check=check_predecessors,
    ),
    claim(
        id="ccll23-11b",
        title="Sampling subsets from P(S)",
        where=AGNOSTIC,
        statement=r"Estimators inspired directly by the semivalue are uncommon because sampling "
        r"subsets from $P(S)$ is not straightforward.",
        gather=partial(gather_subsets, law=size_first_law),
        check=check_straightforward,
    ),
)
