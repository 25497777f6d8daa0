"""The baseline game of a tree ensemble, evaluated and walked without predicting a row."""

import numpy as np
from numba import njit

from ..models.trees import TreeEnsemble
from .base import GameError
from .leaves import WORD, LeafTerms, leaf_terms

__all__ = ["LeafTerms", "TreeGame", "leaf_terms"]

_CHUNK = 1024  # coalitions, and below permutations, that are dealt with side by side
_WALKS = 256


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
        self._occurring = np.flatnonzero(~self.null_players())
        self._lists = [
            array
            for masks in (self.terms.present, self.terms.absent)
            for array in _members(_unpacked(masks)[:, self._occurring])
        ]
        self.name = name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool.

        Raises
        ------
        GameError
            When the coalitions have another number of players.
        """
        coalitions = self._checked(coalitions, np.bool_, "coalitions")
        words = _packed(coalitions, self._care.shape[1])
        terms = self.terms
        return _evaluate(terms.values, self._care, terms.present, terms.constant, words)

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
        return _walk(self.terms.values, *self._lists, self._occurring, permutations)

    def null_players(self) -> np.ndarray:
        """Mask (d,) bool of the players that occur in no term: v does not depend on them.

        The values of such a player in x and r fall on the same side of every split that hybrid
        rows reach. Its marginal contributions are all zero.
        """
        occurring = np.bitwise_or.reduce(self._care, axis=0)
        return ~_unpacked(occurring[None])[0, : self.n_players]

    def _checked(self, array: np.ndarray, dtype: type, what: str) -> np.ndarray:
        array = np.ascontiguousarray(array, dtype=dtype)
        if array.ndim != 2 or array.shape[1] != self.n_players:
            raise GameError(
                f"game {self.name}: {what} must have shape (m, {self.n_players}), got {array.shape}"
            )
        return array


def _packed(coalitions: np.ndarray, words: int) -> np.ndarray:
    """Coalitions (m, d) bool as bits: (m, words) uint64, player j in bit j % 64 of word j // 64."""
    octets = np.packbits(coalitions, axis=1, bitorder="little")
    padded = np.zeros((len(coalitions), words * WORD // 8), dtype=np.uint8)
    padded[:, : octets.shape[1]] = octets
    return padded.view("<u8").astype(np.uint64, copy=False)


def _unpacked(masks: np.ndarray) -> np.ndarray:
    """Masks (m, words) uint64 as (m, 64 words) bool."""
    octets = np.ascontiguousarray(masks, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, bitorder="little").view(bool)


def _members(masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns set in each row, one list after the other, and where each list starts (and ends)."""
    term, member = np.nonzero(masks)
    return member, np.searchsorted(term, np.arange(len(masks) + 1))


@njit(cache=True, nogil=True)
def _note_unmet(
    unmet: np.ndarray, packed: np.ndarray, care: np.ndarray, present: np.ndarray
) -> None:
    for i in range(unmet.size):
        unmet[i] |= (packed[i] & care) ^ present


@njit(cache=True, nogil=True)
def _evaluate(
    values: np.ndarray,
    care: np.ndarray,
    present: np.ndarray,
    constant: float,
    coalitions: np.ndarray,
) -> np.ndarray:
    """Terms outside, coalitions inside: the inner loops run over a cached chunk."""
    n_coalitions = len(coalitions)
    n_terms, words = care.shape
    outputs = np.full(n_coalitions, constant)
    packed = np.empty((words, _CHUNK), dtype=np.uint64)
    scratch = np.empty(_CHUNK, dtype=np.uint64)
    for start in range(0, n_coalitions, _CHUNK):
        size = min(_CHUNK, n_coalitions - start)
        for i in range(size):
            for word in range(words):
                packed[word, i] = coalitions[start + i, word]
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
def _credit(gained: np.ndarray, position: np.ndarray, turn: np.ndarray, value: float) -> None:
    for i in range(turn.size):
        gained[i] += value if position[i] == turn[i] else 0.0


@njit(cache=True, nogil=True)
def _switch(
    present: np.ndarray,
    absent: np.ndarray,
    position: np.ndarray,
    on: np.ndarray,
    off: np.ndarray,
    end: int,
) -> None:
    """When a term switches on, and off, along each of the walks; both at `end` if it is never on.

    On at -1 is on from the start, off at `end`, past every position, is on to the end.
    """
    on[:], off[:] = -1, end
    for player in present:
        for i in range(on.size):
            on[i] = max(on[i], position[player, i])
    for player in absent:
        for i in range(on.size):
            off[i] = min(off[i], position[player, i])
    for i in range(on.size):
        active = on[i] < off[i]
        on[i] = on[i] if active else end
        off[i] = off[i] if active else end


@njit(cache=True, nogil=True)
def _walk(
    values: np.ndarray,
    present: np.ndarray,
    present_starts: np.ndarray,
    absent: np.ndarray,
    absent_starts: np.ndarray,
    players: np.ndarray,
    permutations: np.ndarray,
) -> np.ndarray:
    """Terms outside, walks inside: the inner loops run over a chunk of walks.

    The lists of present and absent count within `players`, those that occur in any term.
    """
    m, d = permutations.shape
    contributions = np.zeros((m, d))
    place = np.full(d, -1)
    place[players] = np.arange(players.size)
    positions = np.empty((players.size, _WALKS), dtype=np.int32)
    gains = np.empty((players.size, _WALKS))
    switches = np.empty((2, _WALKS), dtype=np.int32)
    for start in range(0, m, _WALKS):
        size = min(_WALKS, m - start)
        position, gained = positions[:, :size], gains[:, :size]
        on, off = switches[0, :size], switches[1, :size]
        for i in range(size):
            for k in range(d):
                row = place[permutations[start + i, k]]
                if row >= 0:
                    position[row, i] = k
        gained[:] = 0.0
        for term in range(values.size):
            needed = present[present_starts[term] : present_starts[term + 1]]
            barred = absent[absent_starts[term] : absent_starts[term + 1]]
            _switch(needed, barred, position, on, off, d)
            for player in needed:
                _credit(gained[player], position[player], on, values[term])
            for player in barred:
                _credit(gained[player], position[player], off, -values[term])
        for i in range(size):
            for row in range(players.size):
                contributions[start + i, players[row]] = gained[row, i]
    return contributions
