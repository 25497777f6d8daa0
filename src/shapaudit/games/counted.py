"""A game that counts what is asked of it and refuses to go over budget."""

import os

import numpy as np
from numba import njit

from ..parameters import whole_number
from .base import Game, GameError, checked_values, gains, realisation, walk
from .foreign import guarded


class BudgetExceeded(RuntimeError):
    """An estimator asked for more evaluations than its budget."""


@njit(cache=True, nogil=True)
def _each_once(permutations: np.ndarray) -> bool:
    """Whether every row (d,) of (m, d) int64 holds each of 0, ..., d - 1."""
    m, d = permutations.shape
    seen = np.full(d, -1)
    for t in range(m):
        for k in range(d):
            player = permutations[t, k]
            if not 0 <= player < d or seen[player] == t:
                return False
            seen[player] = t
    return True


class CountedGame:
    """Wrap a game: count each row asked for, repeats and end points included.

    A walk along one permutation counts d rows (its prefixes of size 1 to d); the empty coalition,
    where every walk starts, counts once, at the first walk. Contributions to a coalition count
    d + 1 rows.

    Raises
    ------
    BudgetExceeded
        Before the evaluation that would exceed ``budget``.
    GameError
        When coalitions are not a bool (m, d) array, when a row of permutations is none of the d
        players, when another process asks, whose evaluations would not be counted, or when the game
        breaks its contract.
    ValueError
        When the budget is no whole number.
    """

    def __init__(self, game: Game, budget: int | None = None):
        self.game = guarded(game)
        self.n_players = self.game.n_players
        self.budget = None if budget is None else whole_number("budget", budget, ValueError)
        self.evaluations = 0
        self._walked, self._process = False, os.getpid()
        self.name = getattr(game, "name", type(game).__name__)

    def _spend(self, rows: int) -> None:
        if os.getpid() != self._process:
            raise GameError(f"{self.name} is counted in one process; ask for its values there.")
        if self.budget is not None and self.evaluations + rows > self.budget:
            raise BudgetExceeded(
                f"{self.evaluations} of {self.budget} evaluations of {self.name} are spent; "
                f"{rows} more were asked for."
            )
        self.evaluations += rows

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool; counts m rows."""
        coalitions = self._coalitions(coalitions)
        self._spend(len(coalitions))
        return checked_values(self.game(coalitions), coalitions, self.name)

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Marginal contributions (m, d) along the permutations (m, d)."""
        permutations = self._permutations(permutations)
        m, d = permutations.shape
        self._spend(m * d + (m > 0 and not self._walked))
        self._walked |= m > 0
        return self._finite(walk(self.game, permutations))

    def gains(self, coalitions: np.ndarray) -> np.ndarray:
        """v(S + i) - v(S - i), shape (m, d), of coalitions (m, d) bool; counts m (d + 1) rows."""
        coalitions = self._coalitions(coalitions)
        m, d = coalitions.shape
        self._spend(m * (d + 1))
        return self._finite(gains(self.game, coalitions))

    def realisation(self, rng: np.random.Generator) -> "CountedGame":
        """A game of one fresh draw of the game's noise, which spends from the same budget.

        Its empty coalition has a value of its own, which its first walk counts. A game without
        noise is its own.
        """
        fresh = realisation(self.game, rng)
        return self if fresh is self.game else _Drawn(fresh, self)

    def _coalitions(self, coalitions: np.ndarray) -> np.ndarray:
        coalitions = np.asarray(coalitions)
        if coalitions.dtype != bool or coalitions.ndim != 2:
            raise GameError(f"coalitions must be a bool (m, {self.n_players}) array.")
        if coalitions.shape[1] != self.n_players:
            raise GameError(f"coalitions of {coalitions.shape[1]} players, not {self.n_players}.")
        return coalitions

    def _permutations(self, permutations: np.ndarray) -> np.ndarray:
        permutations, d = np.asarray(permutations), self.n_players
        matrix = permutations.ndim == 2 and permutations.shape[1] == d
        whole = permutations.dtype.kind in "iu"
        if not (
            matrix and whole and _each_once(np.ascontiguousarray(permutations, dtype=np.int64))
        ):
            raise GameError(
                f"permutations must be an integer (m, {d}) array, each of the players 0 to {d - 1} "
                "once in a row."
            )
        return permutations

    def _finite(self, contributions: np.ndarray) -> np.ndarray:
        if not np.isfinite(contributions).all():
            t, player = np.argwhere(~np.isfinite(contributions))[0]
            raise GameError(
                f"game {self.name} gave player {player} the marginal contribution "
                f"{contributions[t, player]}; check the model's output and the data."
            )
        return contributions


def for_estimator(counted: CountedGame) -> Game:
    """A counted game as an estimator is given it: neither the counter nor the game behind it is an
    attribute, and what has been counted can be read and not set."""

    class Given:
        __slots__ = ()
        n_players, name = counted.n_players, counted.name
        budget = property(lambda _: counted.budget)
        evaluations = property(lambda _: counted.evaluations)

        def __call__(self, coalitions: np.ndarray) -> np.ndarray:
            return counted(coalitions)

        def walk(self, permutations: np.ndarray) -> np.ndarray:
            return counted.walk(permutations)

        def gains(self, coalitions: np.ndarray) -> np.ndarray:
            return counted.gains(coalitions)

        def realisation(self, rng: np.random.Generator) -> Game:
            fresh = counted.realisation(rng)
            return self if fresh is counted else for_estimator(fresh)

    return Given()


class _Drawn(CountedGame):
    """A realisation of a counted game, whose evaluations are that game's."""

    def __init__(self, game: Game, counted: CountedGame):
        super().__init__(game)
        self.counted = counted

    def _spend(self, rows: int) -> None:
        self.counted._spend(rows)
