"""What an estimator must not do: see the game in another way than by asking for its values.

The game that an estimator is given is a function of coalitions and a number of players. Its budget
is kept by `CountedGame`. Further checks are made here. Code that reads or changes the memory of the
process in other ways, that keeps what it found in an earlier run, or that has the answers with it,
is not caught.
"""

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..estimators import Estimate, Estimator
from ..estimators.checked_runs import EstimatorFailure, named, run_once
from ..games import TabularGame, bank, coalition_index

Generators = Callable[[int], np.random.Generator]
SAME = 1e-9  # of the largest value of an estimate, up to which two are the same
PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn")


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


@dataclass(frozen=True, eq=False)
class FirstRun:
    """A run of an estimator on the game of a table, with which a later one must agree.

    ``table`` (2^d,) has the values of the game; ``asked`` (2^d,) says which were asked for.
    """

    table: np.ndarray
    budget: int
    generator_of: Generators
    estimate: Estimate
    asked: np.ndarray


def first_run(
    estimator: Estimator, table: np.ndarray, budget: int, generator_of: Generators
) -> FirstRun:
    """Run an estimator once; raises `EstimatorFailure` where it breaks its contract."""
    game = HiddenGame(table)
    with _global_generators(1):
        estimate = _run(estimator, game, budget, generator_of)
    return FirstRun(table, budget, generator_of, estimate, game.asked)


def check_again(estimator: Estimator, first: FirstRun) -> None:
    """Raise `EstimatorFailure` where an estimator takes more than its generator and what it asks.

    A second run with the same generator must agree with the first, whatever was run in between and
    whatever the states of the global generators of NumPy and Python, on a game that differs in the
    values of all coalitions that were not asked for.
    """
    table = first.table
    other = np.where(first.asked, table, table[::-1] + np.ptp(table) + 1.0)
    with _global_generators(2):
        if _agrees(estimator, first, other):
            return
        repeated = _agrees(estimator, first, table)
    fault = (
        "the estimate depends on values of the game that it has not asked for"
        if repeated
        else "two runs with the same generator differ"
    )
    raise EstimatorFailure(
        f"{named(estimator)}: {fault} at budget {first.budget}; use the game's values alone, draw "
        "all random numbers from rng, and keep nothing between runs."
    )


def _agrees(estimator: Estimator, first: FirstRun, table: np.ndarray) -> bool:
    """Whether a run on the game of a table gives the same estimate with the same generator.

    That is up to rounding, which sums over threads may do in another order.
    """
    again = _run(estimator, HiddenGame(table), first.budget, first.generator_of)
    values, off = first.estimate.values, SAME * np.abs(first.estimate.values).max()
    same = np.allclose(values, again.values, rtol=0, atol=off)
    return same and first.estimate.evaluations == again.evaluations


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
def bank_closed(what: str) -> Iterator[None]:
    """Raise `EstimatorFailure` naming ``what`` at the end where the bank was opened meanwhile."""
    _hook()
    _opened.clear()
    yield
    if _opened:
        raise EstimatorFailure(f"{what}: it opens {_opened[0]}, which has the answers.")


_opened: list[str] = []


@cache
def _hook() -> None:
    sys.addaudithook(_listen)  # only once, because Python cannot remove it


def _listen(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str | bytes | os.PathLike):
        path = os.fsdecode(arguments[0])
        if _is_bank(path):
            _opened.append(path)
    elif event in PROGRAMS and bank.TABLES.name in str(arguments):
        _opened.append(str(bank.TABLES))


def _is_bank(path: str) -> bool:
    """Whether a path leads to the bank, by any name; one that leads nowhere from here may."""
    try:
        return os.path.samefile(path, bank.TABLES)
    except (OSError, ValueError):
        return os.path.basename(path) == bank.TABLES.name
