"""Games that are sums of few random unanimity games."""

import numpy as np

from shapaudit.games import UnanimityGame
from shapaudit.samplers.coalitions import uniform_subsets


def sparse(d: int, terms: int, largest: int, seed: int | np.random.Generator = 0) -> UnanimityGame:
    """A game of ``terms`` sets with at most ``largest`` of d players, and normal coefficients."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, largest + 1, size=terms)
    return UnanimityGame(rng.standard_normal(terms), uniform_subsets(sizes, d, rng))
