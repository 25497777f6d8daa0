"""Evidence on claims 92 and 93: explainers that are trained, beside estimators of each row."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from shapaudit.datasets.laws import MixtureLaw
from shapaudit.estimators import (
    AntitheticMonteCarlo,
    Estimator,
    PairedKernelSHAP,
    RandomMultilinear,
    StratifiedLeastSquares,
)
from shapaudit.explainers.amortised import Amortised
from shapaudit.explainers.fast_shap import FastShap
from shapaudit.explainers.stochastic_amortisation import StochasticAmortisation
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.models import Model
from shapaudit.removals.baseline import Baseline
from shapaudit.statistics.comparisons import evaluations_to_reach
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .removal_errors import random_layer

PLAYERS, NEW = 8, 10  # features, and new rows that are explained
SMALLER = 3  # times fewer rows that explainers are trained on first
ENDS = 2  # rows of the model that an explanation of a baseline game takes
BUDGETS = (12, 16, 24, 32, 48, 64)
SETTINGS: dict[str, Any] = {
    "removal": Baseline.id,
    "evaluations": 18,
    "hidden": (32, 32),
    "epochs": 60,
}
LEAST_SQUARES, WALKS, MULTILINEAR = "FastSHAP", "walks", "multilinear sampling"
LEARNERS: dict[str, Amortised] = {
    LEAST_SQUARES: FastShap(**SETTINGS),
    WALKS: StochasticAmortisation(**SETTINGS, estimator=AntitheticMonteCarlo.id),
    MULTILINEAR: StochasticAmortisation(**SETTINGS, estimator=RandomMultilinear.id),
}
RIVALS: tuple[Estimator, ...] = (PairedKernelSHAP(), StratifiedLeastSquares())


class ExplanationTask(NamedTuple):
    """A model, rows (n, d) of a law, and new rows with their games (m, 2^d) and values (m, d)."""

    model: Model
    rows: np.ndarray
    new: np.ndarray
    tables: np.ndarray
    truth: np.ndarray


def random_world(rng: np.random.Generator, rows: int) -> ExplanationTask:
    """Draw a random ReLU layer and rows of a normal mixture; the baseline is the mean row."""
    law, model = MixtureLaw.random(rng, PLAYERS), random_layer(rng, PLAYERS)
    given, new = law.sample(rng, rows), law.sample(rng, NEW)
    hybrids = [np.where(all_coalitions(PLAYERS), x, given.mean(axis=0)) for x in new]
    tables = np.array([model.predict(rows) for rows in hybrids])
    return ExplanationTask(model, given, new, tables, shapley_from_table(tables))


def squared_error(world: ExplanationTask, values: np.ndarray) -> float:
    """Return the squared error of values (m, d) over that of the equal split."""
    split = world.truth.mean(axis=1, keepdims=True)
    return float(np.square(values - world.truth).sum() / np.square(split - world.truth).sum())


def needed(
    world: ExplanationTask, error: float, rivals: tuple[Estimator, ...], rng: np.random.Generator
) -> float:
    """Return the rows per explanation with which the cheapest rival reaches an error.

    Budgets are interpolated on a logarithmic scale; the result is the largest budget where no
    rival reaches the error.
    """
    curves = [
        [
            squared_error(
                world,
                np.array([rival.estimate(TabularGame(t), b, rng).values for t in world.tables]),
            )
            for b in BUDGETS
        ]
        for rival in rivals
    ]
    errors = np.maximum(curves, np.finfo(float).tiny)
    needed_rows = evaluations_to_reach(np.array(BUDGETS), errors, np.full(len(rivals), error))
    return float(np.nan_to_num(needed_rows, nan=BUDGETS[-1]).min())


@sampled
def gather_amortised(
    context: Context,
    learners: Mapping[str, Amortised] = LEARNERS,
    rivals: tuple[Estimator, ...] = RIVALS,
) -> Evidence:
    """Return errors and costs of fits (worlds, sizes, learners), and rows that rivals need.

    ``needed`` (worlds, sizes) are rows per explanation of the best rival at the error of the
    first learner. Each world has its own law, model, rows, networks and new rows.
    """
    settings = context.settings
    sizes = settings.fitted_rows // SMALLER, settings.fitted_rows
    shape = settings.fitted_worlds, len(sizes)
    errors, fits = (np.empty((*shape, len(learners))) for _ in range(2))
    rows = np.empty(shape)
    for k, i in np.ndindex(shape):
        world = random_world(context.generator("ccll23-92", "world", k, i), sizes[i])
        for j, (name, learner) in enumerate(learners.items()):
            rng = context.generator("ccll23-92", name, k, i)
            fitted = learner.fit(world.model, world.rows, rng)
            errors[k, i, j] = squared_error(world, fitted.explain(world.new).values)
            fits[k, i, j] = fitted.fit_rows
        rng = context.generator("ccll23-92", "rivals", k, i)
        rows[k, i] = needed(world, errors[k, i, 0], rivals, rng)
    return {
        "errors": errors,
        "fits": fits,
        "needed": rows,
        "learners": list(learners),
        "rows": list(sizes),
        "ends": ENDS,
    }
