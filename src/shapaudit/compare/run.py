"""Estimators compared on one's own model: `compare`."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from ..datasets.mixed import Players, first_equal_rows, players_of
from ..estimators import BudgetTooSmall, Estimator, create
from ..games import TabularGame
from ..games.base import all_coalitions, values_of
from ..models.predictors import predictor_of
from ..seeding import generator
from ..truth import shapley_from_table
from .asking import SLOW, TRIED, Asked, Outputs, Trial
from .comparison import Comparison
from .game import RowsGame
from .kept import Kept
from .plan import FEWEST_ROWS, Plan, best_plan
from .tables import CompareError, as_table, typical_row
from .trees import Trees, trees_of

ESTIMATORS = ("auto", "leverage-shap", "paired-kernel-shap", "antithetic-monte-carlo")
BACKGROUNDS, EXPLICANDS = (20, 5, 1), (20, FEWEST_ROWS)  # looked at where neither is given
logger = logging.getLogger("shapaudit.progress")


def compare(
    model: Any,
    rows: pd.DataFrame | np.ndarray,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    background: int | None = None,
    explicands: int | None = None,
    output: int | str | None = None,
    estimators: Sequence[str] = ESTIMATORS,
    minutes: float = 10.0,
    seed: int = 0,
    keep: str | Path | None = None,
) -> Comparison:
    """Compare estimators on one's own model and rows, at equal evaluations.

    An evaluation is the value of one coalition of columns: the mean output over the background
    rows, whose columns take the place of those that are absent. The model is tried on a few rows,
    which tell how fast it is; then the work is priced, and cut to the minutes that are allowed. A
    model that takes more than 0.1 ms per row is asked for each row once, in batches of two seconds.

    Parameters
    ----------
    model : a function of a table (m, p) that gives (m,) numbers, or an object with ``predict`` or
        ``predict_proba`` as in scikit-learn, LightGBM, CatBoost and XGBoost
    rows : table (n, p), columns of any type; rows to explain and background rows are drawn from it
    groups : columns that are one player together, by its name
    background : rows in whose place absent columns are filled; 1 means the typical row (medians
        and most frequent values); None: 20, or 5 or 1 where the minutes allow no more
    explicands : rows that are explained; None: 20, or 10, which confidence limits need
    output : class (label or number) or column of the outputs, where there are several
    estimators : ids, or names in the literature
    minutes : time that the model may take
    seed : of the rows that are drawn and of the estimators
    keep : folder for what the model has computed; a comparison that was stopped, called again with
        the same arguments, goes on where it was

    Returns the `Comparison`. Raises `CompareError` for a table, model or plan that does not do,
    before the work where possible.
    """
    table = as_table(rows)
    players = players_of([str(name) for name in table.columns], groups)
    predict = predictor_of(model, output)
    chosen = {name: create(name) for name in estimators}
    drawn = _Drawn(table, background, explicands, seed)
    logger.info("comparison: trying the model on %d rows", min(TRIED, len(drawn.explained)))
    trial = Trial(predict, drawn.explained)
    trees = trees_of(model, output, players, drawn.explained, trial.outputs)
    planned = best_plan(
        drawn.choices(),
        players=len(players),
        estimators=len(chosen),
        row_seconds=trial.row_seconds,
        allowed=60.0 * minutes,
        trees=trees is not None,
    )
    settings = [players, background, explicands, output, list(chosen), minutes, seed]
    kept = Kept(keep, drawn.known, trial.outputs, {"settings": settings})
    planned = kept.plan(planned)
    logger.info("comparison: %s", planned)
    asked, known = Asked(predict, trial.row_seconds), kept.outputs(table.shape[1])
    work = _Work(planned, players, chosen, trees, seed, drawn, asked, known)
    parts = _finished(work, kept)
    kept.complete()
    return Comparison(
        errors=pd.DataFrame([run for one in parts for run in one["runs"]]),
        values=pd.DataFrame([one["values"] for one in parts], columns=list(players.names)),
        plan=planned,
        background=planned.background,
        rows=sum(one["rows"] for one in parts),
        resolution=float(np.median([one["noise"] for one in parts])),
    )


class _Drawn:
    """Rows to explain and background rows of a table, no row being both.

    Which rows are explained does not depend on how many are the background, and the other way
    round: they come from two ends of one random order.
    """

    def __init__(
        self, table: pd.DataFrame, background: int | None, explicands: int | None, seed: int
    ):
        if min(background or 1, explicands or 1) < 1 or 0 in (background, explicands):
            raise CompareError("background and explicands must be at least 1")
        if (background or 1) > 1 and background + 1 > len(table):
            raise CompareError(
                f"{background} background rows and a row to explain need {background + 1} rows; "
                f"the table has {len(table)}. Take fewer"
            )
        half = len(table) // 2
        fitting = [min(count, max(1, half)) for count in BACKGROUNDS]
        self._backgrounds = [background] if background else list(dict.fromkeys(fitting))
        most = len(table) - (0 if background == 1 else max(self._backgrounds))
        wanted = [explicands] if explicands else EXPLICANDS
        self._explicands = list(dict.fromkeys(min(count, most) for count in wanted))
        self._table = table
        self._order = generator(seed, "rows").permutation(len(table))
        self._typical = typical_row(table)
        self.explained = self._rows(self._order[: max(self._explicands)])

    def _rows(self, numbers: np.ndarray) -> pd.DataFrame:
        return self._table.iloc[numbers].reset_index(drop=True)

    def choices(self) -> list[tuple[int, int]]:
        """Background rows and rows to explain, the best first."""
        return [(k, count) for k in self._backgrounds for count in self._explicands]

    def background(self, count: int) -> pd.DataFrame:
        """So many rows, or the typical row."""
        return self._typical if count == 1 else self._rows(self._order[::-1][:count])

    @cached_property
    def known(self) -> pd.DataFrame:
        """All rows that a comparison may be made of: to explain, background, the typical row."""
        most = self._rows(self._order[::-1][: max(self._backgrounds)])
        return pd.concat([self.explained, most, self._typical], ignore_index=True)

    @cached_property
    def codes(self) -> np.ndarray:
        """Numbers of the entries of `known`, equal where those of a column are."""
        return first_equal_rows(self.known)

    def sources(self, background: int, number: int) -> list[int]:
        """Places in `known` of so many background rows and of the row of a number."""
        typical, first = len(self.known) - 1, len(self.explained)
        rows = [typical] if background == 1 else [*range(first, first + background)]
        return [*rows, number]


Truth = tuple[np.ndarray, float]  # values (d,) and the norm of their standard errors


@dataclass(frozen=True)
class _Work:
    """What is done on each explained row."""

    plan: Plan
    players: Players
    estimators: Mapping[str, Estimator]
    trees: Trees | None
    seed: int
    drawn: _Drawn
    asked: Asked
    known: Outputs

    def game(self, number: int) -> RowsGame:
        """The game of an explained row."""
        k, drawn = self.plan.background, self.drawn
        remembered = {}
        if self.plan.row_seconds >= SLOW:
            remembered = {"outputs": self.known, "codes": drawn.codes[drawn.sources(k, number)]}
        return RowsGame(
            *(self.asked, drawn.explained.iloc[[number]], drawn.background(k), self.players),
            **remembered,
            batch=self.asked.batch,
        )

    def truth(self, game: RowsGame, number: int) -> tuple[Any, Truth]:
        """The game to estimate on, and its values."""
        if self.plan.truth == "enumeration":
            values = values_of(game, all_coalitions(game.n_players))
            return TabularGame(values), (shapley_from_table(values), 0.0)
        if self.plan.truth == "trees":
            return game, (self.trees.values(game.sources), 0.0)
        rng = generator(self.seed, "reference", number)
        found = create("auto").estimate(game, self.plan.reference, rng)
        return game, (found.values, float(np.linalg.norm(found.standard_errors)))


def _finished(work: _Work, kept: Kept) -> list[dict[str, Any]]:
    """What was found on each row: values, their noise, runs, and rows of the model."""
    parts = kept.finished()
    done, total = len(parts), work.plan.explicands
    if done:
        logger.info("comparison: %d of %d rows were explained before", done, total)
    for number in range(done, total):
        work.asked.begin(number, total, work.plan.rows // total, done)
        game = work.game(number)
        played, truth = work.truth(game, number)
        # Small systems of equations: threads would spend their time waiting for each other.
        with threadpool_limits(1 if played is not game else None, user_api="blas"):
            runs = _runs(played, truth, work, number)
        part = {"values": truth[0].tolist(), "noise": truth[1], "rows": game.rows, "runs": runs}
        kept.finish(part)
        parts.append(part)
    return parts


def _runs(game: Any, truth: Truth, work: _Work, number: int) -> list[dict[str, Any]]:
    found, planned = [], work.plan
    each = planned.background * planned.row_seconds
    for name, estimator in work.estimators.items():
        for budget in planned.budgets:
            for run in range(planned.repetitions):
                rng = generator(work.seed, name, budget, number, run)
                timed = _Timed(game)
                started = time.perf_counter()
                try:
                    estimate = estimator.estimate(timed, budget, rng)
                except BudgetTooSmall:
                    break
                own = time.perf_counter() - started - timed.seconds
                off = estimate.values - truth[0]
                found.append(
                    {
                        "estimator": name,
                        "budget": budget,
                        "row": number,
                        "run": run,
                        "evaluations": int(estimate.evaluations),
                        "error": float(np.linalg.norm(off)),
                        "scale": float(np.linalg.norm(truth[0])),
                        "per_player": float(np.abs(off).mean()),
                        "seconds": own + float(estimate.evaluations) * each,
                    }
                )
    return found


class _Timed:
    """A game, and the seconds that were spent in it."""

    def __init__(self, game: Any):
        self._game = game
        self.n_players, self.name = game.n_players, game.name
        self.seconds = 0.0

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        started = time.perf_counter()
        values = self._game(coalitions)
        self.seconds += time.perf_counter() - started
        return values
