"""Coalitions drawn without replacement, each size with a fixed share of the draws."""

from math import comb

import numpy as np
import scipy
from numba import njit

from .coalitions import uniform_subsets


def capped_shares(weights: np.ndarray, capacities: np.ndarray, total: float) -> np.ndarray:
    """Shares min(capacity, c weight) that sum to ``total``, or the capacities where that is less.

    These are inclusion probabilities times capacities: what exceeds 1 goes to the others.
    """
    free = np.ones(len(weights), dtype=bool)
    while free.any():
        left = total - capacities[~free].sum()
        shares = np.where(free, left * weights / weights[free].sum(), capacities)
        full = free & (shares >= capacities)
        if not full.any():
            return shares
        free &= ~full
    return capacities.astype(np.float64)


def systematic_counts(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Integers next to the shares, with the shares as expectations and their sum as sum."""
    whole = np.floor(shares)
    ends = np.cumsum(shares - whole)
    ends[-1] = np.round(ends[-1])
    return (whole + np.diff(np.floor(ends + rng.random()), prepend=0.0)).astype(np.int64)


@njit(cache=True, nogil=True)
def _fill_all(members: np.ndarray, out: np.ndarray) -> None:
    size, d = members.size, out.shape[1]
    for row in range(out.shape[0]):
        for k in range(size):
            out[row, members[k]] = True
        # The last member that can move on does so; those after it follow it closely.
        k = size - 1
        while k >= 0 and members[k] == d - size + k:
            k -= 1
        if k < 0:
            return
        members[k] += 1
        for later in range(k + 1, size):
            members[later] = members[later - 1] + 1


def all_subsets(size: int, n_players: int) -> np.ndarray:
    """The C(d, size) coalitions of one size (m, d) bool, in lexicographic order."""
    if 2 * size > n_players:
        return ~all_subsets(n_players - size, n_players)
    out = np.zeros((comb(n_players, size), n_players), dtype=bool)
    _fill_all(np.arange(size), out)
    return out


def _keys(coalitions: np.ndarray) -> np.ndarray:
    """A key (m,) for each coalition (m, d), integer where d <= 64, which sorts faster."""
    packed = np.packbits(coalitions, axis=1)
    octets = packed.shape[1]
    width = next((w for w in (1, 2, 4, 8) if w >= octets), octets)
    padded = np.zeros((len(packed), width), dtype=np.uint8)
    padded[:, :octets] = packed
    return padded.view(f"u{width}" if width <= 8 else f"V{width}")[:, 0]


def distinct_subsets(size: int, count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """``count`` different coalitions (count, d) bool of one size, uniform among such sets."""
    rows = comb(n_players, size)
    if 4 * count >= rows:
        everything = all_subsets(size, n_players)
        return everything if count == rows else everything[rng.permutation(rows)[:count]]
    subsets = np.empty((0, n_players), dtype=bool)
    while len(subsets) < count:
        more = uniform_subsets(np.full(2 * (count - len(subsets)), size), n_players, rng)
        subsets = np.concatenate([subsets, more])
        first = np.unique(_keys(subsets), return_index=True)[1]
        subsets = subsets[np.sort(first)]  # in the order of the draws, which makes a part uniform
    return subsets[:count]


def distinct_pairs(size: int, count: int, n_players: int, rng: np.random.Generator) -> np.ndarray:
    """As `distinct_subsets`, but one coalition of each pair of complements, 2 size <= d.

    Of two complements of the same size it is the one with player 0.
    """
    if 2 * size < n_players:
        return distinct_subsets(size, count, n_players, rng)
    others = distinct_subsets(size - 1, count, n_players - 1, rng)
    return np.column_stack([np.ones(count, dtype=bool), others])


def pairs_of_size(sizes: np.ndarray, n_players: int) -> np.ndarray:
    """Number of pairs of complements of which the smaller coalition has these sizes."""
    return scipy.special.comb(n_players, sizes) * np.where(2 * sizes == n_players, 0.5, 1.0)


def stratified_coalitions(
    probabilities: np.ndarray,
    draws: int,
    n_players: int,
    rng: np.random.Generator,
    paired: bool = False,
    distinct: bool = True,
) -> tuple[np.ndarray, np.ndarray]:
    """Coalitions (m, d) bool of all sizes and their importance weights (m,), m <= ``draws``.

    A size has its share of the draws, by the symmetric ``probabilities`` (d - 1,); a size whose
    share would exceed its coalitions is enumerated, and the excess goes to the others. The weight
    is the Shapley kernel, up to a factor, over the expected number of draws of the coalition.

    Parameters
    ----------
    paired : draw one coalition of each pair of complements; it is of the smaller size
    distinct : draw without replacement also the sizes that are not enumerated
    """
    d = n_players
    sizes = np.arange(1, d // 2 + 1 if paired else d)
    capacities = np.round(pairs_of_size(sizes, d) if paired else scipy.special.comb(d, sizes))
    halved = np.where(paired & (2 * sizes == d), 0.5, 1.0)
    shares = capped_shares(probabilities[sizes - 1] * halved, capacities, draws)
    counts = systematic_counts(shares, rng)
    blocks = []
    drawn = zip(sizes.tolist(), counts.tolist(), shares, capacities, strict=True)
    for size, count, share, capacity in drawn:
        if not distinct and share < capacity:
            blocks.append(uniform_subsets(np.full(count, size), d, rng))
        else:
            draw = distinct_pairs if paired else distinct_subsets
            blocks.append(draw(size, count, d, rng))
    return np.concatenate(blocks), np.repeat(halved / (sizes * (d - sizes)) / shares, counts)
