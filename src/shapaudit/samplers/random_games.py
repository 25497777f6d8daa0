"""Games drawn at random: of known structure, and of kinds that differ in their even and odd parts.

A kind is a function of the number of players d and of a generator to a table (2^d,), in the order
of `games.coalition_index`.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np

from ..games import (
    RadialGame,
    SymmetricMajorityGame,
    ThresholdGame,
    UnanimityGame,
    all_coalitions,
    tabulate,
)
from .coalitions import uniform_subsets

TERMS, LARGEST_TERM = 100, 5  # of the sparse games; of as many players as trees of depth 5 split

Kind = Callable[[int, np.random.Generator], np.ndarray]


def sparse_game(n_players: int, rng: np.random.Generator) -> UnanimityGame:
    """Interactions of 1 to 5 players with normal coefficients, as a sum of trees has them."""
    sizes = rng.integers(1, 1 + min(LARGEST_TERM, n_players), size=TERMS)
    return UnanimityGame(rng.standard_normal(TERMS), uniform_subsets(sizes, n_players, rng))


def threshold_game(n_players: int, rng: np.random.Generator) -> ThresholdGame:
    """As in the classification of Grah & Thouvenot 2020, Section 5.1.

    1 beyond a threshold that explicand and baseline lie on either side of.
    """
    shifts = rng.standard_normal(n_players)
    return ThresholdGame(0.0, shifts, rng.random() * shifts.sum())


def radial_game(n_players: int, rng: np.random.Generator) -> RadialGame:
    """The radial regression of Grah & Thouvenot 2020, Section 5.1, of normal rows."""
    return RadialGame(*rng.standard_normal((2, n_players)))


@cache
def _parities(n_players: int, degree: int) -> np.ndarray:
    """Parities (2^d, terms) of every set of ``degree`` players, as signs."""
    signs = 1.0 - 2.0 * all_coalitions(n_players)
    terms = combinations(range(n_players), degree)
    return np.column_stack([signs[:, list(term)].prod(axis=1) for term in terms])


def parity_table(n_players: int, degree: int, rng: np.random.Generator) -> np.ndarray:
    """Random combination (2^d,) of the parities of ``degree`` players: a pure interaction."""
    basis = _parities(n_players, degree)
    return basis @ rng.standard_normal(basis.shape[1])


def two_additive_table(n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Normal weights (2^d,) of the players and of each two of them."""
    members = all_coalitions(n_players).astype(float)
    weights = rng.standard_normal((n_players, n_players))
    return np.einsum("si,ij,sj->s", members, weights, members)


def majority_table(n_players: int) -> np.ndarray:
    """1 for more than half of the players (2^d,); without an even part where d is odd."""
    return tabulate(SymmetricMajorityGame(n_players, n_players // 2 + 1)).values


KINDS: dict[str, Kind] = {
    "majority": lambda d, rng: majority_table(d),
    "parities of 3": lambda d, rng: parity_table(d, 3, rng),
    "threshold": lambda d, rng: tabulate(threshold_game(d, rng)).values,
    "product": lambda d, rng: tabulate(radial_game(d, rng)).values,
    "2-additive": two_additive_table,
}


def draw_varying(kind: Kind, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """The first table (2^d,) of a kind that is not constant, scaled to standard deviation 1."""
    values = kind(n_players, rng)
    while np.ptp(values) == 0:
        values = kind(n_players, rng)
    return values / values.std()
