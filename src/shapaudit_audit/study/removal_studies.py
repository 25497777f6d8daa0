"""Errors of removals under a known law: fits to fresh rows, compared with its own Shapley values.

Every fit has training rows of its own, so that fits are the independent units. The model and the
explicands are fixed, and the removals of a study are fitted to the same rows, so that they can be
compared fit by fit. The targets of the rows are the model's outputs plus normal noise, so that
their conditional expectation is that of the model.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from logging import getLogger

import numpy as np

from shapaudit.datasets import Dataset, LawDataset
from shapaudit.datasets.laws import Law
from shapaudit.estimators import create as create_estimator
from shapaudit.estimators.checked_runs import EstimatorFailure, run_once
from shapaudit.games import ConditionalGame, GameError, TabularGame, all_coalitions, tabulate
from shapaudit.games.expectations.marginal import marginal_values
from shapaudit.models import Model
from shapaudit.progress import progress
from shapaudit.removals import FittedRemoval, Removal, RemovalError
from shapaudit.removals import create as create_removal
from shapaudit.seeding import generator
from shapaudit.truth.enumeration import shapley_from_table
from shapaudit.truth.law import population_of

from .blocks.games import RemovalBlock
from .blocks.runs import EstimatorBlock
from .blocks.studies import RemovalStudyBlock
from .equal_rows import Bill, PricedGame, bills, estimates_within
from .own_estimators import files_named

NOISE = 0.5  # standard deviation of targets about the model, over that of its outputs
AXIS = "removal study"
logger = getLogger("shapaudit")
Table = dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class RemovalWorld:
    """The model, law, explicands and true values that all fits of a study share.

    Attributes
    ----------
    name, seed : of the study
    model : whose output is explained
    law : of the rows
    names : of the d features
    explicands : (m, d), drawn from the law, none of them among the rows of a fit
    outputs : (m,), the model's predictions on the explicands
    tables : (m, 2^d) values of the conditional games of the law
    values : (m, d), their Shapley values
    marginal : (m, d) Shapley values of the marginal games of the law
    """

    name: str
    seed: int
    model: Model
    law: Law
    names: tuple[str, ...]
    explicands: np.ndarray
    outputs: np.ndarray
    tables: np.ndarray
    values: np.ndarray
    marginal: np.ndarray

    def generator(self, *axes: str | int) -> np.random.Generator:
        """Generator for the named axes of the study."""
        return generator(self.seed, AXIS, self.name, *axes)

    def predictions(self) -> np.ndarray:
        """Predictions of the model on the explicands (m,)."""
        return self.model.predict(self.explicands)

    def rows(self, count: int, fit: int) -> Dataset:
        """The training rows of a fit, with targets."""
        rng = self.generator("rows", count, fit)
        rows = self.law.sample(rng, count)
        outputs = self.model.predict(rows)
        target = outputs + NOISE * outputs.std() * rng.standard_normal(count)
        split = {"train": np.arange(count), "test": np.arange(0)}
        return Dataset(f"{self.name}, fit {fit}", rows, target, self.names, split, "generated")


def world_of(
    name: str, explicands: int, dataset: LawDataset, model: Model, seed: int
) -> RemovalWorld:
    """Explicands drawn from the law of a dataset, with the exact values of their games.

    Raises `TruthError` for more than 14 features, and `GameError` where no closed form is known
    for the model under the law.
    """
    law = dataset.law
    rows = law.sample(generator(seed, AXIS, name, "explicands"), explicands)
    games = [population_of(ConditionalGame(law, model, row, name)) for row in rows]
    coalitions = all_coalitions(law.n_features)
    tables = np.stack([game(coalitions) for game in games])
    values = np.stack([shapley_from_table(table) for table in tables])
    alone = marginal_values(law, model, rows, coalitions)
    marginal = np.stack([shapley_from_table(table) for table in alone])
    names = dataset.feature_names
    return RemovalWorld(
        name, seed, model, law, names, rows, model.predict(rows), tables, values, marginal
    )


def study_removals(
    block: RemovalStudyBlock,
    removals: Mapping[str, RemovalBlock],
    estimator: EstimatorBlock,
    world: RemovalWorld,
) -> dict[str, Table]:
    """Values of the games of every removal and their errors, as tables by name.

    ``block`` is that of the study in the configuration, ``removals`` and ``estimator`` those that
    it names. A table ``x`` has the columns of the schema "removal_x": ``values``, estimates and
    exact values; ``fits``, errors of the values of coalitions; ``rows``, errors of estimates from
    equally many rows; ``refusals``, fits that a removal refused to make or to play, and why. A
    refusal costs that fit alone.

    Raises `RemovalError` naming study, removal, rows and fit for any other error of a removal.
    """
    made = {name: create_removal(spec.removal, spec.params) for name, spec in removals.items()}
    tasks = [
        (name, count, fit)
        for count in block.rows
        for name in made
        if count in block.rows_of(name)
        for fit in range(block.fits_of(name))
    ]
    seconds = dict.fromkeys(made, 0.0)
    with files_named(block.estimator, estimator, world):
        runner = Runner(block, estimator, world)
        for name, count, fit in progress(tasks, world.name, "fits"):
            try:
                started = time.process_time()
                fitted = fitted_to(made[name], name, count, fit, world)
                seconds[name] += time.process_time() - started
                runner.measure(name, count, fit, fitted)
            except GameError as error:
                runner.refuse(name, count, fit, error)
            except EstimatorFailure:
                raise
            except Exception as error:
                raise RemovalError(
                    f"removal study {world.name}: {name} with {count} rows, fit {fit}: "
                    f"{type(error).__name__}: {error}"
                ) from error
    # Not in the tables, whose bytes do not depend on the machine.
    for name, spent in seconds.items():
        logger.info("%s: %s was fitted in %.2f CPU seconds", world.name, name, spent)
    return runner.tables()


CELL = {"removal": str, "rows": int, "fit": int}
COLUMNS = {
    "values": CELL | {
        "explicand": int, "player": int, "budget": int, "run": int,
        "estimate": float, "exact": float, "truth": float, "marginal": float, "model_rows": int,
    },
    "fits": CELL | {
        "size": int, "coalitions": int, "error": float, "error_from_data": float,
        "remaining": float, "rows_per_value": float, "fit_rows": int, "prepared_rows": int,
        "auxiliary_fit_rows": int,
    },
    "rows": CELL | {
        "explicand": int, "counted": str, "limit": int, "run": int, "evaluations": int,
        "spent": int, "squared_error": float, "marginal_error": float,
    },
    "refusals": CELL | {"reason": str},
}  # fmt: skip


def fitted_to(
    removal: Removal, name: str, count: int, fit: int, world: RemovalWorld
) -> FittedRemoval:
    """A removal fitted to the rows of a fit."""
    rng = world.generator(name, count, fit, "fit")
    return removal.fit(world.model, world.rows(count, fit), rng)


class Runner:
    """Measures the games of fitted removals; ``estimator`` is the block of the configuration."""

    def __init__(self, block: RemovalStudyBlock, estimator: EstimatorBlock, world: RemovalWorld):
        self.world, self.runs, self.budgets = world, block.runs, block.budgets
        self.limits = block.row_limits
        self.estimator = create_estimator(estimator.estimator, estimator.params)
        self.coalitions = all_coalitions(world.law.n_features)
        self.sizes = self.coalitions.sum(axis=1)
        self.lines: dict[str, list[tuple]] = {name: [] for name in COLUMNS}

    def tables(self) -> dict[str, Table]:
        """The results as tables, column by column."""
        return {name: _table(COLUMNS[name], rows) for name, rows in self.lines.items()}

    def refuse(self, name: str, count: int, fit: int, error: GameError) -> None:
        """Record a fit that a removal refused."""
        logger.warning(
            "%s: %s with %d rows, fit %d, is left out: %s", self.world.name, name, count, fit, error
        )
        self.lines["refusals"].append((name, count, fit, str(error)))

    def measure(self, name: str, count: int, fit: int, fitted: FittedRemoval) -> None:
        """Add one fit to the tables; raises `RemovalError`, adding nothing, where one refuses."""
        world, cell = self.world, (name, count, fit)
        games = [
            fitted.game(row, world.generator(*cell, "game", k))
            for k, row in enumerate(world.explicands)
        ]
        tables = [tabulate(game) for game in games]
        prices = np.stack([game.rows(self.coalitions) for game in games])
        for k, (game, table) in enumerate(zip(games, tables, strict=True)):
            self._estimate(cell, k, table, bills(fitted, game, prices[k], self.coalitions))
        values = np.stack([table.values for table in tables])
        prepared = max(game.prepared_rows for game in games)
        for size in range(world.law.n_features):
            at = self.sizes == size
            own = (
                np.square(values[:, at] - world.tables[:, at]).mean(),
                np.square(values[:, at] - world.outputs[:, None]).mean(),
                np.square(world.tables[:, at] - world.outputs[:, None]).mean(),
                prices[:, at].mean(),
            )
            rest = (fitted.fit_rows, prepared, fitted.auxiliary_fit_rows)
            self.lines["fits"].append((*cell, size, int(at.sum()), *own, *rest))

    def _estimate(self, cell: tuple, k: int, table: TabularGame, own: Mapping[str, Bill]) -> None:
        """Add the runs on the game of one explicand, at each budget and within each limit."""
        exact = shapley_from_table(table.values)
        truths = self.world.values[k], self.world.marginal[k]
        draw = partial(self.world.generator, *cell, "estimate", k)
        bill = own["model"]
        for run, budget in product(range(self.runs), self.budgets):
            game = PricedGame(table, bill.prices, table.name)
            (made,) = run_once(self.estimator, game, [budget], partial(draw, run))
            columns = zip(made.values, exact, *truths, strict=True)
            self.lines["values"] += [
                (*cell, k, j, budget, run, *column, bill.fixed + game.spent)
                for j, column in enumerate(columns)
            ]
        draw = partial(self.world.generator, *cell, "within", k)
        within = estimates_within(self.estimator, table, own, self.limits, self.runs, draw)
        for *axes, values in within:
            squares = (np.square(values - truth).sum() for truth in truths)
            self.lines["rows"].append((*cell, k, *axes, *squares))


def _table(columns: Mapping[str, type], rows: list[tuple]) -> Table:
    parts = zip(*rows, strict=True) if rows else ((),) * len(columns)
    return {
        name: np.array(part, dtype=kind)
        for (name, kind), part in zip(columns.items(), parts, strict=True)
    }
