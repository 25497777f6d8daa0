"""The game of a regression's R^2: a coalition is worth what its features predict out of sample."""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from ..models.reduced import COLLINEAR, ReducedProblem, response_varies
from ..models.reduction import LARGEST_CONDITION, in_order
from ..threads import one_blas_thread
from .base import GameError
from .regression_kernels import LANES, losses, run, shifts_of
from .regression_table import add_losses

COALITIONS = 256  # evaluated by one thread at a time
SHIFTS = 250  # in a part of a long orbit, at least: a fresh chain takes as long as some 50 of them
MOST_TABULATED = 25  # features; 256 MB of values


class RegressionGame:
    """v(S) = R^2 on the test data of the least-squares fit on the training data's features S.

    R^2 is the drop of the loss over the loss of predicting zero, or the training mean where the
    data are centred (equation 2); over folds, losses are added up first (Section 4.1). v(empty) is
    0. A walk costs one factorisation per permutation, and one update where a permutation is its
    predecessor with the first player moved last, as in cyclic orbits.

    Parameters
    ----------
    problems : of the same features, one per fold
    name : str
    threads : permutations walked at a time; the values do not depend on it

    Raises
    ------
    GameError
        Without problems, for problems of different features, columns that are linearly dependent,
        or test responses that do not vary.
    """

    def __init__(
        self, problems: Sequence[ReducedProblem], name: str = "regression", threads: int = 1
    ):
        widths = {problem.factor.shape for problem in problems}
        if len(widths) != 1:
            raise GameError(f"game {name}: problems of the same features are wanted; got {widths}.")
        self.problems = tuple(problems)
        self.n_players = self.problems[0].factor.shape[1]
        self.name, self.threads = name, threads
        self.total = sum(problem.total for problem in problems)
        if not response_varies(problems):
            raise GameError(f"game {name}: the test response is constant, so R^2 is not defined.")
        self._parts = [_arrays(problem, name) for problem in problems]
        self._without = self._losses(np.zeros((1, self.n_players), dtype=np.bool_))[0]

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """R^2 (m,) of the coalitions (m, p) bool."""
        coalitions = np.ascontiguousarray(coalitions, dtype=np.bool_)
        return (self._without - self._add_up(self._losses, coalitions, COALITIONS)) / self.total

    def walk(self, permutations: np.ndarray) -> np.ndarray:
        """Lifts (m, p), by player, along the permutations (m, p)."""
        permutations = np.ascontiguousarray(permutations, dtype=np.int64)
        if len(permutations) == 0:
            return np.zeros(permutations.shape)
        shifted = shifts_of(permutations)
        starts = _starts(shifted, -(-self.n_players // max(1, self.n_players // SHIFTS)))
        lifts = np.zeros(permutations.shape)
        tasks = zip(starts, np.append(starts[1:], len(shifted)), strict=True)

        def walk_run(task: tuple[int, int]) -> None:
            start, stop = task
            for part in self._parts:
                run(*part, permutations[start], stop - start - 1, lifts[start:stop])

        for _ in in_order(walk_run, tasks, self.threads):
            pass
        lifts /= self.total
        return lifts

    def with_threads(self, threads: int) -> "RegressionGame":
        """The same game, walked by so many threads."""
        same = copy(self)
        same.threads = threads
        return same

    def table(self) -> np.ndarray:
        """R^2 (2^p,) of all coalitions, for at most 25 features; raises `GameError` for more."""
        if self.n_players > MOST_TABULATED:
            raise GameError(
                f"game {self.name}: {self.n_players} features are too many for all subsets; at "
                f"most {MOST_TABULATED} are walked through. Take permutations."
            )
        losses_of_all = np.zeros(1 << self.n_players)
        for _, factor, response, _, test, target in self._parts:
            add_losses(factor, response, test, target, losses_of_all)
        return (losses_of_all[0] - losses_of_all) / self.total

    def _losses(self, coalitions: np.ndarray) -> np.ndarray:
        """Test losses (m,) but for what no feature can predict."""
        summed = np.zeros(len(coalitions))
        for part in self._parts:
            losses(*part, coalitions, summed)
        return summed

    def _add_up(
        self, function: Callable[[np.ndarray], np.ndarray], rows: np.ndarray, block: int
    ) -> np.ndarray:
        parts = [rows[k : k + block] for k in range(0, len(rows), block)]
        return np.concatenate([np.zeros(0), *in_order(function, parts, self.threads)])


def _starts(shifted: np.ndarray, most: int) -> np.ndarray:
    """Where runs of shifts start, none longer than ``most``: the players at most, for rounding."""
    fresh = np.flatnonzero(~shifted)
    lengths = np.diff(np.append(fresh, len(shifted)))
    runs = [np.arange(a, a + n, most) for a, n in zip(fresh, lengths, strict=True)]
    return np.concatenate(runs)


def _arrays(problem: ReducedProblem, name: str) -> tuple[Any, ...]:
    """What the kernels take: the Gram matrix and, below it, the products with the response, ..."""
    condition = problem.condition
    if not condition < COLLINEAR:
        raise GameError(
            f"game {name}: columns depend on each other linearly; leave some out, or add a ridge."
        )
    factor = np.ascontiguousarray(problem.factor)
    joined = np.column_stack([factor, problem.response])
    with one_blas_thread():
        gram = np.ascontiguousarray((joined.T @ joined)[:, :-1])
    stable = condition > LARGEST_CONDITION
    response = np.ascontiguousarray(problem.response)
    # Zeros up to a whole number of lanes change no loss.
    more = -len(problem.target) % LANES
    test, target = np.pad(problem.test, ((0, 0), (0, more))), np.pad(problem.target, (0, more))
    return gram, factor, response, stable, test, target
