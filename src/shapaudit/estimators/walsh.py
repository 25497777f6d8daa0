"""Normal equations of a regression on products of signs, one feature per set of players.

The feature of a set T at a coalition S is chi_T(S) = prod_{j in T} (2 [j in S] - 1).
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
from numba import njit

from ..games import coalition_index
from .base import BLOCK_CELLS

MAX_TABLE = 18  # players up to which sums over all coalitions are cheaper than sums of products


def sets_of_order(order: int, n_players: int) -> np.ndarray:
    """All sets (C(d, order), order) of so many players, in lexicographic order."""
    sets = list(combinations(range(n_players), order))
    return np.array(sets, dtype=np.int64).reshape(comb(n_players, order), order)


@njit(cache=True, nogil=True)
def transform(table: np.ndarray) -> None:
    """Replace t (2^d,) by its Walsh-Hadamard transform, sum_S (-1)^|S and T| t(S).

    Two players at a time: the table is read and written half as often.
    """
    half = 1
    while 4 * half <= table.size:
        for start in range(0, table.size, 4 * half):
            for i in range(start, start + half):
                j, k, m = i + half, i + 2 * half, i + 3 * half
                without, first = table[i] + table[j], table[i] - table[j]
                other, second = table[k] + table[m], table[k] - table[m]
                table[i], table[j] = without + other, first + second
                table[k], table[m] = without - other, first - second
        half *= 4
    if half < table.size:
        for i in range(half):
            low, high = table[i], table[i + half]
            table[i], table[i + half] = low + high, low - high


@njit(cache=True, nogil=True)
def gather(table: np.ndarray, masks: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Entries (p, q) of a table at masks[i] xor others[j]."""
    out = np.empty((masks.size, others.size))
    for i in range(masks.size):
        for j in range(others.size):
            out[i, j] = table[masks[i] ^ others[j]]
    return out


def _from_table(
    sets: Sequence[np.ndarray], coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """chi_T chi_U is the feature of the players in one of T and U: one transform has them all."""
    d = coalitions.shape[1]
    masks = np.concatenate([(1 << members).sum(axis=1) for members in sets])
    cells = coalition_index(~coalitions)  # chi_T counts the members of T outside S
    gram = np.bincount(cells, weights=weights, minlength=1 << d)
    moment = np.bincount(cells, weights=weights * rewards, minlength=1 << d)
    transform(gram)
    transform(moment)
    return gather(gram, masks, masks), moment[masks]


def _from_blocks(
    sets: Sequence[np.ndarray], coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    size = sum(len(members) for members in sets)
    gram, moment = np.zeros((size, size)), np.zeros(size)
    block = max(1, BLOCK_CELLS // size)
    for start in range(0, len(coalitions), block):
        rows = slice(start, start + block)
        signs = np.where(coalitions[rows], 1.0, -1.0)
        features = np.hstack([signs[:, members].prod(axis=2) for members in sets])
        weighted = weights[rows, None] * features
        gram += weighted.T @ features
        moment += rewards[rows] @ weighted
    return gram, moment


def normal_equations(
    sets: Sequence[np.ndarray], coalitions: np.ndarray, weights: np.ndarray, rewards: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Z'WZ (p, p) and Z'Wy (p,) for the features of the ``sets``, in their order."""
    build = _from_table if coalitions.shape[1] <= MAX_TABLE else _from_blocks
    return build(sets, coalitions, weights, rewards)
