"""What a comparison takes, counted before it begins."""

import time
from dataclasses import dataclass

import pandas as pd

from ..progress import duration
from .predictors import Predict
from .tables import CompareError

MOST_TABULATED = 20  # players whose coalitions are all evaluated
MOST_BUDGET = 4096  # of an estimator: beyond, its own time is what one waits for
MOST_REFERENCE = 20_000  # evaluations of a reference
FIRST_LOOK = 0.2  # seconds of the model from which its speed is read
FEWEST_ROWS = 10  # explained rows from which there are confidence limits


@dataclass(frozen=True)
class Plan:
    """How rows are explained, and what it costs.

    Attributes
    ----------
    truth : "enumeration" and "trees" are exact; "reference" is a long run of `auto` with standard
        errors
    reference : evaluations of that run per explained row; 0 for the others
    explicands : rows that are explained
    budgets : evaluations at which estimators are compared, increasing
    repetitions : runs of each estimator per row and budget
    rows : rows of the model in all, at most
    seconds : they take, at the speed that was measured
    """

    truth: str
    reference: int
    explicands: int
    budgets: tuple[int, ...]
    repetitions: int
    rows: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.explicands} rows explained, {self.rows:,} rows of the model at most, about "
            f"{duration(max(1.0, self.seconds))} of it"
        )


def seconds_per_row(predict: Predict, table: pd.DataFrame) -> float:
    """Time of the model per row, of ever larger batches until they take long enough to be read."""
    size = 1
    while True:
        batch = table.iloc[[row % len(table) for row in range(size)]].reset_index(drop=True)
        started = time.perf_counter()
        predict(batch)
        spent = time.perf_counter() - started
        if spent >= FIRST_LOOK or size >= 4096:
            return spent / size
        size *= 4


def plan(
    *,
    players: int,
    background: int,
    explicands: int,
    estimators: int,
    row_seconds: float,
    allowed: float,
    trees: bool,
) -> Plan:
    """The largest comparison that the model does in ``allowed`` seconds.

    Raises `CompareError` where there is none, with what would make one.
    """
    per_evaluation = row_seconds * background
    affordable = allowed / per_evaluation
    whole = 2.0**players
    if players <= MOST_TABULATED and min(FEWEST_ROWS, explicands) * whole <= affordable:
        rows = min(explicands, int(affordable / whole))
        budgets = ladder(players, min(whole / 2, MOST_BUDGET))
        evaluations = rows * int(whole)
        return Plan(
            *("enumeration", 0, rows, budgets, 3),
            *(evaluations * background, evaluations * per_evaluation),
        )
    each = affordable / explicands
    reference = 0 if trees else int(min(each / 2, MOST_REFERENCE))
    most = MOST_BUDGET if trees else min(MOST_BUDGET, reference / 4)
    budgets = ladder(players, most)
    while budgets and estimators * sum(budgets) + reference > each:
        budgets = budgets[:-1]
    if not budgets:
        raise CompareError(_too_dear(players, background, explicands, estimators, row_seconds))
    evaluations = explicands * (reference + estimators * sum(budgets))
    return Plan(
        *("trees" if trees else "reference", reference, explicands, budgets, 1),
        *(evaluations * background, evaluations * per_evaluation),
    )


def ladder(players: int, most: float) -> tuple[int, ...]:
    """Budgets, each twice the one before, from 2 d + 2 on."""
    budgets, budget = [], 2 * players + 2
    while budget <= most:
        budgets.append(budget)
        budget *= 2
    return tuple(budgets)


def _too_dear(
    players: int, background: int, explicands: int, estimators: int, row_seconds: float
) -> str:
    first = 2 * players + 2
    needed = explicands * background * row_seconds * (4 * first + max(4, estimators) * first)
    return (
        f"the model takes {row_seconds:.2g} s per row, and the smallest comparison of {players} "
        f"players on {explicands} rows with {background} background rows would take it about "
        f"{duration(needed)}; allow more minutes, or take fewer background rows, fewer explained "
        "rows, or groups of columns as players"
    )
