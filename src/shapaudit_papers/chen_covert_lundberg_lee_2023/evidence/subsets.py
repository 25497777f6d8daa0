"""Evidence on claims 9 and 11: the coalitions that random q and random orders draw for a player."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import (
    exact_dimensions,
    integer_games,
    small_dimensions,
    vector_cases,
)
from shapaudit_papers.theory.random_order import (
    predecessor_law,
    random_subset_law,
    semivalue_probability,
    size_first_law,
    walk_outcomes,
)

ENUMERATED = 6  # players of the permutations that are listed
LARGEST = 5  # players of the games whose permutations are all walked

Mean = Callable[[np.ndarray], np.ndarray]


def subset_cases(context: Context, law: Callable[[int], list[Fraction]]) -> Evidence:
    """Return P(S) and the probability of a coalition under a sampler, for every d and size."""
    players = exact_dimensions(context)
    cases = []
    for d in players:
        right = rationals([semivalue_probability(d, size) for size in range(d)])
        cases += vector_cases(f"d = {d}, sizes from 0", np.array(law(d)), right)
    return {"cases": cases, "max_dimension": players[-1]}


def predecessor_cases(
    context: Context, law: Callable[[int, int], dict[int, Fraction]] = predecessor_law
) -> list[Case]:
    """Return the probability of S as the predecessors in a permutation, and P(S)."""
    cases = []
    for d in small_dimensions(context, ENUMERATED):
        for player in range(d):
            probabilities = law(d, player)
            for members in range(1 << d):
                if not members >> player & 1:
                    right = semivalue_probability(d, members.bit_count())
                    left = probabilities.get(members, Fraction(0))
                    cases.append(Case(f"d = {d}, player {player + 1}, set {members}", left, right))
    return cases


def walk_mean(values: np.ndarray) -> np.ndarray:
    """Return mean contributions (d,) along all permutations, the expectation of ApproShapley."""
    outcomes = walk_outcomes(values)
    return sum(probability * contributions for probability, contributions in outcomes)


def subset_mean(values: np.ndarray) -> np.ndarray:
    """Return means over a uniform size and coalition of it, the expectation of ApproSemivalue."""
    d = len(values).bit_length() - 1
    means, law = rationals([0] * d), size_first_law(d)
    for player in range(d):
        for members in range(1 << d):
            if not members >> player & 1:
                gain = values[members | 1 << player] - values[members]
                means[player] += law[members.bit_count()] * gain
    return means


MEANS: dict[str, Mean] = {"ApproShapley": walk_mean, "ApproSemivalue": subset_mean}


def mean_cases(context: Context, means: Mapping[str, Mean] = MEANS) -> list[Case]:
    """Return the expectations of two methods and the Shapley values."""
    cases: list[Case] = []
    dimensions = small_dimensions(context, LARGEST)
    for label, _, values in integer_games(context, "ccll23-09a", dimensions=dimensions):
        truth = shapley_values(values)
        for name, mean in means.items():
            cases += vector_cases(f"{label}, {name}", mean(values), truth)
    return cases


def gather_same_law(
    context: Context,
    law: Callable[[int], list[Fraction]] = random_subset_law,
    predecessors: Callable[[int, int], dict[int, Fraction]] = predecessor_law,
    means: Mapping[str, Mean] = MEANS,
) -> Evidence:
    """Return the laws of the coalitions that are drawn for a player, and expectations.

    ``random_q`` has the law under a random q, ``orders`` that of the predecessors in a random
    permutation, each beside P(S); ``means`` the expectations of ApproShapley and ApproSemivalue
    beside the Shapley values.
    """
    random_q = subset_cases(context, law)
    return {
        "random_q": random_q["cases"],
        "orders": predecessor_cases(context, predecessors),
        "means": mean_cases(context, means),
        "max_dimension": random_q["max_dimension"],
    }


def gather_size_first_subsets(context: Context) -> Evidence:
    """`subset_cases` where the size is drawn first."""
    return subset_cases(context, size_first_law)
