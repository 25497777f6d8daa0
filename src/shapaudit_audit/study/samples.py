"""Estimates by number of samples instead of evaluations, as in Okhrati & Lipani 2021."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from shapaudit.estimators import Estimate, Estimator, MultilinearSampling, create
from shapaudit.estimators.base import SampleMean
from shapaudit.estimators.checked_runs import run_once
from shapaudit.games import Game
from shapaudit.progress import progress
from shapaudit.seeding import generator

from .blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from .collection import GameCollection
from .own_estimators import files_named

REPLICATED = 5  # numbers of samples at which estimates are replicated
Table = dict[str, np.ndarray]


def with_samples(estimator: Estimator, samples: int, n_players: int) -> tuple[Estimator, int]:
    """The estimator and the evaluations that ``samples`` samples take.

    A sample is a permutation, or, with M draws (``draws``) at Q + 1 levels, one of Q M draws: the
    Q M "equivalent samples" of Okhrati & Lipani 2021, Section IV. Raises ValueError for an
    estimator of another kind.
    """
    if isinstance(estimator, MultilinearSampling):
        fixed = replace(estimator, levels=samples // estimator.draws + 1)
        return fixed, estimator.draws * fixed.minimum_budget(n_players)
    if isinstance(estimator, SampleMean):
        return estimator, estimator.fixed_cost + samples * estimator.unit_cost(n_players)
    raise ValueError(f"{estimator.id} has no samples to be counted.")


def estimate_from(estimator: Estimator, samples: int, game: Game, seed: int, axes) -> Estimate:
    """One estimate from ``samples`` samples, with a generator of its own."""
    sized, budget = with_samples(estimator, samples, game.n_players)
    return run_once(sized, game, [budget], lambda _: generator(seed, *axes, samples))[0]


def deviations(
    specs: Mapping[str, EstimatorBlock], path: PathBlock, collection, seed: int, name: str
) -> Table:
    """Standard deviations of estimates with growing numbers of samples, means over the players.

    The published kind ("path") is over single estimates with each number of samples up to the
    present number, so that it mixes the remaining error with the path to it. The kind "replicates"
    is over ``path.replicates`` estimates with the same number of samples. Columns of
    the schema "deviations"; ``path`` is the block of the configuration.
    """
    sizes, repeated = _sizes(path)
    rows = []
    for key in path.estimators:
        with files_named(key, specs[key], collection):
            estimator = create(specs[key].estimator, specs[key].params)
            for explicand in progress(range(path.explicands), f"{name}, {key}", "explicands"):
                axes = ("path", name, key, explicand)
                run = partial(estimate_from, estimator, game=collection.game(explicand), seed=seed)
                along = [run(samples, axes=(*axes, "along")) for samples in sizes]
                values = np.array([estimate.values for estimate in along])
                for k, (samples, estimate) in enumerate(zip(sizes, along, strict=True)):
                    spread = values[: k + 1].std(axis=0).mean()
                    rows.append((key, explicand, samples, estimate.evaluations, "path", spread))
                for samples in repeated:
                    again = [run(samples, axes=(*axes, r)) for r in range(path.replicates)]
                    spread = np.std([estimate.values for estimate in again], axis=0, ddof=1).mean()
                    rows.append(
                        (key, explicand, samples, again[0].evaluations, "replicates", spread)
                    )
    columns = ("estimator", "explicand", "samples", "evaluations", "kind", "deviation")
    return dict(zip(columns, map(np.array, zip(*rows, strict=True)), strict=True))


def path_evaluations(specs: Mapping[str, EstimatorBlock], path: PathBlock, n_players: int) -> int:
    """Evaluations that `deviations` takes."""
    sizes, repeated = _sizes(path)
    every = [*sizes, *path.replicates * list(repeated)]
    each = [create(specs[key].estimator, specs[key].params) for key in path.estimators]
    return path.explicands * sum(with_samples(e, n, n_players)[1] for e in each for n in every)


def _sizes(path: PathBlock) -> tuple[range, range]:
    """Numbers of samples of a path, and those at which estimates are replicated."""
    sizes = range(path.step, path.samples + 1, path.step)
    return sizes, sizes[:: max(1, len(sizes) // REPLICATED)][-REPLICATED:]


def kept_estimates(
    specs: Mapping[str, EstimatorBlock],
    experiment: ExperimentBlock,
    collection: GameCollection,
    seed: int,
    name: str,
) -> Table:
    """Estimates of the first seed on the first ``experiment.keep`` games, at every budget.

    Their errors are those that `experiments.run_spec` records, for estimators without tuning.
    Columns of the schema "kept".
    """
    d, parts = collection.n_players, []
    for key, spec in specs.items():
        with files_named(key, spec, collection):
            estimator = create(spec.estimator, spec.params)
            budgets = [n for n in experiment.budgets if n >= estimator.minimum_budget(d)]
            # "pair" is in the name of the seed, as in `experiments`: the runs must be the same.
            for explicand in progress(range(experiment.keep or 0), f"{name}, {key}", "explicands"):
                runs = run_once(
                    estimator,
                    collection.game(explicand),
                    budgets,
                    partial(
                        generator, seed, name, key, "pair", explicand, 0
                    ),  # as in `experiments`
                )
                parts += [
                    (key, explicand, n, estimate.values)
                    for n, estimate in zip(budgets, runs, strict=True)
                ]
    return {
        "estimator": np.repeat([part[0] for part in parts], d),
        "explicand": np.repeat([part[1] for part in parts], d),
        "budget": np.repeat([part[2] for part in parts], d),
        "player": np.tile(np.arange(d), len(parts)),
        "value": np.concatenate([part[3] for part in parts]),
    }


def sample_budgets(
    estimators: Sequence[Estimator], samples: Sequence[int], n_players: int
) -> list[int]:
    """Budgets at which each estimator has exactly each number of samples, increasing."""
    return sorted({with_samples(e, s, n_players)[1] for e in estimators for s in samples})
