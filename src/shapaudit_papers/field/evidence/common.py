"""Games that pieces of evidence share."""

import numpy as np

from shapaudit.games import all_coalitions
from shapaudit.samplers.random_games import majority_table
from shapaudit.truth.rational import rationals

ENUMERATED = 5  # players up to which permutations are listed


def majority(n_players: int) -> np.ndarray:
    """1 for more than half of the players, as fractions (2^d,)."""
    return rationals(majority_table(n_players).astype(int).tolist())


def parity_of_three(n_players: int) -> np.ndarray:
    """1 where an odd number of the first three players is in, as fractions (2^d,)."""
    return rationals((all_coalitions(n_players)[:, :3].sum(axis=1) % 2).tolist())
