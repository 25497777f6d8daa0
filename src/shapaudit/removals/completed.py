"""Games of completed rows: v(S) is a weighted mean of f over rows that agree with x on S."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numba import njit

from ..games import Game, coalition_index
from ..parameters import listed
from .base import FittedRemoval, RemovalError

CHUNK_ROWS = 1 << 15  # rows in memory at a time, whatever the number of coalitions
REMEMBERED_PLAYERS = 16  # up to here a game keeps how many completions coalitions have had


class Completed(NamedTuple):
    """Completions of m coalitions, one after the other: of the k-th those from starts[k] on."""

    rows: np.ndarray  # (total, d)
    weights: np.ndarray  # (total,), not negative; those of a coalition need not sum to 1
    starts: np.ndarray  # (m + 1,) int64


class Completions(Protocol):
    """What takes the place of absent features, noise and explicand included.

    ``size`` is the largest number of completions of a coalition.
    """

    size: int

    def complete(self, coalitions: np.ndarray) -> Completed:
        """Completions of coalitions (m, d), which depend on each coalition alone."""
        ...

    def single(self, rng: np.random.Generator) -> "Completions":
        """One fresh completion per coalition, drawn as often as its weight says."""
        ...


class EqualNumbers:
    """Completions of which every coalition has ``size``, so that none is made to count them."""

    size: int

    def counts(self, coalitions: np.ndarray) -> np.ndarray:
        """How many completions (m,) coalitions (m, d) have."""
        return np.full(len(coalitions), self.size, dtype=np.int64)


class CompletedGame:
    """v(S) = sum_k w_k f(c_k) / sum_k w_k over completions c_k of x_S.

    The grand coalition takes one row, x itself. Completions are evaluated in chunks of about
    `CHUNK_ROWS` rows.

    Raises
    ------
    RemovalError
        When the model's output on a completion is not finite: the features that were absent are
        named.
    """

    prepared_rows = 0

    def __init__(self, fitted: FittedRemoval, explicand: np.ndarray, completions: Completions):
        self.fitted, self.explicand, self.completions = fitted, explicand, completions
        self.n_players = explicand.size
        self.name = fitted.removal.id
        few = explicand.size <= REMEMBERED_PLAYERS
        self.seen = np.zeros(1 << explicand.size, dtype=np.int32) if few else None  # 0: not yet

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        values = np.empty(len(coalitions))
        for part in chunks(len(coalitions), self.completions.size):
            done = self._completed(coalitions[part])
            outputs = np.asarray(self.fitted.model.predict(done.rows), dtype=np.float64)
            self._check(outputs, done, coalitions[part])
            if self.seen is not None:
                self.seen[coalition_index(coalitions[part])] = np.diff(done.starts)
            values[part] = weighted_means(outputs, done.weights, done.starts)
        return values

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,) that the values of coalitions (m, d) take."""
        counts = np.ones(len(coalitions), dtype=np.int64)
        completed = np.flatnonzero(~coalitions.all(axis=1))
        for part in chunks(len(completed), self.completions.size):
            own = completed[part]
            counts[own] = self._counts(coalitions[own])
        return counts

    def realisation(self, rng: np.random.Generator) -> Game:
        """The game of one fresh completion per coalition."""
        return CompletedGame(self.fitted, self.explicand, self.completions.single(rng))

    def _counts(self, coalitions: np.ndarray) -> np.ndarray:
        """How many completions (m,) coalitions have; made where there is no other way to know."""
        if hasattr(self.completions, "counts"):
            return self.completions.counts(coalitions)
        counts = np.zeros(len(coalitions), dtype=np.int64)
        if self.seen is not None:
            counts[:] = self.seen[coalition_index(coalitions)]
        new = counts == 0
        if new.any():
            counts[new] = np.diff(self.completions.complete(coalitions[new]).starts)
        return counts

    def _completed(self, coalitions: np.ndarray) -> Completed:
        """Completions, of the grand coalition the explicand alone."""
        whole = coalitions.all(axis=1)
        if not whole.any():
            return self.completions.complete(coalitions)
        other = self.completions.complete(coalitions[~whole])
        counts = np.ones(len(coalitions), dtype=np.int64)
        counts[~whole] = np.diff(other.starts)
        starts = np.concatenate([[0], np.cumsum(counts)])
        rows, weights = np.empty((starts[-1], self.n_players)), np.ones(starts[-1])
        given = np.repeat(~whole, counts)
        rows[~given] = self.explicand
        rows[given], weights[given] = other.rows, other.weights
        return Completed(rows, weights, starts)

    def _check(self, outputs: np.ndarray, done: Completed, coalitions: np.ndarray) -> None:
        if outputs.shape != (len(done.rows),):
            raise RemovalError(
                f"{self.name}: the model gave outputs of shape {outputs.shape} for "
                f"{len(done.rows)} rows; it must give one number per row."
            )
        starts = done.starts
        refuse_outputs(
            self.name,
            self.fitted.names,
            outputs,
            lambda row: coalitions[np.searchsorted(starts, row, side="right") - 1],
        )


def refuse_outputs(
    name: str,
    names: tuple[str, ...],
    outputs: np.ndarray,
    coalition_of: Callable[[int], np.ndarray],
) -> None:
    """Raise `RemovalError` unless a removal's model gave finite outputs (m,).

    The features that were absent are named: ``coalition_of`` gives the coalition (d,) of a row.
    """
    finite = np.isfinite(outputs)
    if finite.all():
        return
    row = int(np.argmin(finite))
    absent = [names[j] for j in np.flatnonzero(~coalition_of(row))]
    completed = f" whose features {listed(absent)} were completed" if absent else ", the explicand"
    raise RemovalError(
        f"{name}: the model's output is {outputs[row]} on a row{completed}; such rows need not "
        "look like data: make the model give finite numbers on all rows, or take a removal that "
        "evaluates observed rows only, as exact-match or cohort."
    )


class BackgroundRows(EqualNumbers):
    """Absent features take their values from each of some rows (K, d), with weights (K,)."""

    def __init__(self, explicand: np.ndarray, rows: np.ndarray, weights: np.ndarray):
        self.explicand, self.background, self.weights = explicand, rows, weights
        self.size = len(rows)

    def complete(self, coalitions: np.ndarray) -> Completed:
        """Hybrids of the explicand and every row."""
        m = len(coalitions)
        rows = np.empty((m * self.size, self.explicand.size))
        fill_hybrids(coalitions, self.explicand, self.background, rows)
        return Completed(rows, np.tile(self.weights, m), np.arange(m + 1) * self.size)

    def single(self, rng: np.random.Generator) -> "BackgroundRows":
        """One of the rows."""
        chosen = rng.choice(self.size, p=self.weights / self.weights.sum())
        return BackgroundRows(self.explicand, self.background[[chosen]], np.ones(1))


def chunks(count: int, each: int) -> list[slice]:
    """Slices of ``count`` coalitions with about `CHUNK_ROWS` rows, ``each`` of one coalition."""
    step = max(1, CHUNK_ROWS // max(each, 1))
    return [slice(start, start + step) for start in range(0, count, step)]


@njit(cache=True, nogil=True)
def weighted_means(outputs: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Weighted means (m,) of stretches of outputs (total,), each summed from its first one on."""
    means = np.empty(starts.size - 1)
    for k in range(means.size):
        total = 0.0
        mass = 0.0
        for i in range(starts[k], starts[k + 1]):
            total += weights[i] * outputs[i]
            mass += weights[i]
        means[k] = total / mass
    return means


@njit(cache=True, nogil=True)
def fill_hybrids(
    coalitions: np.ndarray, explicand: np.ndarray, background: np.ndarray, rows: np.ndarray
) -> None:
    """Fill rows (m K, d), K to a coalition: the explicand on it, the background off it."""
    size = background.shape[0]
    for k in range(coalitions.shape[0]):
        for i in range(size):
            for j in range(explicand.size):
                rows[k * size + i, j] = explicand[j] if coalitions[k, j] else background[i, j]
