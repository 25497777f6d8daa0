"""Faults in the studies of removals of a configuration."""

from collections.abc import Iterator

from shapaudit.estimators import create
from shapaudit.parameters import hint
from shapaudit.truth.law import MOST_PLAYERS

from .blocks.studies import RemovalStudyBlock
from .blocks.study import Study
from .data_shapes import shape_of


def removal_study_faults(where: str, study: RemovalStudyBlock, config: Study) -> Iterator[str]:
    """Faults of a block whose keys and references are valid."""
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
    if players > MOST_PLAYERS:
        yield (
            f"{where}: the law's own values are enumerated, for {MOST_PLAYERS} features at most, "
            f"not {players}; choose a dataset of fewer"
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
