"""Validation of a study's configuration, before any work is done."""

from dataclasses import fields
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path

from .. import datasets, models, truth
from ..datasets.parameters import check_parameters
from ..estimators import create
from ..schemas import validator_of

SCHEMA = Path(__file__).parents[3] / "workflow" / "schemas" / "config.schema.yaml"


class ConfigError(ValueError):
    """One or more mistakes in a configuration; the message lists them all."""


def validate(config: dict) -> None:
    """Check keys, types, references, parameters and budgets; raise `ConfigError` listing faults."""
    faults = (
        _schema_faults(config)
        or [
            *_reference_faults(config),
            *_parameter_faults(config),
        ]
        or _experiment_faults(config)
    )
    if faults:
        listing = "\n".join(f"  - {fault}" for fault in faults)
        raise ConfigError(f"the configuration of the study has mistakes:\n{listing}")


def _schema_faults(config: dict) -> list[str]:
    return [_explain(error) for error in sorted(validator_of(SCHEMA).iter_errors(config), key=str)]


def _explain(error) -> str:
    where = ".".join(map(str, error.absolute_path)) or "top level"
    if error.validator != "additionalProperties":
        return f"{where}: {error.message}"
    known = error.schema.get("properties", {})
    hints = []
    for key in sorted(set(error.instance) - set(known)):
        close = get_close_matches(key, known, n=1)
        hints.append(f"{key!r}" + (f" (did you mean {close[0]!r}?)" if close else ""))
    return f"{where}: unknown key {', '.join(hints)}; known: {', '.join(known)}"


def _missing(where: str, name: str, kind: str, known) -> list[str]:
    if name in known:
        return []
    close = get_close_matches(name, known, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return [f"{where}: {kind} {name!r} is not in the configuration{hint}"]


def _reference_faults(config: dict) -> list[str]:
    faults = []
    for name, model in config["models"].items():
        faults += _missing(f"models.{name}", model["dataset"], "dataset", config["datasets"])
    for name, game in config["games"].items():
        faults += _missing(f"games.{name}", game["model"], "model", config["models"])
    for name, experiment in config["experiments"].items():
        where = f"experiments.{name}"
        faults += _missing(where, experiment["game"], "game", config["games"])
        for estimator in experiment["estimators"]:
            faults += _missing(where, estimator, "estimator", config["estimators"])
    for name, path in config.get("paths", {}).items():
        faults += _missing(f"paths.{name}", path["game"], "game", config["games"])
        for estimator in path["estimators"]:
            faults += _missing(f"paths.{name}", estimator, "estimator", config["estimators"])
    for name, search in config.get("architectures", {}).items():
        faults += _missing(
            f"architectures.{name}", search["dataset"], "dataset", config["datasets"]
        )
    repetition = config.get("repetition", {"seeds": [], "estimators": []})
    for estimator in repetition["estimators"]:
        faults += _missing("repetition", estimator, "estimator", config["estimators"])
    if config["seed"] in repetition["seeds"]:
        faults.append(f"repetition.seeds: {config['seed']} is the seed of the study itself")
    return faults


def _registered(where: str, name: str, registry: dict, params: dict, kind: str) -> list[str]:
    if name not in registry:
        return [f"{where}: unknown {kind} {name!r}; known: {', '.join(sorted(registry))}"]
    try:
        check_parameters(f"{kind} {name!r}", registry[name], params, ConfigError)
    except ConfigError as error:
        return [f"{where}: {error}"]
    return []


def _parameter_faults(config: dict) -> list[str]:
    faults = []
    for name, spec in config["datasets"].items():
        where, params = f"datasets.{name}", spec.get("params", {})
        faults += _registered(where, spec["loader"], datasets.LOADERS, params, "loader")
    for name, spec in config["models"].items():
        where, params = f"models.{name}", spec.get("params", {})
        faults += _registered(where, spec["trainer"], models.TRAINERS, params, "trainer")
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
    return faults


def _estimator_faults(where: str, spec: dict) -> list[str]:
    try:
        estimator = create(spec["estimator"], spec.get("params"))
    except (ValueError, TypeError) as error:
        return [f"{where}: {error}"]
    tuned = spec.get("tune", {}).get("parameter")
    known = [field.name for field in fields(estimator)]
    if tuned is not None and tuned not in known:
        return [f"{where}.tune: {spec['estimator']} has no parameter {tuned!r}; it has {known}"]
    return []


def _experiment_faults(config: dict) -> list[str]:
    faults = []
    for name, experiment in config["experiments"].items():
        where, budgets = f"experiments.{name}", experiment["budgets"]
        game = config["games"][experiment["game"]]
        if max(experiment.get("pairs", 0), experiment.get("keep", 0)) > game["pairs"]:
            faults.append(f"{where}: pairs exceeds the {game['pairs']} of {experiment['game']}")
        if any(b <= a for a, b in pairwise(budgets)):
            faults.append(f"{where}: budgets must increase")
        for key in experiment["estimators"]:
            spec = config["estimators"][key]
            minimum = create(spec["estimator"], spec.get("params")).minimum_budget(game["players"])
            if budgets[-1] < minimum:
                faults.append(
                    f"{where}: the budget {budgets[-1]} is below the minimum of {key}, "
                    f"{minimum} evaluations for {game['players']} players"
                )
            if "tune" in spec and game.get("tuning_pairs", 0) == 0:
                faults.append(
                    f"{where}: {key} is tuned, but {experiment['game']} has no tuning_pairs"
                )
    return faults
