"""How long the estimators themselves take, beside the model: priced before the work, and cut."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from ..estimators import BudgetTooSmall, Estimator, create
from .plan import ENOUGH, FEWEST_ROWS, Plan

MEASURED = 600  # evaluations of a run up to which its time is measured
BLOCK = 4096  # evaluations from which that of `auto` grows in proportion
POWER = 2.0  # with which it grows before that
SPARE = 8  # times the largest budget: evaluations of a reference of which the budgets were cut
LEAST = 4  # the same where one budget is left, as in `plan`


class _Interactions:
    """A game of smooth and sharp interactions of all players, on which no estimator is exact."""

    name = "interactions"

    def __init__(self, n_players: int):
        rng = np.random.default_rng(0)
        self.n_players = n_players
        self._smooth, self._sharp = rng.normal(size=(2, n_players))

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        sharp = np.maximum(coalitions @ self._sharp, 0.0)
        return np.tanh(coalitions @ self._smooth) + sharp * coalitions[:, 0]


def own_seconds(estimator: Estimator, players: int, budgets: Sequence[int]) -> dict[int, float]:
    """Processor time of one run at each budget, in seconds, on one thread.

    Measured on a game that costs next to nothing; that of long runs is extrapolated.
    """
    game = _Interactions(players)
    seconds: dict[int, float] = {}
    with threadpool_limits(1, user_api="blas"):
        for budget in sorted(budgets):
            if budget <= MEASURED or not seconds:
                before = min(budget, MEASURED)
                known = _measured(estimator, game, before)
            else:
                before = max(seconds)
                known = seconds[before]
            seconds[budget] = known * _growth(before, budget)
    return seconds


def _growth(before: int, budget: int) -> float:
    """Factor by which a run of more evaluations takes longer."""
    powered = min(budget, BLOCK) / min(before, BLOCK)
    return powered**POWER * max(budget, BLOCK) / max(before, BLOCK)


def _measured(estimator: Estimator, game: _Interactions, budget: int) -> float:
    spent = []
    for seed in range(2):  # what is loaded or compiled at the first call is in it
        started = time.process_time()
        try:
            estimator.estimate(game, budget, np.random.default_rng(seed))
        except BudgetTooSmall:
            return 0.0
        spent.append(time.process_time() - started)
    return min(spent)


def within(
    planned: Plan, estimators: Mapping[str, Estimator], players: int, outputs: int, allowed: float
) -> Plan:
    """The plan without its largest budgets, where the estimators would take too long for them.

    They take up to ``allowed`` seconds over all rows and outputs, or what the smallest budget takes
    on 10 rows. Rows beyond 10 are given up before the last three budgets are.
    """
    costs = [own_seconds(estimator, players, planned.budgets) for estimator in estimators.values()]
    runs = planned.repetitions * outputs
    by_budget = {b: runs * sum(cost[b] for cost in costs) for b in planned.budgets}
    budgets, reference = planned.budgets, planned.reference
    of_reference: dict[int, float] = {}
    if reference:
        sizes = {min(reference, SPARE * b) for b in budgets} | {reference}
        sizes |= {min(reference, LEAST * budgets[0])}
        own = own_seconds(create("auto"), players, sorted(sizes))
        of_reference = {size: outputs * own[size] for size in sizes}

    def seconds() -> float:
        each = sum(by_budget[b] for b in budgets) + of_reference.get(reference, 0.0)
        return planned.explicands * each

    for fewest in (ENOUGH, 1):
        while len(budgets) > fewest and seconds() > allowed:
            budgets = budgets[:-1]
            reference = min(reference, SPARE * budgets[-1])
        if seconds() > allowed and planned.explicands > FEWEST_ROWS:
            planned = planned.of_rows(FEWEST_ROWS)
    if seconds() > allowed:
        reference = min(reference, LEAST * budgets[-1])
    return resized(planned, budgets, reference, len(estimators), seconds())


def resized(
    planned: Plan, budgets: tuple[int, ...], reference: int, estimators: int, own: float
) -> Plan:
    """The plan with other budgets and another reference, and what estimators take."""
    rows, seconds = planned.rows, planned.seconds
    if planned.truth != "enumeration":
        each = planned.background * (reference + estimators * sum(budgets))
        rows = planned.explicands * each
        seconds = rows * planned.row_seconds
    return replace(
        planned, budgets=budgets, reference=reference, rows=rows, seconds=seconds, own=own
    )
