"""Compile every numerical kernel into numba's cache: ``python -m shapaudit_audit.kernels``.

A kernel is compiled for the types of the arguments that it is called with. So the small games here
go the way of a study's: dataset, model, collection, file, truth, estimates. What the registries
hold is tried on all of them, and what does not fit is passed over.
"""

import inspect
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from itertools import product
from typing import Literal, get_args, get_origin

import numpy as np
from numba.core.dispatcher import Dispatcher

from shapaudit.datasets import Dataset, load
from shapaudit.estimators import REGISTRY, Estimator, ProjectedSGD
from shapaudit.estimators.many_runs import many_runs
from shapaudit.explainers import create
from shapaudit.games import CountedGame, Game, GameError, TabularGame, all_coalitions, tabulate
from shapaudit.games.expectations.normal import LAYERS
from shapaudit.models import TRAINERS, LinearModel, Model, ModelError, load_model, train
from shapaudit.models.least_squares import FITS
from shapaudit.models.linear_leaves import leaves_of
from shapaudit.models.read_trees import read_trees
from shapaudit.removals import REGISTRY as REMOVALS
from shapaudit.truth import METHODS, TruthError, compute

from .audit.context import Context, Settings, StudyGame
from .audit.evidence import evidence_in
from .houses import paper_houses
from .papers import PAPERS, package_of
from .study.collection import REWARDS, build_collection, load_collection
from .study.dependencies import forget_stale_kernels
from .study.law_collection import REWARD as EXPECTATION
from .study.regression_collection import REWARD as R_SQUARED

PAPER_HOUSES = {folder.name for folder in paper_houses()}
PLAYERS = 6  # so few that all is quick, so many that surrogates have something to fit
BUDGET = 60  # less than all coalitions


def compile_all() -> None:
    """Call every kernel with the arguments of a study, so that the cache holds them afterwards."""
    rng = np.random.default_rng(0)
    dataset = _dataset(rng)
    worlds = [*product([dataset], _models(dataset), (*REWARDS, R_SQUARED)), *_under_a_law(rng)]
    for world in worlds:
        for game in _games(*world):
            _find_truth(game, rng)
    _play_removals(dataset)
    _run_estimators(rng)
    _explain(dataset)
    _gather_evidence(rng)


def _dataset(rng: np.random.Generator) -> Dataset:
    rows = rng.standard_normal((90, PLAYERS))
    names = tuple(f"x{j}" for j in range(PLAYERS))
    split = dict(zip(("train", "validation", "test"), np.split(np.arange(90), 3), strict=True))
    return Dataset("small", rows, rows[:, 0] > rows[:, 1] * rows[:, 2], names, split, "generated")


def _models(dataset: Dataset) -> Iterator[Model]:
    """A model of each trainer that has a default for everything, and of each fit."""
    for name, trainer in TRAINERS.items():
        options = _options(trainer)
        if all(option.default is not option.empty for option in options.values()):
            for params in [{"fit": fit} for fit in FITS] if "fit" in options else [{}]:
                with suppress(ModelError):  # for data that a trainer is not made for
                    yield train(name, dataset, params, 0)


def _under_a_law(rng: np.random.Generator) -> Iterator[tuple[Dataset, Model, str]]:
    """Data from a law, the models whose expectations have kernels of their own, and the reward."""
    params = {"n_rows": 60, "n_features": PLAYERS, "shape": "pairs"}
    dataset = load("gaussian-law", params, rng)
    assert isinstance(dataset, Dataset)
    for activation in LAYERS:
        yield dataset, train("network", dataset, {"activation": activation}, 0), EXPECTATION
    yield dataset, train("xgboost", dataset, {}, 0), EXPECTATION


def _options(function: Callable) -> dict[str, inspect.Parameter]:
    """What a configuration may set: the parameters by keyword only."""
    parameters = inspect.signature(function).parameters
    return {name: p for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY}


def _games(dataset: Dataset, model: Model, reward: str) -> Iterator[Game]:
    """A game as its model defines it, and its table as read from a file; none that do not fit."""
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/model")
        model = load_model(f"{folder}/model")
        try:
            made = build_collection("small", dataset, model, reward, 1, 0, np.random.default_rng(0))
        except GameError:
            return
        made.save(f"{folder}/games")
        read = load_collection(f"{folder}/games", model)
        yield read.structured(0)
        yield read.game(0)


def _find_truth(game: Game, rng: np.random.Generator) -> None:
    game(all_coalitions(game.n_players))
    for name, method in METHODS.items():
        fewest = {key: 2 for key, option in _options(method).items() if option.annotation is int}
        with suppress(TruthError, GameError):  # for a game that the method is not made for
            compute(name, game, rng, **fewest)


def _play_removals(dataset: Dataset) -> None:
    """Tabulate a game of every removal, and a realisation of it."""
    model = train("xgboost", dataset, {"n_estimators": 2}, 0)
    for cls in REMOVALS.values():
        names = {field.name for field in fields(cls)}
        given: dict[str, object] = {"own_row": True} if "own_row" in names else {}
        given |= {"selection": "aicc"} if "selection" in names else {}
        rng = np.random.default_rng(0)
        fitted = cls(**given).fit(model, dataset, rng)
        game = fitted.game(np.median(dataset.features, axis=0), rng)
        tabulate(game)
        tabulate(game.realisation(rng))


def _run_estimators(rng: np.random.Generator) -> None:
    game = CountedGame(TabularGame(rng.random(1 << PLAYERS)))
    for cls in REGISTRY.values():
        for estimator in _variants(cls):
            budget = max(BUDGET, estimator.minimum_budget(PLAYERS))
            estimator.estimate(game, budget, rng)


def _variants(cls: type[Estimator]) -> Iterator[Estimator]:
    """The estimator as it is by default, and with each choice or switch of each parameter."""
    yield cls()
    for field in fields(cls):
        choices = get_args(field.type) if get_origin(field.type) is Literal else ()
        if field.type is bool:
            choices = (False, True)
        for choice in choices:
            if choice != field.default:
                with suppress(ValueError):  # where it does not go with the other defaults
                    yield cls(**{field.name: choice})


def _explain(dataset: Dataset) -> None:
    """The explainers that hold kernels, by all coalitions and along orders, and through trees."""
    model = LinearModel(np.ones(PLAYERS))
    for permutations in (0, 2):
        create("correlated-linear", {"permutations": permutations}).fit(model, dataset)
    trees = train("xgboost", dataset, {"n_estimators": 2}, 0)
    create("path-dependent-tree").fit(trees, dataset).explain(dataset.features[:1])
    read = read_trees(trees)
    leaves = leaves_of({}, read.ensemble.nodes.value)
    linear = replace(read, leaves=leaves)
    create("interventional-tree").fit(linear, dataset).explain(dataset.features[:1])


def _gather_evidence(rng: np.random.Generator) -> None:
    """Evidence that calls kernels of papers which nothing has called, and what others call."""
    games = (StudyGame.from_tables("small", rng.random((1, 1 << PLAYERS))),)
    context = Context("small", 0, games, Settings(**dict.fromkeys(Settings.__struct_fields__, 4)))
    for paper in PAPERS:
        for gather in evidence_in(package_of(paper)).values():
            if any(not kernel.signatures for kernel in _kernels_behind(gather.__module__)):
                with suppress(ValueError):  # where it needs more than a small study has
                    gather(context)
    many_runs(ProjectedSGD(), games[0].games[0], [BUDGET], 1, rng)


def _kernels_behind(module: str) -> list[Dispatcher]:
    """Kernels of a paper's module, and of the modules of papers that it imports something from."""
    values = vars(sys.modules[module]).values()
    named = {getattr(value, "__module__", None) or "" for value in values} | {module}
    modules = [name for name in named if name.partition(".")[0] in PAPER_HOUSES]
    held = (value for name in modules for value in vars(sys.modules[name]).values())
    return [value for value in held if isinstance(value, Dispatcher)]


if __name__ == "__main__":
    forget_stale_kernels()
    compile_all()
