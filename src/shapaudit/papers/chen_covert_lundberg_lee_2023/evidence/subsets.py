"""Evidence on claims 9 and 11.

The coalitions that random q and random orders draw for one player.
"""

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Case, Evidence
from shapaudit.audit.exact import small_dimensions, vector_cases
from shapaudit.theory.grids import random_law
from shapaudit.theory.least_squares import rationals
from shapaudit.theory.random_order import predecessor_law, semivalue_probability

ENUMERATED = 6  # players of the permutations that are listed


def random_subset_law(n_players: int) -> list[Fraction]:
    """Probability (d,) of one coalition of the others by its size, q uniform (Equation 9)."""
    d = n_players
    return [p / comb(d - 1, size) for size, p in enumerate(random_law(d))]


def size_first_law(n_players: int) -> list[Fraction]:
    """The same when the size is uniform, and then the coalition."""
    d = n_players
    return [Fraction(1, d * comb(d - 1, size)) for size in range(d)]


def subset_cases(context: Context, law: Callable[[int], list[Fraction]]) -> Evidence:
    """P(S) and the probability of a coalition under a sampler, for every d and size."""
    players = range(2, context.settings.max_exact_dimension + 1)
    cases = []
    for d in players:
        right = rationals([semivalue_probability(d, size) for size in range(d)])
        cases += vector_cases(f"d = {d}, sizes from 0", np.array(law(d)), right)
    return {"cases": cases, "max_dimension": players[-1]}


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


def gather_random_subsets(context: Context) -> Evidence:
    """`subset_cases` where q is random."""
    return subset_cases(context, random_subset_law)


def gather_size_first_subsets(context: Context) -> Evidence:
    """`subset_cases` where the size is drawn first."""
    return subset_cases(context, size_first_law)
