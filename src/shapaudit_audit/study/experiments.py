"""Run an estimator on many games with many seeds, and score it against the truth."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import scipy

from shapaudit.estimators import Estimate, Estimator, create
from shapaudit.estimators.checked_runs import EstimatorDiverged, check_repeats, run_once
from shapaudit.games import Game, with_threads
from shapaudit.progress import progress
from shapaudit.seeding import generator
from shapaudit.truth import Truth

from .blocks.runs import EstimatorBlock, ExperimentBlock
from .collection import GameCollection
from .own_estimators import files_named
from .runs import check_parameters, is_foreign, parameters_of, with_parameter

COLUMNS = (
    "explicand",
    "repetition",
    "budget",
    "evaluations",
    "squared_error",
    "squared_deviation",
    "truth_variance",
    "coverage",
)
INTERVAL_ROUNDING = 1e-12  # of the ends of an interval, over the largest Shapley value


@dataclass(frozen=True)
class Tuning:
    """Result and cost of choosing a parameter on explicands outside the experiment.

    ``errors`` holds the mean error of each value of the grid, None where the estimator diverged.
    """

    parameter: str
    grid: tuple[float, ...]
    errors: tuple[float | None, ...]
    chosen: float
    evaluations: int


def run_experiment(
    estimator: Estimator,
    games: Sequence[Game],
    truths: Sequence[Truth],
    budgets: Sequence[int],
    repetitions: int,
    seed: int,
    axes: tuple[str, ...],
) -> dict[str, np.ndarray]:
    """Errors of an estimator at every budget, on every game, with ``repetitions`` seeds.

    ``games`` and ``truths`` have an entry for each explicand. Columns (n,) by name: explicand,
    repetition, budget, evaluations; squared_error, the squared Euclidean norm of the error;
    squared_deviation, the squared norm of the difference from the mean over the seeds of the
    explicand, so that the mean over seeds of squared_error is the mean of squared_deviation plus
    the squared norm of the bias; truth_variance, the sum of the truth's squared standard errors, by
    which the expected squared error is inflated; coverage, the share of players whose 95 % interval
    covers the truth, NaN without standard errors.
    """
    rows = []
    with_truths = list(zip(games, truths, strict=True))
    # "pair" is part of the name of a seed: with another word the results would be others.
    for explicand, (game, truth) in enumerate(progress(with_truths, ", ".join(axes), "explicands")):
        runs = [
            run_once(
                estimator,
                game,
                budgets,
                partial(generator, seed, *axes, "pair", explicand, repetition),
            )
            for repetition in range(repetitions)
        ]
        means = np.mean([[estimate.values for estimate in run] for run in runs], axis=0)
        for repetition, run in enumerate(runs):
            for budget, estimate, mean in zip(budgets, run, means, strict=True):
                rows.append((explicand, repetition, budget, *_score(estimate, mean, truth)))
    columns = map(np.array, zip(*rows, strict=True))
    return dict(zip(COLUMNS, columns, strict=True))


def _score(estimate: Estimate, mean: np.ndarray, truth: Truth) -> tuple[int | float, ...]:
    difference, deviation = estimate.values - truth.values, estimate.values - mean
    variances = np.zeros_like(difference)
    if truth.standard_errors is not None:
        variances = np.square(truth.standard_errors)
    coverage = np.nan
    if estimate.standard_errors is not None:
        width = scipy.special.ndtri(0.975) * np.sqrt(
            np.square(estimate.standard_errors) + variances
        )
        # A player whose contributions do not vary has an interval without width.
        rounding = INTERVAL_ROUNDING * np.abs(truth.values).max()
        coverage = float(np.mean(np.abs(difference) <= width + rounding))
    squares = float(difference @ difference), float(deviation @ deviation)
    return estimate.evaluations, *squares, float(variances.sum()), coverage


def tune(
    estimator: Estimator,
    parameter: str,
    grid: Sequence[float],
    games: Sequence[Game],
    truths: Sequence[Truth],
    budget: int,
    seed: int,
    axes: tuple[str, ...],
) -> tuple[Estimator, Tuning]:
    """Choose a parameter by the mean error at ``budget`` on games outside the experiment.

    Every evaluation spent on the choice is counted; a value that diverges is charged the whole
    budget on every game. The same generators serve every value of the grid, so that the
    comparison is paired. Raises `EstimatorDiverged` when every value diverges.
    """
    settings = (games, truths, [budget], 1, seed, (*axes, "tuning"))
    errors: list[float | None] = []
    spent = 0
    for value in grid:
        candidate = with_parameter(estimator, parameter, value)
        try:
            table = run_experiment(candidate, *settings)
        except EstimatorDiverged:
            errors.append(None)
            spent += budget * len(games)
        else:
            errors.append(float(np.sqrt(table["squared_error"]).mean()))
            spent += int(table["evaluations"].sum())
    if all(error is None for error in errors):
        raise EstimatorDiverged(
            f"{estimator}: all values {list(grid)} of {parameter} diverged; try other values."
        )
    best = min((error, k) for k, error in enumerate(errors) if error is not None)[1]
    chosen = with_parameter(estimator, parameter, grid[best])
    return chosen, Tuning(parameter, tuple(grid), tuple(errors), float(grid[best]), spent)


def run_spec(
    spec: EstimatorBlock,
    experiment: ExperimentBlock,
    collection: GameCollection,
    truths: Sequence[Truth],
    seed: int,
    axes: tuple[str, ...],
    threads: int = 1,
) -> tuple[dict[str, np.ndarray], dict]:
    """Run an estimator of the configuration on an experiment, tuned first where it asks for that.

    Budgets below the estimator's minimum are left out. ``spec`` and ``experiment`` are their blocks
    of the configuration, ``truths`` those of the whole collection. Games that can walk on several
    ``threads`` do so, which changes no value. Returns the columns of `run_experiment` and the
    estimator's settings: its id in the block ("estimator"), its parameters ("params") and the cost
    of choosing them ("tuning"). Raises `EstimatorFailure` naming the estimator and what is wrong
    with it, before the work where possible, and `UnnamedFiles` where a user's estimator reads files
    that ``spec`` does not name; the last of ``axes`` is its name.
    """
    tuning, repetitions = None, experiment.repetitions
    with files_named(axes[-1], spec, collection) as check_files:
        estimator = create(spec.estimator, spec.params)
        least, n = estimator.minimum_budget(collection.n_players), collection.n_experiment
        budgets = [budget for budget in experiment.budgets if budget >= least]
        check_parameters(estimator)
        if spec.tune:
            parameter, grid = spec.tune.parameter, spec.tune.grid
            others = _threaded(collection.tuning_games(), threads), truths[n:]
            estimator, tuning = tune(estimator, parameter, grid, *others, budgets[-1], seed, axes)
        n = experiment.explicands or n
        games = _threaded(collection.experiment_games()[:n], threads)
        if is_foreign(estimator):
            repeats = partial(generator, seed, *axes, "repeats")
            check_repeats(estimator, games[0], budgets[0], repeats)
            check_files()
        table = run_experiment(estimator, games, truths[:n], budgets, repetitions, seed, axes)
    setting = {
        "estimator": spec.estimator,
        "params": parameters_of(estimator),
        "tuning": None if tuning is None else asdict(tuning),
    }
    return table, setting


def _threaded(games: Sequence[Game], threads: int) -> list[Game]:
    return [with_threads(game, threads) for game in games]
