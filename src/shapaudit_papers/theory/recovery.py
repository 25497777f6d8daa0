"""Whether sampled coalitions determine an additive game."""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from .pairing import kernel_law


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
