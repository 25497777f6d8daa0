"""What an estimator must not do: see the game in another way than by asking for its values.

The game that an estimator is given is a function of coalitions and a number of players. Its budget
is kept by `CountedGame`. Three further checks are made here; who reads the memory of the process
is not caught.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from ..estimators import Estimate, Estimator
from ..estimators.checked_runs import EstimatorFailure, check_repeats, named, run_once
from ..games import TabularGame, bank, coalition_index

Generators = Callable[[int], np.random.Generator]


class HiddenGame:
    """A game of a table by its values alone: ``asked`` (2^d,) says which were asked for."""

    def __init__(self, table: np.ndarray):
        game = TabularGame(table)
        self.n_players = game.n_players
        self.name = "a game of the bank"
        self.asked = asked = np.zeros(table.size, dtype=bool)

        def values(coalitions: np.ndarray) -> np.ndarray:
            asked[coalition_index(coalitions)] = True
            return game(coalitions)

        self._values = values

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        return self._values(coalitions)


def check_conduct(
    estimator: Estimator, table: np.ndarray, budget: int, generator_of: Generators
) -> None:
    """Raise `EstimatorFailure` where an estimator takes more than its generator and what it asks.

    Two runs with the same generator must agree, whatever the states of the global generators of
    NumPy and Python; and so must a third on a game that differs in the values of all coalitions
    that were not asked for.
    """
    game = HiddenGame(table)
    with _global_generators(1):
        first = _run(estimator, game, budget, generator_of)
    with _global_generators(2):
        check_repeats(estimator, HiddenGame(table), budget, generator_of)
    other = np.where(game.asked, table, table[::-1] + np.ptp(table) + 1.0)
    third = _run(estimator, HiddenGame(other), budget, generator_of)
    if not np.array_equal(first.values, third.values):
        raise EstimatorFailure(
            f"{named(estimator)}: the estimate depends on values of the game that it has not asked "
            f"for at budget {budget}, or on a generator of its own; use the game's values and rng "
            "alone."
        )


def _run(estimator: Estimator, game: HiddenGame, budget: int, generator_of: Generators) -> Estimate:
    return run_once(estimator, game, [budget], generator_of)[0]


@contextmanager
def _global_generators(seed: int) -> Iterator[None]:
    """States of the global generators, which an estimator must not depend on; put back after."""
    python, numpy = random.getstate(), np.random.get_state()  # noqa: NPY002
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002


@contextmanager
def bank_closed(estimator: Estimator) -> Iterator[None]:
    """Raise `EstimatorFailure` at the end where the files of the bank were opened meanwhile."""
    _hook()
    _opened.clear()
    yield
    if _opened:
        raise EstimatorFailure(f"{named(estimator)}: it opens {_opened[0]}, which has the answers.")


_opened: list[str] = []


@cache
def _hook() -> None:
    sys.addaudithook(_listen)  # only once, because Python cannot remove it


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.path.abspath(os.fsdecode(arguments[0]))
        if path == str(bank.TABLES):
            _opened.append(path)
