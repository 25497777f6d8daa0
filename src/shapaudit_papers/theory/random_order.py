"""The laws of the coalitions that random orders and random q draw, exactly.

Chen et al. 2023, Equations 6, 7 and 9. Tables are in the order of `games.coalition_index`.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import comb, factorial

import numpy as np

from shapaudit.truth.rational import rationals

from .grids import random_law


def semivalue_probability(n_players: int, size: int) -> Fraction:
    """P(S) = |S|! (d - |S| - 1)! / d! of a coalition of the others (below Equation 6)."""
    d = n_players
    return Fraction(factorial(size) * factorial(d - size - 1), factorial(d))


def predecessor_law(n_players: int, player: int) -> dict[int, Fraction]:
    """Probability of each set before the player in a uniform permutation, by enumerating them."""
    counts = Counter(
        sum(1 << other for other in order[: order.index(player)])
        for order in permutations(range(n_players))
    )
    return {members: Fraction(n, factorial(n_players)) for members, n in counts.items()}


Outcomes = list[tuple[Fraction, np.ndarray]]


def walk_contributions(values: np.ndarray, order: Sequence[int]) -> np.ndarray:
    """Contributions (d,) of a walk along a permutation; the values are fractions."""
    contributions = rationals([0] * len(order))
    members = 0
    for player in order:
        contributions[player] = values[members | 1 << player] - values[members]
        members |= 1 << player
    return contributions


def walk_outcomes(values: Sequence | np.ndarray) -> Outcomes:
    """Probability and contributions (d,) of a walk along each permutation (ApproShapley)."""
    values = rationals(values)
    d = len(values).bit_length() - 1
    orders = permutations(range(d))
    return [(Fraction(1, factorial(d)), walk_contributions(values, order)) for order in orders]


def shared_outcomes(values: Sequence | np.ndarray) -> Outcomes:
    """Probability and contributions (d,) of one coalition E that all players share, q uniform.

    P(E) is the integral of q^

    E

    (1 - q)^(d -

    E

    ), 1 / ((d + 1) C(d,

    E

    )); player i contributes v(E + i) - v(E - i).
    """
    values = rationals(values)
    d = len(values).bit_length() - 1
    outcomes = []
    for members in range(1 << d):
        probability = Fraction(1, (d + 1) * comb(d, members.bit_count()))
        contributions = [values[members | 1 << i] - values[members & ~(1 << i)] for i in range(d)]
        outcomes.append((probability, rationals(contributions)))
    return outcomes


def marginal_law(outcomes: Outcomes, player: int) -> dict[Fraction, Fraction]:
    """Probability of each value of one player's contribution."""
    law: dict[Fraction, Fraction] = {}
    for probability, contributions in outcomes:
        value = contributions[player]
        law[value] = law.get(value, Fraction(0)) + probability
    return law


def moments(outcomes: Outcomes) -> tuple[np.ndarray, np.ndarray]:
    """Mean (d,) and covariances (d, d) of the contributions."""
    mean = sum(probability * x for probability, x in outcomes)
    second = sum(probability * np.outer(x, x) for probability, x in outcomes)
    return mean, second - np.outer(mean, mean)


def listed_variances(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Variances (d,) of a walk and of its mean with its reverse, all permutations listed."""
    walks = walk_outcomes(values)
    # In the order of the permutations, reversals are not where their permutations are.
    orders = permutations(range(len(values).bit_length() - 1))
    pairs = [
        (chance, (walked + walk_contributions(values, order[::-1])) / 2)
        for (chance, walked), order in zip(walks, orders, strict=True)
    ]
    return moments(walks)[1].diagonal(), moments(pairs)[1].diagonal()


def random_subset_law(n_players: int) -> list[Fraction]:
    """Probability (d,) of one coalition of the others by its size, q uniform (Equation 9)."""
    d = n_players
    return [p / comb(d - 1, size) for size, p in enumerate(random_law(d))]


def size_first_law(n_players: int) -> list[Fraction]:
    """Probability (d,) of one coalition by its size, if size and coalition are uniform in turn."""
    d = n_players
    return [Fraction(1, d * comb(d - 1, size)) for size in range(d)]
