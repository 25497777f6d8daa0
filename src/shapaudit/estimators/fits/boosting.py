"""Boosted regression trees on bits, as XGBoost grows them (Chen & Guestrin 2016, Section 2.2).

Squared errors, and all rows and bits at every split. A tree is grown level by level: a node splits
on the bit of largest gain

    G_0^2 / (n_0 + 1) + G_1^2 / (n_1 + 1) - (G_0 + G_1)^2 / (n_0 + n_1 + 1),

G_b being the sum and n_b the number of the residuals of its rows with that bit b, and a leaf has
the value rate (G / (n + 1)). Bits that divide the rows of a node alike have equal gains but for
rounding, which is not that of another processor: the first of them is taken. The sums of all bits
are taken over the rows of the smaller child only: those of the larger one are what it leaves of its
parent's. XGBoost, which works in single precision and hands over its trees as a document, takes
several times as long for the same trees.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ...models.nodes import LEAF

RIDGE = 1.0  # XGBoost's lambda
LEAST_GAIN = 1e-6  # below which it does not split
ALIKE = 1e-10  # of a gain and what it is taken from: gains that differ by less are equal


class Grown(NamedTuple):
    """Nodes (n,) of all trees: the bit of a split, its children, and the value of a leaf.

    ``absent`` and ``present`` are the children of rows without and with it; a leaf has bit and
    children -1. ``roots`` (rounds,) are the first nodes of the trees.
    """

    bit: np.ndarray
    absent: np.ndarray
    present: np.ndarray
    value: np.ndarray
    roots: np.ndarray


@njit(cache=True, nogil=True, error_model="numpy")
def grow(bits, target, rounds, depth, rate):
    """Trees of some depth, fitted one after the other to ``target`` (n,); the fields of `Grown`.

    ``bits`` (n, d) are uint8; ``rate`` is the learning rate, by which each tree is shrunk.
    """
    n, d = bits.shape
    room = rounds * ((2 << depth) - 1)
    bit, absent, present = np.full((3, room), LEAF, np.int32)
    value, roots = np.zeros(room), np.empty(rounds, np.int32)
    left, rows, buffer = target.copy(), np.arange(n), np.empty(n, np.int64)
    # Of the open nodes of a level: number, first and last of its rows, and sums over these by bit.
    number, first, last = np.empty((3, 1 << depth), np.int64)
    sums, counts = np.empty((1 << depth, d)), np.empty((1 << depth, d))  # apart: contiguous
    made = 0
    for tree in range(rounds):
        roots[tree] = number[0] = made
        first[0], last[0] = 0, n
        sum_by_bit(bits, left, rows, sums[0], counts[0])
        made, here = made + 1, 1
        for level in range(depth + 1):
            following = here
            for slot in range(here):
                node, begin, end = number[slot], first[slot], last[slot]
                if node == LEAF:
                    continue
                own = rows[begin:end]
                total = 0.0
                for row in own:
                    total += left[row]
                best = LEAF
                if level < depth:
                    best = best_split(total, len(own), sums[slot], counts[slot])
                if best == LEAF:
                    value[node] = rate * (total / (len(own) + RIDGE))
                    for row in own:
                        left[row] -= value[node]
                    number[slot] = LEAF
                    continue
                middle = begin + without_first(bits, best, own, buffer)
                bit[node], absent[node], present[node] = best, made, made + 1
                number[slot], first[slot], last[slot] = made, begin, middle
                number[following], first[following], last[following] = made + 1, middle, end
                made += 2
                if level + 1 < depth:
                    large, small = slot, following
                    if 2 * middle < begin + end:
                        # The parent's sums are where the larger child will look for its own.
                        sums[following], counts[following] = sums[slot], counts[slot]
                        large, small = following, slot
                    part = rows[first[small] : last[small]]
                    sum_by_bit(bits, left, part, sums[small], counts[small])
                    sums[large] -= sums[small]
                    counts[large] -= counts[small]
                following += 1
            here = following
    return bit[:made], absent[:made], present[:made], value[:made], roots


@njit(cache=True, nogil=True)
def sum_by_bit(bits, left, rows, sums, counts):
    """Sums (d,) and counts (d,) of the residuals ``left`` (n,) over some rows, for each bit."""
    sums[:] = 0.0
    counts[:] = 0.0
    for row in rows:
        amount = left[row]
        for j in range(len(sums)):
            sums[j] += bits[row, j] * amount
            counts[j] += bits[row, j]


@njit(cache=True, nogil=True, error_model="numpy")
def best_split(total, size, sums, counts):
    """The first bit of largest gain, or -1 where none has rows on both sides and enough of it.

    A later bit has to gain more by more than rounding.
    """
    least, best = LEAST_GAIN, LEAF
    whole = total * total / (size + RIDGE)
    for j in range(len(sums)):
        if 0.0 < counts[j] < size:
            other = total - sums[j]
            gain = sums[j] * sums[j] / (counts[j] + RIDGE)
            gain += other * other / (size - counts[j] + RIDGE) - whole
            if gain > least:
                least, best = gain + ALIKE * (gain + whole), j
    return best


@njit(cache=True, nogil=True)
def without_first(bits, bit, rows, buffer):
    """Move the rows without a bit before the others, in order; returns their number."""
    lacking, having = 0, 0
    for row in rows:
        if bits[row, bit]:
            buffer[having] = row
            having += 1
        else:
            rows[lacking] = row
            lacking += 1
    rows[lacking:] = buffer[:having]
    return lacking


def boost(bits: np.ndarray, target: np.ndarray, rounds: int, depth: int, rate: float) -> Grown:
    """Boosted trees on ``bits`` (n, d) bool, fitted to ``target`` (n,), see `grow`."""
    return Grown(*grow(bits.astype(np.uint8), target.astype(np.float64), rounds, depth, rate))
