"""Faults between blocks of a configuration: budgets, numbers of explicands, samples, methods."""

from collections.abc import Iterator
from itertools import pairwise

from shapaudit.estimators import create
from shapaudit.estimators.checked_runs import EstimatorFailure, least_budget
from shapaudit.games.regression import MOST_TABULATED
from shapaudit.games.tabular import MAX_TABULATED_PLAYERS
from shapaudit.parameters import hint
from shapaudit.truth.inversion import BOUND
from shapaudit.truth.law import MOST_PLAYERS as MOST_UNDER_LAWS

from .blocks.base import Block, marked, references
from .blocks.games import GameBlock, ModelBlock
from .blocks.runs import ExperimentBlock, PathBlock
from .blocks.studies import RemovalStudyBlock
from .blocks.study import RepetitionBlock, Study
from .data_shapes import shape_of
from .faults import made
from .law_collection import REWARD as EXPECTATION
from .regression_collection import REWARD as R_SQUARED
from .samples import with_samples
from .table_collection import REWARD as TABLE

REFERENCES = ("orbits", "permutations")  # methods of truth whose values have standard errors
# Methods that need values only.
OF_ANY_GAME = ("enumeration", "diagonal", "law", "law-numerical", *REFERENCES)
THRESHOLD = ("same-class", "chi-square")  # reward and trainer whose games are of one threshold
MOST_PLAYERS = {
    "diagonal": MAX_TABULATED_PLAYERS,
    "enumeration": MAX_TABULATED_PLAYERS,
    "law-numerical": MOST_UNDER_LAWS,
    "subsets": MOST_TABULATED,
}


def consistency_faults(config: Study) -> list[str]:
    """Faults of a configuration whose keys, references and parameters are valid."""
    faults = [fault for entry in config.entries() for fault in _list_faults(*entry, config)]
    for name, game in config.games.items():
        faults += _truth_faults(f"games.{name}.truth", game, config.models[game.model])
        faults += _law_faults(f"games.{name}", game, config)
        faults += _selection_faults(f"games.{name}.selection", game)
        faults += _removal_faults(f"games.{name}", game)
        faults += _table_faults(f"games.{name}", game, config.models[game.model])
    for name, experiment in config.experiments.items():
        faults += _experiment_faults(f"experiments.{name}", experiment, config)
        if experiment.role == "comparison" and config.explicands_of(experiment) < 2:
            faults.append(f"experiments.{name}: the limits of the report take 2 explicands or more")
    for name, path in config.paths.items():
        faults += _path_faults(f"paths.{name}", path, config)
    for name, study in config.removal_studies.items():
        faults += _removal_study_faults(f"removal_studies.{name}", study, config)
    for name, search in config.architectures.items():
        if search.widths.smallest > search.widths.largest:
            faults.append(f"architectures.{name}.widths: from exceeds to; swap them")
    return faults


def _list_faults(where: str, block: Block, config: Study) -> Iterator[str]:
    """Lists that do not increase, and estimators where none is tuned."""
    for key in marked(type(block), "increasing"):
        if any(b <= a for a, b in pairwise(getattr(block, key))):
            yield f"{where}: {key} must increase"
    if not isinstance(block, ExperimentBlock | RepetitionBlock):
        for kind, name in references(block):
            if kind == "estimators" and config.estimators[name].tune:
                yield f"{where}: {name} would not be tuned; give its parameter in params"


def _truth_faults(where: str, game: GameBlock, model: ModelBlock) -> Iterator[str]:
    spec = game.truth
    for method in spec.methods:
        most = MOST_PLAYERS.get(method, game.players)
        if game.players > most:
            yield f"{where}: {method} takes {most} players at most; choose another method"
        if spec.check and method in REFERENCES:
            yield f"{where}: a check needs exact methods; {method} is not exact, remove the check"
        if method == "inversion" and (game.reward, model.trainer) != THRESHOLD:
            yield (
                f"{where}: inversion is for the reward {THRESHOLD[0]} of the trainer "
                f"{THRESHOLD[1]}; choose another method"
            )
        elif method == "inversion" and not 0 < (bound := spec.params.get("bound", BOUND)) < 1:
            yield f"{where}: the bound of inversion is {bound}; give one between 0 and 1"


def _law_faults(where: str, game: GameBlock, config: Study) -> Iterator[str]:
    dataset = config.models[game.model].dataset
    loader = config.datasets[dataset].loader
    under_law = [method for method in game.truth.methods if method.startswith("law")]
    if game.reward != EXPECTATION:
        if under_law and not (game.removal and loader.endswith("-law")):
            yield (
                f"{where}.truth: {under_law[0]} is for the reward {EXPECTATION}, and for removals "
                "on data whose loader's name ends in -law; choose another method"
            )
    elif not loader.endswith("-law"):
        yield (
            f"{where}: the reward {EXPECTATION} needs data drawn from a law; the loader of "
            f"{dataset} is {loader}, choose one whose name ends in -law"
        )
    elif game.baseline != "drawn" or game.selection:
        yield f"{where}: games of {EXPECTATION} have no baselines; leave out baseline and selection"


def _table_faults(where: str, game: GameBlock, model: ModelBlock) -> Iterator[str]:
    if (game.reward == TABLE) != (model.trainer == TABLE):
        yield f"{where}: the reward {TABLE} and the trainer {TABLE} need each other; correct one"
    elif game.reward == TABLE and (game.selection or game.removal or game.baseline != "drawn"):
        yield (
            f"{where}: games of {TABLE} have no explicands; leave out selection, removal and "
            "baseline"
        )


def _selection_faults(where: str, game: GameBlock) -> Iterator[str]:
    if not game.selection:
        return
    explicands, baselines = len(game.selection.explicands), len(game.selection.baselines)
    if game.reward == R_SQUARED:
        yield f"{where}: games of {R_SQUARED} have no explicands; leave it out"
    elif explicands != baselines or explicands > game.explicands:
        yield (
            f"{where}: {explicands} explicands and {baselines} baselines; give equally many, at "
            f"most the {game.explicands} explicands of the experiment"
        )


def _removal_faults(where: str, game: GameBlock) -> Iterator[str]:
    if not game.removal:
        return
    if game.reward != "prediction":
        yield f"{where}: a removal takes the reward prediction, not {game.reward}"
    for key, said in (("baseline", game.baseline != "drawn"), ("selection", game.selection)):
        if said:
            yield f"{where}: games of a removal have no baselines; leave out {key}"
    for method in game.truth.methods:
        if method not in OF_ANY_GAME:
            yield (
                f"{where}.truth: {method} knows no removals; take one of {', '.join(OF_ANY_GAME)}"
            )


def _experiment_faults(where: str, experiment: ExperimentBlock, config: Study) -> Iterator[str]:
    name, game = experiment.game, config.game_of(experiment)
    if max(experiment.explicands or 0, experiment.keep or 0) > game.explicands:
        yield f"{where}: explicands exceeds the {game.explicands} of {name}"
    yield from _costly_faults(where, experiment, config)
    for key in experiment.estimators:
        spec, budgets = config.estimators[key], experiment.part(key).budgets
        if not budgets:
            continue
        try:
            estimator = create(spec.estimator, spec.params)
            minimum = least_budget(estimator, game.players, called=key)
        except (ValueError, EstimatorFailure) as error:
            yield f"{where}: {error}"
            continue
        if budgets[-1] < minimum:
            yield (
                f"{where}: the budget {budgets[-1]} is below the minimum of {key}, {minimum} "
                f"evaluations for {game.players} players"
            )
        if spec.tune and game.tuning_explicands == 0:
            yield f"{where}: {key} is tuned, but {name} has no tuning_explicands"
        if spec.tune and experiment.keep:
            yield f"{where}: keep would take {key} before it is tuned; leave out either"


def _costly_faults(where: str, experiment: ExperimentBlock, config: Study) -> Iterator[str]:
    most = config.explicands_of(experiment)
    for key, limits in experiment.costly.items():
        named, least = key in experiment.estimators, experiment.budgets[0]
        if key not in config.estimators:
            known = config.estimators
            yield f"{where}.costly: unknown estimator {key!r}{hint(key, known)}"
        elif named and limits.evaluations is not None and limits.evaluations < least:
            yield (
                f"{where}.costly: {key} gets no budget with {limits.evaluations} evaluations; "
                "raise them, or take it from estimators"
            )
        elif not named and limits.evaluations != 0:
            yield f"{where}.costly: {key} is not under estimators; add it, or say evaluations: 0"
        elif (limits.explicands or 0) > most:
            yield f"{where}.costly: explicands of {key} exceeds the {most} of the experiment"
        elif named and experiment.keep:
            yield f"{where}: keep would take {key} in full; leave out keep or costly"
        elif key == experiment.compared_with:
            yield f"{where}.costly: all others are compared with {key}; it runs in full"


def _path_faults(where: str, path: PathBlock, config: Study) -> Iterator[str]:
    game = config.games[path.game]
    if path.explicands > game.explicands:
        yield f"{where}: explicands exceeds the {game.explicands} of {path.game}"
    if path.samples < path.step:
        yield f"{where}: samples is below step, the first number of samples"
    for key in path.estimators:
        spec = config.estimators[key]
        estimator = create(spec.estimator, spec.params)
        cannot = f"{where}: {key} cannot be run with {path.step} samples"
        yield from made(cannot, with_samples, estimator, path.step, game.players)


def _removal_study_faults(where: str, study: RemovalStudyBlock, config: Study) -> Iterator[str]:
    model = config.models[study.model]
    dataset = config.datasets[model.dataset]
    if not dataset.loader.endswith("-law"):
        yield (
            f"{where}: needs a model of data drawn from a law; the loader of {model.dataset} is "
            f"{dataset.loader}, choose one whose name ends in -law"
        )
        return
    yield from _fewer_faults(where, study)
    _, players = shape_of(dataset)
    if players > MOST_UNDER_LAWS:
        yield (
            f"{where}: the law's own values are enumerated, for {MOST_UNDER_LAWS} features at "
            f"most, not {players}; choose a dataset of fewer"
        )
        return
    spec = config.estimators[study.estimator]
    minimum = create(spec.estimator, spec.params).minimum_budget(players)
    if study.budgets[0] < minimum:
        yield (
            f"{where}: the budget {study.budgets[0]} is below the minimum of "
            f"{study.estimator}, {minimum} evaluations for {players} features"
        )


def _fewer_faults(where: str, study: RemovalStudyBlock) -> Iterator[str]:
    for name, less in study.fewer.items():
        if name not in study.removals:
            close = hint(name, study.removals)
            yield f"{where}.fewer: {name!r} is none of its removals{close}"
        if (less.fits or 0) > study.fits:
            yield f"{where}.fewer: fits of {name} exceeds the {study.fits} of the study"
        if odd := sorted(set(less.rows or ()) - set(study.rows)):
            yield f"{where}.fewer: rows of {name}, {odd}, are none of {study.rows}"
