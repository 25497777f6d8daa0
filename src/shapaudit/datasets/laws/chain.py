"""Markov chains over features: what is given leaves a chain of the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from .base import SMALLEST, Law, LawError, checked_given, frozen, named
from .discrete import DiscreteLaw, grid

MOST_FEATURES = 14


@dataclass(frozen=True, eq=False)
class ChainLaw(Law):
    """X_1 by the initial probabilities, X_t+1 by row X_t of the t-th transition matrix.

    Parameters
    ----------
    levels : (L,) different numbers, what every feature may be
    initial : (L,) probabilities
    transitions : (d - 1, L, L), each row probabilities

    Raises `LawError` when shapes differ, probabilities are none, or d exceeds 14.
    """

    kind: ClassVar = "chain"

    levels: np.ndarray
    initial: np.ndarray
    transitions: np.ndarray

    def __post_init__(self) -> None:
        levels, initial, transitions = (
            np.asarray(array, dtype=np.float64)
            for array in (self.levels, self.initial, self.transitions)
        )
        n = len(levels)
        if initial.shape != (n,) or transitions.shape != (len(transitions), n, n):
            raise LawError(
                f"a chain over {n} levels needs ({n},) initial and (d - 1, {n}, {n}) transition "
                f"probabilities, got {initial.shape} and {transitions.shape}"
            )
        if len(transitions) >= MOST_FEATURES:
            raise LawError(f"a chain has at most {MOST_FEATURES} features; take fewer")
        if len(np.unique(levels)) < n:
            raise LawError(f"the levels of a chain must differ, got {levels.tolist()}")
        rows = np.concatenate([initial[None], transitions.reshape(-1, n)])
        if (rows < 0).any() or not np.allclose(rows.sum(axis=1), 1.0):
            raise LawError("the probabilities of a chain must not be negative and add up to 1")
        frozen(self, levels=levels, initial=initial, transitions=transitions)

    @classmethod
    def random(
        cls,
        rng: np.random.Generator,
        n_features: int,
        levels: Sequence[float] = (0.0, 1.0),
        persistence: float = 0.5,
    ) -> "ChainLaw":
        """Each feature repeats its neighbour with probability ``persistence``, else it is drawn
        by rows uniform on the simplex; the first is uniform over the levels.

        Raises `LawError` below one feature and above 14.
        """
        if not 1 <= n_features <= MOST_FEATURES:
            raise LawError(f"a chain has 1 to {MOST_FEATURES} features, got {n_features}")
        n = len(levels)
        moves = rng.dirichlet(np.ones(n), size=(n_features - 1, n))
        transitions = persistence * np.eye(n) + (1 - persistence) * moves
        return cls(np.array(levels), np.full(n, 1 / n), transitions)

    @property
    def n_features(self) -> int:
        """Number of features d."""
        return len(self.transitions) + 1

    @property
    def n_uniforms(self) -> int:
        """One number per feature."""
        return self.n_features

    @property
    def support(self) -> np.ndarray:
        """All rows (L^d, d) over the levels."""
        return grid(self.levels.tolist(), self.n_features)

    @property
    def probabilities(self) -> np.ndarray:
        """Probability (L^d,) of each row of the support."""
        joint = self.initial
        for transition in self.transitions:
            joint = joint[..., None] * transition
        return joint.ravel()

    def from_uniforms(self, uniforms: np.ndarray) -> np.ndarray:
        """The level in whose stretch of [0, 1] each number lies, along the chain."""
        places = np.empty(uniforms.shape, dtype=np.int64)
        places[:, 0] = _chosen(np.tile(self.initial, (len(uniforms), 1)), uniforms[:, 0])
        for t, transition in enumerate(self.transitions):
            places[:, t + 1] = _chosen(transition[places[:, t]], uniforms[:, t + 1])
        return self.levels[places]

    def given(self, members: np.ndarray, values: np.ndarray) -> Law:
        """The chain of the others, from messages that run backward; a table of no features if all
        are given."""
        members, values = checked_given(self, members, values)
        likely = np.ones((self.n_features, len(self.levels)))
        likely[members] = values[:, None] == self.levels
        initial, transitions = self._backward(likely, members)
        if members.all():
            return DiscreteLaw(np.empty((1, 0)), np.array([1]))
        kept = np.flatnonzero(~members)
        steps = [np.eye(len(self.levels)), *transitions]
        between = [_product(steps[a + 1 : b + 1]) for a, b in pairwise(kept)]
        first = initial @ _product(steps[: kept[0] + 1])
        return ChainLaw(self.levels, first, np.array(between).reshape(-1, *steps[0].shape))

    def _backward(
        self, likely: np.ndarray, members: np.ndarray
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Initial and transition probabilities of all features once the members are known.

        Rows of levels from which what is given cannot be reached are uniform: none is ever there.
        """
        message = np.ones(len(self.levels))
        transitions: list[np.ndarray] = []
        for t in reversed(range(len(self.transitions))):
            joint = self.transitions[t] * (likely[t + 1] * message)
            message = joint.sum(axis=1)
            safe = np.where(message > 0, message, 1.0)[:, None]
            rows = np.where(message[:, None] > 0, joint / safe, 1 / len(message))
            transitions.insert(0, rows)
            if message.any():
                message = message / message.max()
        first = self.initial * likely[0] * message
        if not first.any():
            columns = ", ".join(map(named, np.flatnonzero(members).tolist()))
            raise LawError(
                f"the chain has no row with these values of {columns}; explain rows that can occur"
            )
        return first / first.sum(), transitions


def _product(matrices: list[np.ndarray]) -> np.ndarray:
    product = matrices[0]
    for matrix in matrices[1:]:
        product = product @ matrix
    return product


def _chosen(rows: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Place (n,) in each row of probabilities (n, L) that a uniform number stands for."""
    ends = np.cumsum(rows, axis=1)
    below = np.minimum(uniforms, 1 - SMALLEST * 2)[:, None] * ends[:, -1:]
    return (ends <= below).sum(axis=1)
