"""Estimators compared on a user's model: `compare`."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from .. import __version__
from ..datasets.mixed import Players, TableError, players_of
from ..estimators import BudgetTooSmall, Estimator, create
from ..explanations.asking import SLOW, Asked, Outputs
from ..explanations.given import form_of, table_of
from ..explanations.rows_game import OutputGame, RowsGame, SharedValues
from ..explanations.trees import Trees
from ..games import TabularGame
from ..games.base import all_coalitions
from ..models.predictors import Predictor, feature_names
from ..seeding import generator
from ..truth import shapley_from_table
from .comparison import ENDS, Comparison
from .drawn import Background, DrawnRows, Explicands
from .kept import ComparisonStore, source_of
from .plan import Plan
from .prepared import Question
from .quantity import Quantity
from .several import Comparisons

ESTIMATORS = ("auto", "leverage-shap", "paired-kernel-shap", "antithetic-monte-carlo")
OVERTIME = 2.0  # times the minutes that are allowed, of the model and as much of the estimators
logger = logging.getLogger("shapaudit.progress")


def compare(
    model: Any,
    rows: pd.DataFrame | np.ndarray,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    background: Background = None,
    explicands: Explicands = None,
    output: int | str | Sequence[int | str] | None = None,
    target: str = "",
    unit: str = "",
    estimators: str | Sequence[str] = ESTIMATORS,
    minutes: float = 10.0,
    seed: int = 0,
    keep: str | Path | None = None,
) -> Comparison | Comparisons:
    """Compare estimators on the user's model and rows, at equal evaluations.

    An evaluation is the value of one coalition of columns: the mean output over the background
    rows, whose columns take the place of those that are absent. The model is tried on a few rows,
    which tell how fast it is; then the work is priced, and cut to the minutes that are allowed. A
    model that takes more than a millisecond per row is asked for each row once, in batches of two
    seconds. A row that is asked for gives all outputs.

    Parameters
    ----------
    model : a function of a table (m, p) that gives numbers (m,), or (m, k) for k outputs; or an
        object with ``predict``, ``predict_proba`` or ``decision_function`` as in scikit-learn,
        LightGBM, CatBoost and XGBoost. A function is given tables where ``rows`` are one, and
        arrays where they are an array
    rows : table (n, p), columns of any type; rows to explain and background rows are drawn from it
    groups : columns that are one player together, by its name
    background : rows in whose place absent columns are filled; 1 means the typical row (medians
        and most frequent values); None: 20, or 5 or 1 where the minutes allow no more. Or a table
        of these rows, of the same columns in any order
    explicands : rows that are explained; None: 20, or 10, which confidence limits need. Or the
        numbers of these rows in the table, from 0 on
    output : class (label or number) or column of the outputs, or several of them; None: all of
        them, or of two classes the last
    target : name of what the model predicts, for the page
    unit : of the outputs, for the page; probabilities are known
    estimators : ids, or names in the literature; one or several
    minutes : time that the model may take, and as much for the estimators themselves; where both
        turn out slower than they were on the trial, the rest of the rows is left out
    seed : of the rows that are drawn and of the estimators
    keep : folder for what the model has computed; a comparison that was stopped, called again with
        the same arguments, goes on where it was, and one that has ended is read again

    Returns the `Comparison` on the output, or the `Comparisons` on several. Raises `TableError`
    for a table, model or plan that does not do, before the work where possible.
    """
    deadline = time.monotonic() + OVERTIME * 60.0 * minutes
    if not 0 < minutes < np.inf:
        raise TableError(f"minutes must be a positive number; got {minutes:g}")
    table = table_of(rows, known=feature_names(model)).reset_index(drop=True)
    players = players_of([str(name) for name in table.columns], groups)
    predict = Predictor(model, output, convert=form_of(rows).of)
    names = [estimators] if isinstance(estimators, str) else estimators
    chosen = {name: create(name) for name in names}
    drawn = DrawnRows(table, background, explicands, seed)
    settings = {
        "settings": [players, drawn.choices(), minutes, seed, __version__, ENDS],
        "estimators": {name: source_of(estimator) for name, estimator in chosen.items()},
    }
    asking = Question(model, predict, players, drawn, chosen, 60.0 * minutes)
    kept, planned, trees = asking.before(keep, settings) or asking.tried(keep, settings)
    logger.info("comparison: %s", planned)
    asked = Asked(predict, planned.row_seconds)
    known = kept.outputs(table.shape[1], len(predict.names))
    work = _Work(planned, players, chosen, trees, seed, drawn, asked, known, len(predict.names))
    finished = _finished(work, kept, deadline)
    work = replace(work, plan=planned.of_rows(len(finished)))
    parts = [
        _comparison(work, finished, number, quantity)
        for number, quantity in enumerate(quantities(predict, target, unit))
    ]
    if len(parts) == 1:
        return parts[0]
    return Comparisons({part.quantity.output: part for part in parts})


def quantities(predict: Predictor, target: str, unit: str) -> list[Quantity]:
    """What each of the outputs of a model is, that has been called."""
    unit = unit or predict.scale
    if predict.total == 1:
        return [Quantity("", target, unit)]
    return [Quantity(name, target, unit) for name in predict.names]


def _comparison(
    work: "_Work", finished: Sequence[Mapping[str, Any]], number: int, quantity: Quantity
) -> Comparison:
    """The comparison on one of the outputs."""
    runs = [run for row in finished for run in row["runs"] if run["output"] == number]
    places = work.drawn.places[: len(finished)]
    errors = pd.DataFrame(runs).drop(columns="output", errors="ignore")
    if runs:
        errors["row"] = places[errors["row"]]
    values = [row["values"][number] for row in finished]
    index = pd.Index(places, name="row")
    return Comparison(
        errors=errors,
        values=pd.DataFrame(values, columns=list(work.players.names), index=index),
        plan=work.plan,
        background=work.plan.background,
        rows=sum(row["rows"] for row in finished),
        resolution=float(np.median([row["noise"][number] for row in finished])),
        quantity=quantity,
        ends=pd.DataFrame([row["ends"][number] for row in finished], columns=ENDS, index=index),
        background_rows=work.drawn.background(work.plan.background),
    )


class Truth(NamedTuple):
    """Values (d,) of a row, the norm of their standard errors, and v(empty) and v(grand)."""

    values: np.ndarray
    noise: float
    ends: tuple[float, float]


@dataclass(frozen=True)
class _Work:
    """The work on each explained row."""

    plan: Plan
    players: Players
    estimators: Mapping[str, Estimator]
    trees: Sequence[Trees] | None
    seed: int
    drawn: DrawnRows
    asked: Asked
    known: Outputs
    outputs: int

    def game(self, number: int) -> RowsGame:
        """The game of an explained row, with values (m, outputs)."""
        k, drawn = self.plan.background, self.drawn
        slow = self.plan.row_seconds >= SLOW
        return RowsGame(
            self.asked,
            drawn.explained.iloc[[number]],
            drawn.background(k),
            self.players,
            outputs=self.known if slow else None,
            codes=drawn.codes[drawn.sources(k, number)] if slow else None,
            batch=self.asked.batch,
        )

    def played(self, game: RowsGame) -> list[Any]:
        """The games of the outputs, to estimate on."""
        if self.plan.truth == "enumeration":
            values = game(all_coalitions(game.n_players))
            return [TabularGame(values[:, k]) for k in range(self.outputs)]
        shared = game if self.outputs == 1 else SharedValues(game, self.outputs)
        return [OutputGame(game, shared, k) for k in range(self.outputs)]

    def truth(self, game: RowsGame, played: Any, output: int, number: int) -> Truth:
        """Values of a row for one of the outputs."""
        if self.plan.truth == "enumeration":
            ends = (float(played.values[0]), float(played.values[-1]))
            return Truth(shapley_from_table(played.values), 0.0, ends)
        if self.trees is not None and self.plan.truth == "trees":
            *background, own = self.trees[output].outputs(game.sources).tolist()
            ends = (float(np.mean(background)), own)
            return Truth(self.trees[output].values(game.sources), 0.0, ends)
        # The same coalitions for every output, so that the model is asked for them once.
        rng = generator(self.seed, "reference", number)
        watched = _Watched(played)
        reference = create("auto").estimate(watched, self.plan.reference, rng)
        errors = float(np.linalg.norm(reference.known_errors()))
        return Truth(reference.values, errors, watched.ends())


def _finished(work: _Work, kept: ComparisonStore, deadline: float) -> list[dict[str, Any]]:
    """Results on each row: values, their noise, runs, and rows of the model.

    No row is begun after the deadline, a time of the monotonic clock, but there is one at least.
    """
    parts = kept.finished()
    done, total = len(parts), work.plan.explicands
    if done:
        logger.info("comparison: %d of %d rows were explained before", done, total)
    for number in range(done, total):
        if parts and time.monotonic() > deadline:
            more = "; the same command goes on from there" if kept.keeps else ""
            logger.info(
                "comparison: the time is over after %d of %d rows%s", len(parts), total, more
            )
            break
        work.asked.begin(number, total, work.plan.rows // total, done)
        part = _explained(work, number)
        kept.finish(part)
        parts.append(part)
    return parts


def _explained(work: _Work, number: int) -> dict[str, Any]:
    """Results on a row: values and their noise for each output, and the runs of all outputs."""
    game = work.game(number)
    values, noise, ends, runs = [], [], [], []
    for output, played in enumerate(work.played(game)):
        truth = work.truth(game, played, output, number)
        # Small systems of equations: threads would spend their time waiting for each other.
        tabulated = work.plan.truth == "enumeration"
        with threadpool_limits(1 if tabulated else None, user_api="blas"):
            own = _runs(played, truth, work, number)
        values.append(truth.values.tolist())
        noise.append(truth.noise)
        ends.append(truth.ends)
        runs += [run | {"output": output} for run in own]
    return {"values": values, "noise": noise, "ends": ends, "rows": game.rows, "runs": runs}


def _runs(game: Any, truth: Truth, work: _Work, number: int) -> list[dict[str, Any]]:
    runs, planned = [], work.plan
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
                off = estimate.values - truth.values
                runs.append(
                    {
                        "estimator": name,
                        "budget": budget,
                        "row": number,
                        "run": run,
                        "evaluations": int(estimate.evaluations),
                        "error": float(np.linalg.norm(off)),
                        "scale": float(np.linalg.norm(truth.values)),
                        "per_player": float(np.abs(off).mean()),
                        "seconds": own + float(estimate.evaluations) * each,
                    }
                )
    return runs


class _Watched:
    """A game that remembers the values of the empty and the grand coalition."""

    def __init__(self, game: Any):
        self._game, self._ends = game, {0: np.nan, game.n_players: np.nan}
        self.n_players, self.name = game.n_players, game.name

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        values = self._game(coalitions)
        sizes = coalitions.sum(axis=1)
        for size in self._ends:
            if (own := np.flatnonzero(sizes == size)).size:
                self._ends[size] = float(values[own[0]])
        return values

    def ends(self) -> tuple[float, float]:
        """The values of the two; NaN for one that was not evaluated."""
        return self._ends[0], self._ends[self.n_players]


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
