"""Estimated cost of the studies of explainers and of removals before they start.

Epochs count as if training never stopped early. Seconds are of one core, fitted to the studies of
the full configuration.
"""

from collections.abc import Mapping
from itertools import pairwise
from math import ceil
from typing import Any

from shapaudit import explainers, models, removals
from shapaudit.truth.law import MOST_PLAYERS

from .data_shapes import settings_of, shape_of
from .explained_models import KINDS, OTHERS, explainer_fits
from .layout import explanation_batches
from .rates import BOOSTED, PER_PLAYER, ROWS, Cost, rows_per_value

STEP, STEP_CELL = 1e-4, 3e-10  # of a network: a step, and more per row of its batch and weight
MODULE_STEP, MODULE_ROW = 2e-4, 3e-6  # of a ShapNet, per feature
TREE_CELL = 1e-7  # per row and feature, and as much as a thousand rows for each tree
ROW, ROW_WEIGHT = 1e-6, 1.7e-10  # of a network, and more per weight
LAW = 1e-5  # the law's own value of a coalition
ESTIMATE, SLOW = 2e-3, {"auto": 0.05}  # an explanation beside its rows, by some estimators
RUN = 3e-4  # an estimate from a table
FIT = 0.02  # of a removal that trains nothing
MATCHED = 2e-7  # a coalition and row that a removal compares
COMPARING = ("kernel", "cohort", "exact-match", "combined")
CLASSES = 10
EXPONENT = 60  # 2^d is not counted further


def explanation_cost(config: Mapping, name: str, first: str) -> Cost:
    """Cost of the job of an explanation study whose first model is this one."""
    study = config["explanation_studies"][name]
    rows, d = shape_of(config["datasets"][study["dataset"]])
    total = Cost()
    for spec in explanation_batches(study)[first].values():
        cost = _training(spec, rows, d)
        explicands = study.get("explicands", 1)
        cost += _truth(study, spec, d) * explicands
        cost += _explanations(config, study, spec, d) * explicands
        total += cost * study["units"]
    return total


def _trainer_settings(spec: Mapping) -> dict[str, Any]:
    function = OTHERS.get(spec["trainer"]) or models.TRAINERS[spec["trainer"]]
    return settings_of(function, spec.get("params"))


def _weights(spec: Mapping, d: int) -> int:
    """Weights of a network."""
    outputs = CLASSES if spec["trainer"] == "perceptron" else 1
    return _dense([d, *_trainer_settings(spec)["hidden"], outputs])


def _dense(sizes: list[int]) -> int:
    return sum(a * b for a, b in pairwise(sizes))


def _training(spec: Mapping, rows: int, d: int) -> Cost:
    settings, kind = _trainer_settings(spec), KINDS[spec["trainer"]]
    if kind == "linear":
        steps, each = 1, 1e-8 * rows * d
    elif kind == "trees":
        steps = settings["n_estimators" if "n_estimators" in settings else "trees"]
        each = TREE_CELL * d * (ROWS + rows)
    else:
        steps = settings["epochs"] * ceil(rows / settings["batch"])
        if kind == "network":
            each = STEP + STEP_CELL * settings["batch"] * _weights(spec, d)
        else:
            each = MODULE_STEP * d
    told = "units, or epochs or trees under params of its models"
    return Cost(seconds=steps * each, steps=steps, settings=told)


def _row(spec: Mapping, d: int) -> float:
    """Seconds of a row of a model."""
    kind = KINDS[spec["trainer"]]
    if kind == "network":
        return ROW + ROW_WEIGHT * _weights(spec, d)
    return MODULE_ROW * d if kind.endswith("shapnet") else 3 * BOOSTED + d * PER_PLAYER


def _baselines(study: Mapping) -> int:
    return 1 if study["background"] in ("mean", "zero") else study["background"]


def _truth(study: Mapping, spec: Mapping, d: int) -> Cost:
    """Cost of the true values of one explicand."""
    method, params = study["truth"]["method"], study["truth"].get("params") or {}
    told = "units or explicands, or choose another method of truth"
    if method == "explainer":
        return Cost(seconds=ESTIMATE, settings=told)
    if method == "law":
        values = 2**d if d <= MOST_PLAYERS else params.get("draws", 1000) * d
        return Cost(seconds=LAW * values, settings=told)
    if method == "permutations":
        values = params.get("shuffles", 4096) * (d + 1)
        told = "units, explicands, or shuffles under params of truth"
    else:
        values = 2 ** min(d, EXPONENT)
    rows = values * _baselines(study)
    # Walks through a network add one feature at a time to what enters its first layer.
    own = 0 if KINDS[spec["trainer"]] == "network" and rows == values else d
    return Cost(seconds=rows * _row(spec, own), rows=rows, settings=told)


def _explanations(config: Mapping, study: Mapping, spec: Mapping, d: int) -> Cost:
    """Cost of explaining one explicand by all methods, at all budgets."""
    multiples, seconds, rows = study.get("rows", ()), 0.0, 0
    for key in study.get("estimators", ()):
        rows += sum(multiples) * d
        seconds += len(multiples) * SLOW.get(config["estimators"][key]["estimator"], ESTIMATE)
    for key in study["explainers"]:
        block = config["explainers"][key]
        if explainer_fits(block, KINDS[spec["trainer"]]):
            made = explainers.create(block["explainer"], block.get("params"))
            rows += 2 * d * (made.sizes or d) if hasattr(made, "sizes") else 3
            seconds += ESTIMATE
    seconds += rows * _row(spec, d)
    return Cost(seconds=seconds, rows=rows, settings="units, explicands or rows")


def removal_cost(config: Mapping, name: str, batch: list[str]) -> Cost:
    """Cost of the job of a removal study that has these removals."""
    study = config["removal_studies"][name]
    model = config["models"][study["model"]]
    _, d = shape_of(config["datasets"][model["dataset"]])
    coalitions = 2 ** min(d, EXPONENT)
    world = study["explicands"] * coalitions
    total = Cost(seconds=LAW * world, settings="explicands")
    # At budgets, and at limits of rows by both ways of counting them.
    cells = len(study["budgets"]) + 2 * len(study["row_limits"])
    estimates = study["explicands"] * study["runs"] * cells
    for key in batch:
        own = study | study.get("fewer", {}).get(key, {})
        spec = config["removals"][key]
        removal = removals.create(spec["removal"], spec.get("params"))
        for count in own["rows"]:
            rows = world * rows_per_value(spec, count)
            seconds = rows * (3 * BOOSTED + d * PER_PLAYER) + estimates * RUN
            if removal.id in COMPARING:
                seconds += world * count * MATCHED
            games = Cost(seconds=seconds, rows=rows, settings="explicands, fits or rows")
            total += (_fitting(removal, count, d) + games) * own["fits"]
    return total


def _fitting(removal: Any, count: int, d: int) -> Cost:
    """Cost of a fit of a removal, whose class has parameters of its own, to so many rows."""
    told = "fits, rows, or epochs under params of its removals"
    boosted = getattr(removal, "trainer", "") == "xgboost"
    models_of = 2 ** min(d, EXPONENT) if removal.id == "separate" else 1
    if hasattr(removal, "epochs") and not boosted:
        steps = removal.epochs * ceil(count * removal.masks / removal.batch)
        weights = _dense([2 * d, *removal.hidden, 1])
        seconds = steps * (STEP + STEP_CELL * removal.batch * weights)
    elif boosted:
        steps = models_of * removal.n_estimators
        seconds = steps * TREE_CELL * d * (ROWS + count * getattr(removal, "masks", 1))
    else:
        steps = models_of if models_of > 1 else 0
        seconds = FIT + steps * 1e-5
    return Cost(seconds=seconds, rows=count, steps=steps, settings=told)
