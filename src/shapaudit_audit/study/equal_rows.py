"""Estimates of a removal's Shapley values from equally many rows, its fit included.

Rows are counted in two ways: rows of the explained model alone, and these together with rows of the
removal's own models, in training and use. A limit of rows has to pay for making a game and for one
explanation of its explicand.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from shapaudit.estimators import Estimator
from shapaudit.estimators.checked_runs import run_once
from shapaudit.games import TabularGame, coalition_index
from shapaudit.truth.enumeration import shapley_from_table

COUNTED = ("model", "all")
Draw = Callable[..., np.random.Generator]


class PricedGame:
    """A tabulated game that adds up the rows of the values that are evaluated."""

    def __init__(self, table: TabularGame, prices: np.ndarray, name: str):
        self.table, self.prices, self.name = table, prices, name
        self.n_players = table.n_players
        self.spent = 0

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        self.spent += int(self.prices[coalition_index(coalitions)].sum())
        return self.table(coalitions)


@dataclass(frozen=True, eq=False)
class Bill:
    """Cost of a game: ``fixed`` rows before its first value, and rows per value (2^d,)."""

    fixed: int
    prices: np.ndarray


def bills(fitted, game, prices: np.ndarray, coalitions: np.ndarray) -> Mapping[str, Bill]:
    """Cost of a removal's game by the ways of counting, given its ``prices`` in model rows."""
    of_model = Bill(fitted.fit_rows + game.prepared_rows, prices)
    own = getattr(game, "auxiliary_rows", None)
    more = 0 if own is None else own(coalitions)
    every = Bill(of_model.fixed + fitted.auxiliary_fit_rows, prices + more)
    return dict(zip(COUNTED, (of_model, every), strict=True))


def estimates_within(
    estimator: Estimator, table: TabularGame, own: Mapping[str, Bill], limits, runs: int, draw: Draw
) -> Iterator[tuple]:
    """Way of counting, limit, run, evaluations, rows and values (d,), where a limit is enough.

    Where it pays for all coalitions the values are exact, and all runs alike. ``draw`` gives the
    generator of a limit, a run and a number of evaluations. Ways of counting by which a game costs
    the same have the same estimates.
    """
    cells = [(limit, run) for limit in limits for run in range(runs)]
    made: dict[str, list] = {}
    for counted, bill in own.items():
        same = next((name for name in made if _alike(own[name], bill)), None)
        made[counted] = (
            made[same]
            if same
            else [
                _largest(estimator, table, bill, limit, partial(draw, limit, run))
                for limit, run in cells
            ]
        )
        for cell, result in zip(cells, made[counted], strict=True):
            if result is not None:
                yield counted, *cell, *result


def _alike(bill: Bill, other: Bill) -> bool:
    return bill.fixed == other.fixed and np.array_equal(bill.prices, other.prices)


def _largest(estimator: Estimator, table: TabularGame, bill: Bill, limit: int, draw):
    """Evaluations, rows and values of the largest run within a limit; None without any."""
    left = limit - bill.fixed
    whole = int(bill.prices.sum())
    if left < 0:
        return None
    if whole <= left:
        return len(bill.prices), bill.fixed + whole, shapley_from_table(table.values)
    budget = min(int(left / bill.prices.mean()), len(bill.prices) - 1)
    while budget >= estimator.minimum_budget(table.n_players):
        game = PricedGame(table, bill.prices, table.name)
        (made,) = run_once(estimator, game, [budget], draw)
        if game.spent <= left:
            return budget, bill.fixed + game.spent, made.values
        budget -= max(1, -(-(game.spent - left) // int(bill.prices.max())))
    return None
