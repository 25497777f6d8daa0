"""The baseline game of a tree ensemble, as a sum over the leaves that hybrid rows can reach."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from shapaudit.models.trees import LEAF, TreeEnsemble, goes_left

from .base import GameError

_WORD = 64
_CHUNK = 1024


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
    words = max(1, -(-ensemble.n_features // _WORD))
    values, masks = _reached_leaves(
        ensemble.nodes, ensemble.roots, np.stack([x, r]), words, ensemble.depth
    )
    masks, term = np.unique(masks, axis=0, return_inverse=True)
    values = np.bincount(term.ravel(), weights=values, minlength=len(masks))
    free = ~masks.any(axis=1)
    constant = ensemble.base_score + float(values[free].sum())
    present, absent = (np.ascontiguousarray(half[~free]) for half in np.hsplit(masks, 2))
    return LeafTerms(values[~free], present, absent, constant)


class TreeGame:
    """v(S) = f(z(x, r, S)) for a tree ensemble f, without evaluating any row.

    Equal to `BaselineGame(ensemble.predict, explicand, baseline)` up to the order of the sums; a
    missing (NaN) feature follows the ensemble's default directions.

    Parameters
    ----------
    ensemble : TreeEnsemble
    explicand, baseline : ndarray (d,)

    Raises
    ------
    GameError
        When a row does not have the ensemble's number of features.
    """

    def __init__(
        self,
        ensemble: TreeEnsemble,
        explicand: np.ndarray,
        baseline: np.ndarray,
        name: str = "tree",
    ):
        self.ensemble = ensemble
        self.explicand = explicand
        self.baseline = baseline
        self.terms = leaf_terms(ensemble, explicand, baseline)
        # (S & care) == present exactly when A is in S and B is not.
        self._care = self.terms.present | self.terms.absent
        self.n_players = ensemble.n_features
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool.

        Raises
        ------
        GameError
            When the coalitions have another number of players.
        """
        coalitions = self._checked(coalitions, np.bool_, "coalitions")
        terms = self.terms
        return _evaluate(terms.values, self._care, terms.present, terms.constant, coalitions)

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d), by player, along the permutations (m, d) of players.

        A term switches on with the last of its present players and off with the first of its
        absent ones, so a permutation costs one pass over the terms rather than d.

        Raises
        ------
        GameError
            When the permutations have another number of players.
        """
        permutations = self._checked(permutations, np.int64, "permutations")
        if permutations.size and not 0 <= permutations.min() <= permutations.max() < self.n_players:
            raise GameError(f"game {self.name}: permutations must hold 0 to {self.n_players - 1}")
        present, absent = _members(self.terms.present), _members(self.terms.absent)
        return _walk(self.terms.values, *present, *absent, permutations)

    def _checked(self, array: np.ndarray, dtype: type, what: str) -> np.ndarray:
        array = np.ascontiguousarray(array, dtype=dtype)
        if array.ndim != 2 or array.shape[1] != self.n_players:
            raise GameError(
                f"game {self.name}: {what} must have shape (m, {self.n_players}), got {array.shape}"
            )
        return array


def _checked_row(ensemble: TreeEnsemble, row: np.ndarray, what: str) -> np.ndarray:
    row = np.asarray(row, dtype=np.float64)
    if row.shape != (ensemble.n_features,):
        raise GameError(f"the {what} must have shape ({ensemble.n_features},), got {row.shape}")
    return row.astype(np.float32)


def _members(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Players in each mask, one list after the other, and where each list starts (and ends)."""
    octets = np.ascontiguousarray(masks, dtype="<u8").view(np.uint8)
    term, player = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little"))
    return player, np.searchsorted(term, np.arange(len(masks) + 1))


@njit(cache=True, nogil=True)
def _reached_leaves(nodes, roots, pair, words, depth):
    """Value, and A and B side by side as words, of each leaf that a hybrid of the pair reaches."""
    n_leaves = np.sum(nodes.feature == LEAF)
    values = np.empty(n_leaves)
    masks = np.empty((n_leaves, 2 * words), dtype=np.uint64)
    # At most one node per level waits while the path goes on, and one more below the last split.
    waiting = np.empty(depth + 2, dtype=np.int64)
    needs = np.zeros((depth + 2, 2 * words), dtype=np.uint64)
    found = 0
    for root in roots:
        waiting[0], top = root, 1
        needs[0] = 0
        while top:
            top -= 1
            node, need = waiting[top], needs[top].copy()
            j = nodes.feature[node]
            if j == LEAF:
                values[found], masks[found] = nodes.value[node], need
                found += 1
                continue
            bit = np.uint64(1) << np.uint64(j % _WORD)
            word = j // _WORD
            left = (goes_left(nodes, node, pair[0, j]), goes_left(nodes, node, pair[1, j]))
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
    return values[:found], masks[:found]


@njit(cache=True, nogil=True)
def _note_unmet(unmet, packed, care, present):
    for i in range(unmet.size):
        unmet[i] |= (packed[i] & care) ^ present


@njit(cache=True, nogil=True)
def _evaluate(values, care, present, constant, coalitions):
    """Terms outside, coalitions inside: the inner loops run over a packed, cached chunk."""
    n_coalitions, n_players = coalitions.shape
    n_terms, words = care.shape
    outputs = np.full(n_coalitions, constant)
    packed = np.empty((words, _CHUNK), dtype=np.uint64)
    scratch = np.empty(_CHUNK, dtype=np.uint64)
    for start in range(0, n_coalitions, _CHUNK):
        size = min(_CHUNK, n_coalitions - start)
        packed[:] = 0
        for i in range(size):
            for j in range(n_players):
                bit = np.uint64(coalitions[start + i, j]) << np.uint64(j % _WORD)
                packed[j // _WORD, i] |= bit
        part, unmet = outputs[start : start + size], scratch[:size]
        for term in range(n_terms):
            unmet[:] = 0
            for word in range(words):
                if care[term, word]:
                    _note_unmet(unmet, packed[word], care[term, word], present[term, word])
            value = values[term]
            for i in range(size):
                part[i] += value if unmet[i] == 0 else 0.0
    return outputs


@njit(cache=True, nogil=True)
def _walk(values, present, present_starts, absent, absent_starts, permutations):
    m, d = permutations.shape
    contributions = np.zeros((m, d))
    position = np.empty(d, dtype=np.int64)
    for i in range(m):
        for k in range(d):
            position[permutations[i, k]] = k
        for term in range(values.size):
            last, first = -1, d
            for player in present[present_starts[term] : present_starts[term + 1]]:
                last = max(last, position[player])
            for player in absent[absent_starts[term] : absent_starts[term + 1]]:
                first = min(first, position[player])
            if last < first:
                if last >= 0:
                    contributions[i, permutations[i, last]] += values[term]
                if first < d:
                    contributions[i, permutations[i, first]] -= values[term]
    return contributions
