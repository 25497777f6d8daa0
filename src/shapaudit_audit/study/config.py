"""Validation of a study's configuration, before any work is done."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

import yaml

from shapaudit import datasets, models, removals, truth
from shapaudit.estimators import create
from shapaudit.parameters import hint

from ..schemas.validation import StrictValidator
from .blocks.base import label_of, record, references
from .blocks.runs import EstimatorBlock
from .blocks.schema import schema
from .blocks.study import Study
from .consistency import consistency_faults
from .explanation_faults import explanation_consistency, explanation_parameters
from .faults import called, made, refuse, registered
from .overlays import LOADER, chain
from .roles import Roles, role_faults

TEMPLATES = ("__use_yte__", "__definitions__", "__variables__")  # of YTE


def validate(config: dict, roles: Roles) -> Study:
    """The record of a configuration, whose keys, types, names, parameters and budgets are checked.

    ``roles`` are those that experiments have for a paper, by the papers' keys. Raises `ConfigError`
    listing faults.
    """
    _raise(_schema_faults(config))
    study = record(Study, config)
    faults = [
        *_reference_faults(study),
        *_parameter_faults(study),
        *_label_faults(study),
        *role_faults(study, roles),
    ]
    _raise(faults or [*consistency_faults(study), *explanation_consistency(study)])
    return study


def check_keys(files: Iterable[str | Path]) -> None:
    """Raise `ConfigError` for keys that a validated configuration does not show any more.

    Those are a key twice in the same block of a YAML file, which keeps the last, and those by which
    Snakemake takes a file for a template with Python code. Also in the files that these extend.
    """
    every = {path: content for file in files for path, content in chain(file).items()}
    faults = [f"{file}, {fault}" for file in every for fault in _repeated_keys(file)]
    faults += [
        f"{file}: {key} would make the configuration a program; remove it and write out the study"
        for file, content in every.items()
        for key in TEMPLATES
        if key in content
    ]
    _raise(faults)


def _raise(faults: list[str]) -> None:
    refuse(faults, "the configuration of the study has mistakes")


def _repeated_keys(file: Path) -> list[str]:
    try:
        waiting = [yaml.compose(file.read_text(encoding="utf-8"), Loader=LOADER)]
    except yaml.YAMLError:
        return []  # JSON, which may have tabs
    repeated, seen = [], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:  # an alias
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            waiting += [value for _, value in node.value]
            keys = [key for key, _ in node.value if key.value != "<<"]
            names = [key.value for key in keys]
            repeated += [key for k, key in enumerate(keys) if key.value in names[:k]]
    places = sorted((key.start_mark.line + 1, key.value) for key in repeated)
    return [f"line {line}: the block has {key!r} already; rename one" for line, key in places]


def _schema_faults(config: dict) -> list[str]:
    errors = StrictValidator(schema()).iter_errors(config)
    return [_explain(error) for error in sorted(errors, key=str)]


def _explain(error) -> str:
    where = ".".join(map(str, error.absolute_path)) or "top level"
    if error.validator != "additionalProperties":
        return f"{where}: {error.message}"
    known = error.schema.get("properties", {})
    unknown = sorted(map(str, set(error.instance) - set(known)))
    # Pairs of explicand and baseline are counted by their explicands.
    meant = [key.replace("pairs", "explicands") for key in unknown]
    named = ", ".join(
        f"{key!r}{hint(word, known)}" for key, word in zip(unknown, meant, strict=True)
    )
    return f"{where}: unknown key {named}; known: {', '.join(known)}"


def _label_faults(study: Study) -> list[str]:
    return [
        f"{where}.label: {label_of(block)!r} has a line break or another control character; "
        "write it in one line"
        for where, block in study.entries()
        if "Cc" in map(unicodedata.category, label_of(block))
    ]


def _reference_faults(study: Study) -> list[str]:
    """Names that are in no block, and references that are none of the estimators."""
    faults = [
        f"{where}: {kind.removesuffix('s')} {name!r} is not in the configuration{hint(name, known)}"
        for where, block in study.entries()
        for kind, name in references(block)
        if name not in (known := getattr(study, kind))
    ]
    for name, experiment in study.experiments.items():
        if (reference := experiment.compared_with) not in experiment.estimators:
            close = hint(reference, experiment.estimators)
            faults.append(
                f"experiments.{name}: reference {reference!r} is none of its estimators{close}"
            )
    if study.repetition and study.seed in study.repetition.seeds:
        faults.append(f"repetition.seeds: {study.seed} is the seed of the study itself")
    return faults


def _parameter_faults(study: Study) -> Iterator[str]:
    loaders, trainers, methods = datasets.LOADERS, models.TRAINERS, truth.METHODS
    for name, dataset in study.datasets.items():
        where = f"datasets.{name}"
        yield from registered(where, "loader", dataset.loader, loaders, dataset.params)
    for name, model in study.models.items():
        yield from registered(f"models.{name}", "trainer", model.trainer, trainers, model.params)
    for name, removal in study.removals.items():
        yield from made(f"removals.{name}", removals.create, removal.removal, removal.params)
    for name, search in study.architectures.items():
        where = f"architectures.{name}"
        yield from called(where, "trainer 'perceptron'", trainers["perceptron"], search.params)
    for name, game in study.games.items():
        where, known = f"games.{name}.truth", game.truth
        yield from registered(where, "method", known.method, methods, known.params)
        if known.check:
            yield from registered(where, "method", known.check, methods, {})
    for name, spec in study.estimators.items():
        yield from _estimator_faults(f"estimators.{name}", spec)
    yield from explanation_parameters(study)


def _estimator_faults(where: str, spec: EstimatorBlock) -> list[str]:
    name, params, tuned = spec.estimator, spec.params, spec.tune
    if (faults := [*made(where, create, name, params)]) or tuned is None:
        return faults
    parameter, known = tuned.parameter, [field.name for field in fields(create(name, params))]
    if parameter not in known:
        return [f"{where}.tune: {name} has no parameter {parameter!r}; it has {known}"]
    for value in tuned.grid:
        cannot = f"{where}.tune.grid: {value} cannot be taken"
        if faults := [*made(cannot, create, name, params | {parameter: value})]:
            return faults
    return []
