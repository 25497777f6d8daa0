"""Uniform coalitions of given sizes."""

import numpy as np
from numba import njit


def sample_sizes(probabilities: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Sizes (count,) in 1, ..., d - 1 with the given probabilities (d - 1,)."""
    cumulative = np.cumsum(probabilities)
    cumulative /= cumulative[-1]
    return 1 + np.searchsorted(cumulative, rng.random(count), side="right")


@njit(cache=True, nogil=True)
def _fill_subsets(
    sizes: np.ndarray, deck: np.ndarray, rng: np.random.Generator, out: np.ndarray
) -> None:
    d = deck.size
    for row in range(sizes.size):
        size = sizes[row]
        # The smaller of the coalition and its complement is drawn.
        inside = 2 * size <= d
        draws = size if inside else d - size
        out[row, :] = not inside
        for k in range(draws):
            other = k + int(rng.random() * (d - k))
            deck[k], deck[other] = deck[other], deck[k]
            out[row, deck[k]] = inside


def uniform_subsets(sizes: np.ndarray, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """Coalitions (m, d) bool, row i uniform among those of size ``sizes[i]`` in 0, ..., d.

    A partial Fisher-Yates shuffle of one deck: whatever order the previous row left, the next
    draw is uniform.
    """
    out = np.empty((len(sizes), n_players), dtype=bool)
    _fill_subsets(np.asarray(sizes, dtype=np.int64), np.arange(n_players), rng, out)
    return out
