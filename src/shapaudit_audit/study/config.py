"""Validation of a study's configuration, before any work is done."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import msgspec
import yaml

from shapaudit import datasets, models, removals, truth
from shapaudit.estimators import create
from shapaudit.parameters import check_parameters, hint, type_faults

from ..schemas.validation import StrictValidator
from .blocks.base import Block, record, references
from .blocks.runs import EstimatorBlock
from .blocks.schema import schema
from .blocks.study import Study
from .consistency import consistency_faults, told
from .explanation_faults import (
    explanation_consistency,
    explanation_parameters,
)
from .overlays import LOADER, ConfigError, chain
from .roles import Roles, role_faults

TEMPLATES = ("__use_yte__", "__definitions__", "__variables__")  # of YTE


def validate(config: dict, roles: Roles) -> None:
    """Check keys, types, references, parameters and budgets; raise `ConfigError` listing faults.

    ``roles`` are those that experiments have for a paper, by the papers' keys.
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
    if faults:
        listing = "\n".join(f"  - {fault}" for fault in faults)
        raise ConfigError(f"the configuration of the study has mistakes:\n{listing}")


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


def _label_faults(config: Study) -> list[str]:
    return [
        f"{block}.{name}.label: {spec.label!r} has a line break or another control character; "
        "write it in one line"
        for block in ("games", "estimators", "explainers", "explanation_studies", "removal_studies")
        for name, spec in getattr(config, block).items()
        if any(unicodedata.category(character) == "Cc" for character in spec.label)
    ]


def _reference_faults(study: Study) -> list[str]:
    """Names that are in no block, and references that are none of the estimators."""
    faults = [
        f"{where}: {kind.removesuffix('s')} {name!r} is not in the configuration{hint(name, known)}"
        for where, block in _entries(study)
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


def _entries(study: Study) -> Iterator[tuple[str, Block]]:
    """All blocks of a study by their places."""
    for field in msgspec.structs.fields(study):
        content = getattr(study, field.name)
        if isinstance(content, Block):
            yield field.name, content
        elif isinstance(content, dict):
            yield from ((f"{field.name}.{name}", block) for name, block in content.items())


def _registered(where: str, name: str, registry: Mapping, params: dict, kind: str) -> list[str]:
    if name not in registry:
        return [f"{where}: unknown {kind} {name!r}; known: {', '.join(sorted(registry))}"]
    try:
        check_parameters(f"{kind} {name!r}", registry[name], params, ConfigError)
    except ConfigError as error:
        return [f"{where}: {error}"]
    return [f"{where}.params: {fault}" for fault in type_faults(registry[name], params)]


def _parameter_faults(study: Study) -> list[str]:
    faults = []
    for name, dataset in study.datasets.items():
        where, params = f"datasets.{name}", dataset.params
        faults += _registered(where, dataset.loader, datasets.LOADERS, params, "loader")
    for name, model in study.models.items():
        where, params = f"models.{name}", model.params
        faults += _registered(where, model.trainer, models.TRAINERS, params, "trainer")
    for name, removal in study.removals.items():
        try:
            removals.create(removal.removal, removal.params)
        except Exception as error:  # a class of one's own, whatever it raises
            faults.append(f"removals.{name}: {told(error)}")
    for name, search in study.architectures.items():
        where, params = f"architectures.{name}", search.params
        faults += _registered(where, "perceptron", models.TRAINERS, params, "trainer")
    for name, game in study.games.items():
        where, params = f"games.{name}.truth", game.truth.params
        faults += _registered(where, game.truth.method, truth.METHODS, params, "method")
        if game.truth.check:
            faults += _registered(where, game.truth.check, truth.METHODS, {}, "method")
    for name, spec in study.estimators.items():
        faults += _estimator_faults(f"estimators.{name}", spec)
    return [*faults, *explanation_parameters(study)]


def _estimator_faults(where: str, spec: EstimatorBlock) -> list[str]:
    name, params, tuned = spec.estimator, spec.params, spec.tune
    try:
        estimator = create(name, params)
    except Exception as error:  # a class of one's own, whatever it raises
        return [f"{where}: {told(error)}"]
    if tuned is None:
        return []
    parameter, known = tuned.parameter, [field.name for field in fields(estimator)]
    if parameter not in known:
        return [f"{where}.tune: {name} has no parameter {parameter!r}; it has {known}"]
    try:
        for value in tuned.grid:
            create(name, {**params, parameter: value})
    except Exception as error:
        return [f"{where}.tune.grid: {value} cannot be taken: {told(error)}"]
    return []
