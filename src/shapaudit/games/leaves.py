"""The leaves that hybrids of explicand and baseline reach, as terms over coalitions."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from ..models.nodes import LEAF, Nodes
from ..models.tree_kernels import goes_left
from ..models.trees import TreeEnsemble
from .base import GameError

WORD = 64  # players per word of a mask


@dataclass(frozen=True, eq=False)
class LeafTerms:
    """v(S) = constant + sum_l values_l 1{A_l in S} 1{B_l and S disjoint}.

    A hybrid row takes the explicand on S and the baseline elsewhere. It reaches a leaf when the
    players A, for whom only the explicand follows the path, are present, and the players B, for
    whom only the baseline does, are absent; players for whom both do are free. Leaves with equal A
    and B are one term, those that no hybrid row reaches are none, and those that every row reaches
    are in the constant.

    Parameters
    ----------
    values : ndarray (n_terms,) of float64
    present, absent : ndarray (n_terms, ceil(d / 64)) of uint64
        A and B: player j is bit j % 64 of word j // 64.
    constant : float
    """

    values: np.ndarray
    present: np.ndarray
    absent: np.ndarray
    constant: float


def leaf_terms(ensemble: TreeEnsemble, explicand: np.ndarray, baseline: np.ndarray) -> LeafTerms:
    """The terms of the ensemble's baseline game between explicand (d,) and baseline (d,).

    Raises
    ------
    GameError
        When a row does not have the ensemble's number of features.
    """
    x, r = (
        _checked_row(ensemble, row, what)
        for row, what in ((explicand, "explicand"), (baseline, "baseline"))
    )
    words = max(1, -(-ensemble.n_features // WORD))
    values, masks = _reached_leaves(
        ensemble.nodes, ensemble.roots, np.stack([x, r]), words, ensemble.depth
    )
    masks, term = np.unique(masks, axis=0, return_inverse=True)
    values = np.bincount(term.ravel(), weights=values, minlength=len(masks))
    free = ~masks.any(axis=1)
    constant = ensemble.base_score + float(values[free].sum())
    present, absent = (np.ascontiguousarray(half[~free]) for half in np.hsplit(masks, 2))
    return LeafTerms(values[~free], present, absent, constant)


def _checked_row(ensemble: TreeEnsemble, row: np.ndarray, what: str) -> np.ndarray:
    row = np.asarray(row, dtype=np.float64)
    if row.shape != (ensemble.n_features,):
        raise GameError(f"the {what} must have shape ({ensemble.n_features},), got {row.shape}")
    return row.astype(np.float32)


@njit(cache=True, nogil=True)
def _reached_leaves(
    nodes: Nodes, roots: np.ndarray, ends: np.ndarray, words: int, depth: int
) -> tuple[np.ndarray, np.ndarray]:
    """Value, and A and B side by side as words, of each leaf that a hybrid row reaches.

    ``ends`` (2, d) are explicand and baseline.
    """
    n_leaves = np.sum(nodes.feature == LEAF)
    values = np.empty(n_leaves)
    masks = np.empty((n_leaves, 2 * words), dtype=np.uint64)
    # At most one node per level waits while the path goes on, and one more below the last split.
    waiting = np.empty(depth + 2, dtype=np.int64)
    needs = np.zeros((depth + 2, 2 * words), dtype=np.uint64)
    filled = 0
    for root in roots:
        waiting[0], top = root, 1
        needs[0] = 0
        while top:
            top -= 1
            node, need = waiting[top], needs[top].copy()
            j = nodes.feature[node]
            if j == LEAF:
                values[filled], masks[filled] = nodes.value[node], need
                filled += 1
                continue
            bit = np.uint64(1) << np.uint64(j % WORD)
            word = j // WORD
            left = (goes_left(nodes, node, ends[0, j]), goes_left(nodes, node, ends[1, j]))
            for side in range(2):
                if left[0] == left[1] and side == 1:
                    continue
                other = word + (1 - side) * words
                if left[0] != left[1] and need[other] & bit:
                    continue  # the path already needs the other row's value
                waiting[top] = nodes.left[node] if left[side] else nodes.right[node]
                needs[top] = need
                if left[0] != left[1]:
                    needs[top, word + side * words] |= bit
                top += 1
    return values[:filled], masks[:filled]
