"""Validation of a study's configuration, before any work is done."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path

import yaml

from shapaudit import datasets, models, removals, truth
from shapaudit.estimators import create
from shapaudit.parameters import check_parameters, hint, type_faults

from ..schemas import schema_file
from ..schemas.validation import validator_of
from .consistency import consistency_faults, told
from .explanation_faults import (
    explanation_consistency,
    explanation_parameters,
    explanation_references,
)
from .layout import reference_of
from .overlays import LOADER, ConfigError, chain
from .roles import Roles, role_faults

TEMPLATES = ("__use_yte__", "__definitions__", "__variables__")  # of YTE


def validate(config: dict, roles: Roles) -> None:
    """Check keys, types, references, parameters and budgets; raise `ConfigError` listing faults.

    ``roles`` are those that experiments have for a paper, by the papers' keys.
    """
    faults = (
        _schema_faults(config)
        or [
            *_reference_faults(config),
            *_parameter_faults(config),
            *_label_faults(config),
            *role_faults(config, roles),
        ]
        or [*consistency_faults(config), *explanation_consistency(config)]
    )
    _raise(faults)


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
    errors = validator_of(schema_file("config")).iter_errors(config)
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


def _label_faults(config: dict) -> list[str]:
    return [
        f"{block}.{name}.label: {spec['label']!r} has a line break or another control character; "
        "write it in one line"
        for block in ("games", "estimators", "explainers", "explanation_studies", "removal_studies")
        for name, spec in config.get(block, {}).items()
        if any(unicodedata.category(character) == "Cc" for character in spec["label"])
    ]


def _missing(where: str, name: str, kind: str, known) -> list[str]:
    if name in known:
        return []
    return [f"{where}: {kind} {name!r} is not in the configuration{hint(name, known)}"]


def _reference_faults(config: dict) -> list[str]:
    faults = []
    for name, model in config["models"].items():
        faults += _missing(f"models.{name}", model["dataset"], "dataset", config["datasets"])
    for name, game in config["games"].items():
        faults += _missing(f"games.{name}", game["model"], "model", config["models"])
        if "removal" in game:
            known = config.get("removals", {})
            faults += _missing(f"games.{name}", game["removal"], "removal", known)
    for name, experiment in config["experiments"].items():
        where = f"experiments.{name}"
        faults += _missing(where, experiment["game"], "game", config["games"])
        for estimator in experiment["estimators"]:
            faults += _missing(where, estimator, "estimator", config["estimators"])
        if (reference := reference_of(experiment)) not in experiment["estimators"]:
            close = hint(reference, experiment["estimators"])
            faults.append(f"{where}: reference {reference!r} is none of its estimators{close}")
    for name, path in config.get("paths", {}).items():
        faults += _missing(f"paths.{name}", path["game"], "game", config["games"])
        for estimator in path["estimators"]:
            faults += _missing(f"paths.{name}", estimator, "estimator", config["estimators"])
    for name, study in config.get("removal_studies", {}).items():
        where, known = f"removal_studies.{name}", config.get("removals", {})
        faults += _missing(where, study["model"], "model", config["models"])
        faults += _missing(where, study["estimator"], "estimator", config["estimators"])
        for removal in study["removals"]:
            faults += _missing(where, removal, "removal", known)
    for name, search in config.get("architectures", {}).items():
        faults += _missing(
            f"architectures.{name}", search["dataset"], "dataset", config["datasets"]
        )
    for where, name, kind, known in explanation_references(config):
        faults += _missing(where, name, kind, known)
    repetition = config.get("repetition", {"seeds": [], "estimators": []})
    for estimator in repetition["estimators"]:
        faults += _missing("repetition", estimator, "estimator", config["estimators"])
    if config["seed"] in repetition["seeds"]:
        faults.append(f"repetition.seeds: {config['seed']} is the seed of the study itself")
    return faults


def _registered(where: str, name: str, registry: Mapping, params: dict, kind: str) -> list[str]:
    if name not in registry:
        return [f"{where}: unknown {kind} {name!r}; known: {', '.join(sorted(registry))}"]
    try:
        check_parameters(f"{kind} {name!r}", registry[name], params, ConfigError)
    except ConfigError as error:
        return [f"{where}: {error}"]
    return [f"{where}.params: {fault}" for fault in type_faults(registry[name], params)]


def _parameter_faults(config: dict) -> list[str]:
    faults = []
    for name, spec in config["datasets"].items():
        where, params = f"datasets.{name}", spec.get("params", {})
        faults += _registered(where, spec["loader"], datasets.LOADERS, params, "loader")
    for name, spec in config["models"].items():
        where, params = f"models.{name}", spec.get("params", {})
        faults += _registered(where, spec["trainer"], models.TRAINERS, params, "trainer")
    for name, spec in config.get("removals", {}).items():
        try:
            removals.create(spec["removal"], spec.get("params"))
        except Exception as error:  # a class of one's own, whatever it raises
            faults.append(f"removals.{name}: {told(error)}")
    for name, search in config.get("architectures", {}).items():
        where, params = f"architectures.{name}", search.get("params", {})
        faults += _registered(where, "perceptron", models.TRAINERS, params, "trainer")
    for name, game in config["games"].items():
        spec = game["truth"]
        where, params = f"games.{name}.truth", spec.get("params", {})
        faults += _registered(where, spec["method"], truth.METHODS, params, "method")
        if "check" in spec:
            faults += _registered(where, spec["check"], truth.METHODS, {}, "method")
    for name, spec in config["estimators"].items():
        faults += _estimator_faults(f"estimators.{name}", spec)
    return [*faults, *explanation_parameters(config)]


def _estimator_faults(where: str, spec: dict) -> list[str]:
    name, params, tuned = spec["estimator"], spec.get("params", {}), spec.get("tune")
    try:
        estimator = create(name, params)
    except Exception as error:  # a class of one's own, whatever it raises
        return [f"{where}: {told(error)}"]
    if tuned is None:
        return []
    parameter, known = tuned["parameter"], [field.name for field in fields(estimator)]
    if parameter not in known:
        return [f"{where}.tune: {name} has no parameter {parameter!r}; it has {known}"]
    try:
        for value in tuned["grid"]:
            create(name, {**params, parameter: value})
    except Exception as error:
        return [f"{where}.tune.grid: {value} cannot be taken: {told(error)}"]
    return []
