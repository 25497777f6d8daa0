"""Permutations of the players."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def _shuffle_rows(rng: np.random.Generator, rows: np.ndarray) -> None:
    d = rows.shape[1]
    for t in range(rows.shape[0]):
        for k in range(d):
            rows[t, k] = k
        for k in range(d - 1):
            other = k + int(rng.random() * (d - k))
            rows[t, k], rows[t, other] = rows[t, other], rows[t, k]


def uniform_permutations(count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Independent uniform permutations (count, d) int64 (Fisher-Yates)."""
    rows = np.empty((count, n_players), dtype=np.int64)
    _shuffle_rows(rng, rows)
    return rows
