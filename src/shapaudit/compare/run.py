"""Estimators compared on one's own model: `compare`."""

import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..estimators import BudgetTooSmall, Estimator, create
from ..games import TabularGame
from ..games.base import all_coalitions, values_of
from ..progress import progress
from ..seeding import generator
from ..truth import mean_tree_shapley, shapley_from_table
from .comparison import Comparison
from .game import RowsGame
from .plan import Plan, plan, seconds_per_row
from .predictors import check_repeatable, predictor_of
from .tables import CompareError, Players, as_table, players_of, typical_row

ESTIMATORS = ("auto", "leverage-shap", "paired-kernel-shap", "antithetic-monte-carlo")
logger = logging.getLogger("shapaudit.progress")
TRIED = 6  # rows on which the model is tried before the work


def compare(
    model: Any,
    rows: pd.DataFrame | np.ndarray,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    background: int = 20,
    explicands: int = 20,
    output: int | str | None = None,
    estimators: Sequence[str] = ESTIMATORS,
    minutes: float = 10.0,
    seed: int = 0,
) -> Comparison:
    """Compare estimators on one's own model and rows, at equal evaluations.

    An evaluation is the value of one coalition of columns: the mean output over the background
    rows, whose columns take the place of those that are absent.

    Parameters
    ----------
    model : a function of a table (m, p) that gives (m,) numbers, or an object with ``predict`` or
        ``predict_proba`` as in scikit-learn, LightGBM, CatBoost and XGBoost
    rows : table (n, p), columns of any type; rows to explain and background rows are drawn from it
    groups : columns that are one player together, by its name
    background : rows in whose place absent columns are filled; 1 means the typical row (medians
        and most frequent values)
    explicands : rows that are explained; confidence limits need 10
    output : class (label or number) or column of the outputs, where there are several
    estimators : ids, or names in the literature
    minutes : time that the model may take
    seed : of the rows that are drawn and of the estimators

    Returns the `Comparison`. Raises `CompareError` for a table, model or plan that does not do,
    before the work where possible.
    """
    table = as_table(rows)
    players = players_of([str(name) for name in table.columns], groups)
    predict = predictor_of(model, output)
    chosen = {name: create(name) for name in estimators}
    absent, explained = _drawn(table, background, explicands, seed)
    check_repeatable(predict, explained.iloc[:TRIED].reset_index(drop=True))
    ensemble = _trees_of(model, players)
    planned = plan(
        players=len(players),
        background=len(absent),
        explicands=len(explained),
        estimators=len(chosen),
        row_seconds=seconds_per_row(predict, explained),
        allowed=60.0 * minutes,
        trees=ensemble is not None,
    )
    logger.info("comparison: %s", planned)
    explained = explained.iloc[: planned.explicands]
    parts, truths, spent = [], [], 0
    numbers = list(range(planned.explicands))
    for number in progress(numbers, "comparison", "rows"):
        game = RowsGame(predict, explained.iloc[[number]], absent, players)
        played, truth = _truth(game, planned, ensemble, seed, number)
        parts += _runs(played, truth, chosen, planned, seed, number)
        truths.append(truth)
        spent += game.rows
    return Comparison(
        errors=pd.DataFrame(parts),
        values=pd.DataFrame([one[0] for one in truths], columns=list(players.names)),
        plan=planned,
        background=len(absent),
        rows=spent,
        resolution=float(np.median([one[1] for one in truths])),
    )


def _drawn(
    table: pd.DataFrame, background: int, explicands: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Background rows and rows to explain, no row being both."""
    if background < 1 or explicands < 1:
        raise CompareError("background and explicands must be at least 1")
    order = generator(seed, "rows").permutation(len(table))
    absent = typical_row(table)
    if background > 1:
        if background + 1 > len(table):
            raise CompareError(
                f"{background} background rows and a row to explain need {background + 1} rows; "
                f"the table has {len(table)}. Take fewer"
            )
        absent, order = table.iloc[order[:background]], order[background:]
    return absent.reset_index(drop=True), table.iloc[order[:explicands]].reset_index(drop=True)


def _trees_of(model: Any, players: Players) -> Any:
    """Ensemble of a model whose values are read off its trees; None for others."""
    alone = all(len(columns) == 1 for columns in players.columns)
    return getattr(model, "ensemble", None) if alone else None


Truth = tuple[np.ndarray, float]  # values (d,) and the norm of their standard errors


def _truth(
    game: RowsGame, planned: Plan, ensemble: Any, seed: int, number: int
) -> tuple[Any, Truth]:
    """The game to estimate on, and its values."""
    if planned.truth == "enumeration":
        values = values_of(game, all_coalitions(game.n_players))
        return TabularGame(values), (shapley_from_table(values), 0.0)
    if planned.truth == "trees":
        sources = game.sources.to_numpy(dtype=np.float64)
        return game, (mean_tree_shapley(ensemble, sources[-1], sources[:-1]), 0.0)
    found = create("auto").estimate(game, planned.reference, generator(seed, "reference", number))
    return game, (found.values, float(np.linalg.norm(found.standard_errors)))


def _runs(
    game: Any,
    truth: Truth,
    chosen: Mapping[str, Estimator],
    planned: Plan,
    seed: int,
    number: int,
) -> list[dict[str, Any]]:
    found = []
    for name, estimator in chosen.items():
        for budget in planned.budgets:
            for run in range(planned.repetitions):
                rng = generator(seed, name, budget, number, run)
                started = time.perf_counter()
                try:
                    estimate = estimator.estimate(game, budget, rng)
                except BudgetTooSmall:
                    break
                off = estimate.values - truth[0]
                found.append(
                    {
                        "estimator": name,
                        "budget": budget,
                        "row": number,
                        "run": run,
                        "evaluations": estimate.evaluations,
                        "error": float(np.linalg.norm(off)),
                        "scale": float(np.linalg.norm(truth[0])),
                        "per_player": float(np.abs(off).mean()),
                        "seconds": time.perf_counter() - started,
                    }
                )
    return found
