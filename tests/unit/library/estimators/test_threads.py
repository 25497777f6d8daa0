"""Estimators from pairs use one thread of BLAS, and leave the game those that it likes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import scipy.linalg
from threadpoolctl import threadpool_info, threadpool_limits

from shapaudit.estimators.auto import Auto
from shapaudit.estimators.pairs import PairEstimator
from shapaudit.games import TabularGame

TABLE = TabularGame(np.random.default_rng(0).normal(size=1 << 6))


def threads():
    """Threads of each BLAS that is loaded: NumPy's and SciPy's."""
    assert scipy.linalg.blas
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


@dataclass(frozen=True)
class Looking(PairEstimator):
    """Notes the threads where the pairs are read."""

    seen: list | None = None

    def minimum_budget(self, n_players):
        return 4

    def from_pairs(self, pairs, rng):
        self.seen.append(threads())
        return np.zeros(pairs.coalitions.shape[1])


class LookingAuto(Auto):
    """The same of `auto`."""

    seen: ClassVar[list] = []

    def _both(self, pairs, rng):
        self.seen.append(threads())
        return super()._both(pairs, rng)


class LookingGame:
    """Notes the threads where it is evaluated."""

    n_players = 6

    def __init__(self):
        self.seen = []

    def __call__(self, coalitions):
        self.seen.append(threads())
        return TABLE(coalitions)


@pytest.mark.parametrize("estimator", [Looking(seen=[]), LookingAuto()], ids=["pairs", "auto"])
def test_one_thread_beside_the_game(estimator):
    estimator.seen.clear()
    game = LookingGame()
    with threadpool_limits(2, user_api="blas"):
        estimator.estimate(game, 40, np.random.default_rng(0))
        after = threads()
    assert estimator.seen == [{1}]
    assert set(map(frozenset, game.seen)) == {frozenset({2})}
    assert after == {2}
