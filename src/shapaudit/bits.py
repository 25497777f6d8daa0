"""Products of coalitions with numbers, without a float in memory for each bit.

NumPy converts a boolean matrix before it multiplies, which takes ten times as long.
"""

import numpy as np
from numba import njit

from .sums import sum_where


@njit(cache=True, nogil=True)
def _by_row(coalitions: np.ndarray, weights: np.ndarray, out: np.ndarray) -> None:
    for t in range(coalitions.shape[0]):
        out[t] = sum_where(coalitions[t], weights)


@njit(cache=True, nogil=True)
def _by_column(weights: np.ndarray, coalitions: np.ndarray, out: np.ndarray) -> None:
    for t in range(coalitions.shape[0]):
        weight = weights[t]
        for j in range(coalitions.shape[1]):
            out[j] += weight if coalitions[t, j] else 0.0


@njit(cache=True, nogil=True)
def _pack(coalitions: np.ndarray, words: np.ndarray) -> None:
    """Coalition t is bit t % 64 of word t // 64 (words, d), one word for each player."""
    for t in range(coalitions.shape[0]):
        place = np.uint64(t % 64)
        for j in range(coalitions.shape[1]):
            words[t // 64, j] |= np.uint64(coalitions[t, j]) << place


@njit(cache=True, nogil=True)
def _ones(word: np.uint64) -> np.int64:
    """Number of bits that are set, of pairs, fours and eights of bits at once."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = np.uint64(0x3333333333333333)
    word = (word & fours) + ((word >> np.uint64(2)) & fours)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def _count(words: np.ndarray, out: np.ndarray) -> None:
    for i in range(words.shape[0]):
        for j in range(i + 1):
            count = 0
            for k in range(words.shape[1]):
                count += _ones(words[i, k] & words[j, k])
            out[i, j] = out[j, i] = count


def sums_over_members(coalitions: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Sum (m,) of the weights (d,) of the members of each coalition (m, d) bool."""
    out = np.empty(len(coalitions))
    _by_row(np.ascontiguousarray(coalitions, dtype=np.bool_), weights, out)
    return out


def sums_over_coalitions(weights: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
    """Sum (d,) of the weights (m,) of the coalitions (m, d) bool that each player is in."""
    out = np.zeros(coalitions.shape[1])
    _by_column(weights, np.ascontiguousarray(coalitions, dtype=np.bool_), out)
    return out


def joint_counts(coalitions: np.ndarray) -> np.ndarray:
    """Number (d, d) float64 of the coalitions (m, d) bool that two players are both in."""
    m, d = coalitions.shape
    words, out = np.zeros((-(-m // 64), d), dtype=np.uint64), np.empty((d, d))
    _pack(np.ascontiguousarray(coalitions, dtype=np.bool_), words)
    _count(np.ascontiguousarray(words.T), out)
    return out


def weighted_joint_counts(weights: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
    """Sum (d, d) of the non-negative weights (m,) of the coalitions two players are both in."""
    rooted = np.sqrt(weights)[:, None] * coalitions
    return rooted.T @ rooted  # as a matrix and its transpose this takes half the time
