"""Evidence on claims 9 and 11.

The coalitions that random q and random orders draw for one player.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import exact_dimensions, small_dimensions, vector_cases
from shapaudit_papers.theory.random_order import (
    predecessor_law,
    random_subset_law,
    semivalue_probability,
    size_first_law,
)

ENUMERATED = 6  # players of the permutations that are listed


def subset_cases(context: Context, law: Callable[[int], list[Fraction]]) -> Evidence:
    """Return P(S) and the probability of a coalition under a sampler, for every d and size."""
    players = exact_dimensions(context)
    cases = []
    for d in players:
        right = rationals([semivalue_probability(d, size) for size in range(d)])
        cases += vector_cases(f"d = {d}, sizes from 0", np.array(law(d)), right)
    return {"cases": cases, "max_dimension": players[-1]}


def gather_predecessors(
    context: Context, law: Callable[[int, int], dict[int, Fraction]] = predecessor_law
) -> Evidence:
    """Return P(S) and the probability of S as the predecessors in a permutation."""
    cases = []
    for d in small_dimensions(context, ENUMERATED):
        for player in range(d):
            probabilities = law(d, player)
            for members in range(1 << d):
                if not members >> player & 1:
                    right = semivalue_probability(d, members.bit_count())
                    left = probabilities.get(members, Fraction(0))
                    cases.append(Case(f"d = {d}, player {player + 1}, set {members}", left, right))
    return {"cases": cases}


def gather_random_subsets(context: Context) -> Evidence:
    """`subset_cases` where q is random."""
    return subset_cases(context, random_subset_law)


def gather_size_first_subsets(context: Context) -> Evidence:
    """`subset_cases` where the size is drawn first."""
    return subset_cases(context, size_first_law)
