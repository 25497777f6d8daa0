"""What a comparison takes, counted before it begins."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..datasets.mixed import TableError
from ..parameters import counted
from ..progress import duration

MOST_TABULATED = 20  # players whose coalitions are all evaluated
MOST_BUDGET = 4096  # of an estimator: beyond, its own time is what one waits for
MOST_REFERENCE = 20_000  # evaluations of a reference
ENOUGH = 3  # budgets that show how errors fall; fewer, and a smaller background is looked at
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
    background : rows in whose place absent columns are filled
    own : processor time of the estimators, in seconds, about
    """

    truth: str
    reference: int
    explicands: int
    budgets: tuple[int, ...]
    repetitions: int
    rows: int
    seconds: float
    background: int = 1
    own: float = 0.0

    @property
    def row_seconds(self) -> float:
        """Seconds per row of the model."""
        return self.seconds / self.rows

    def of_rows(self, explicands: int) -> "Plan":
        """The same for fewer explained rows."""
        share = explicands / self.explicands
        return replace(
            self,
            explicands=explicands,
            rows=self.rows * explicands // self.explicands,
            seconds=self.seconds * share,
            own=self.own * share,
        )

    def __str__(self) -> str:
        return (
            f"{counted(self.explicands, 'row')} explained over "
            f"{counted(self.background, 'background row')}, at most {self.rows:,} rows of the "
            f"model, about {duration(max(1.0, self.seconds))} of model time and "
            f"{duration(max(1.0, self.own))} of the estimators' own time"
        )


def best_plan(choices: Sequence[tuple[int, int]], **settings: Any) -> Plan:
    """The plan of the first choice of background rows and of explicands that is worth it.

    Worth it are exact values and three budgets; where no choice has them, the first of most budgets
    is taken. ``settings`` are those of `plan`. Raises `TableError` where no choice has a plan.
    """
    plans: list[Plan] = []
    refused = TableError("no choice of rows was given")
    for background, explicands in choices:
        try:
            candidate = plan(background=background, explicands=explicands, **settings)
        except TableError as error:
            refused = error
            continue
        if candidate.truth == "enumeration" or len(candidate.budgets) >= ENOUGH:
            return candidate
        plans.append(candidate)
    if not plans:
        raise refused
    return max(plans, key=lambda candidate: len(candidate.budgets))


def plan(
    *,
    players: int,
    background: int,
    explicands: int,
    estimators: int,
    row_seconds: float,
    allowed: float,
    trees: bool,
    outputs: int = 1,
) -> Plan:
    """The largest comparison that the model does in ``allowed`` seconds.

    A row of the model gives all ``outputs``; since estimators take their time for each, they run
    once where there are several. Raises `TableError` where there is no such comparison, with
    what would make one.
    """
    per_evaluation = row_seconds * background
    affordable = allowed / per_evaluation
    whole = 2.0**players if players <= MOST_TABULATED else math.inf
    if players <= MOST_TABULATED and min(FEWEST_ROWS, explicands) * whole <= affordable:
        rows = min(explicands, int(affordable / whole))
        budgets = ladder(players, min(whole / 2, MOST_BUDGET))
        evaluations = rows * int(whole)
        return Plan(
            *("enumeration", 0, rows, budgets, 3 if outputs == 1 else 1),
            *(evaluations * background, evaluations * per_evaluation, background),
        )
    each = affordable / explicands
    largest = max(MOST_BUDGET, 2 * players + 2)
    reference = 0 if trees else int(min(each / 2, max(MOST_REFERENCE, 4 * largest)))
    most = largest if trees else min(largest, reference / 4)
    budgets = ladder(players, most)
    while budgets and estimators * sum(budgets) + reference > each:
        budgets = budgets[:-1]
    if not budgets:
        least = per_evaluation * _fewest(players, explicands, estimators, trees)
        raise TableError(_too_dear(players, background, explicands, row_seconds, least))
    evaluations = explicands * (reference + estimators * sum(budgets))
    return Plan(
        *("trees" if trees else "reference", reference, explicands, budgets, 1),
        *(evaluations * background, evaluations * per_evaluation, background),
    )


def ladder(players: int, most: float) -> tuple[int, ...]:
    """Budgets, each twice the one before, from 2 d + 2 on."""
    budgets, budget = [], 2 * players + 2
    while budget <= most:
        budgets.append(budget)
        budget *= 2
    return tuple(budgets)


def _fewest(players: int, explicands: int, estimators: int, trees: bool) -> int:
    """Evaluations of the smallest comparison.

    Half of them, and four times the smallest budget, are for a reference where one is needed.
    """
    fewest = explicands * (2 * players + 2) * (estimators if trees else 2 * max(4, estimators))
    if players <= MOST_TABULATED:
        fewest = min(fewest, min(FEWEST_ROWS, explicands) * 2**players)
    return fewest


def _too_dear(
    players: int, background: int, explicands: int, row_seconds: float, seconds: float
) -> str:
    others = ["fewer background rows"] if background > 1 else []
    others += ["fewer explained rows"] if explicands > 1 else []
    others.append("groups of columns as players")
    return (
        f"the model takes {row_seconds:.2g} s per row, and the smallest comparison of {players} "
        f"players on {counted(explicands, 'row')} with {counted(background, 'background row')} "
        f"would take it about {duration(seconds)}; allow more minutes "
        f"({math.ceil(seconds / 60):,} are enough), or take {', or '.join(others)}"
    )
