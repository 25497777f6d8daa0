"""Trees of CatBoost, read from the JSON that it exports; CatBoost itself is needed for objects.

The splits of an oblivious tree are the same at all nodes of a level: the bits of a leaf's place,
the lowest first. Other trees are nested. A feature, in float32, goes right where it is above the
border.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..parameters import listed
from .agreement import column_of
from .base import ModelError
from .binned import Tree, chosen_score, joined
from .float_thresholds import just_above
from .nodes import LEAF, Nodes
from .trees import TreeEnsemble
from .trees_read import ReadTrees, from_parts

BINARY = (
    "the trees of CatBoost are read from its objects and from its JSON, not from its binary file; "
    "load it with CatBoost().load_model, or save it with save_model(path, format='json')"
)
TWO_CLASSES = ("Logloss", "CrossEntropy")
WHAT = "this CatBoost model"


def read_catboost(model: Any, output: int | None = None) -> ReadTrees:
    """The trees of a fitted object, and its own raw output.

    Raises `ModelError` for a model that is not fitted, and as `from_catboost` does.
    """
    if not getattr(model, "is_fitted", lambda: False)():
        kind = type(model).__name__
        raise ModelError(f"{kind} is no fitted model of CatBoost; call fit first")
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model.json"
        model.save_model(str(path), format="json")
        document = json.loads(path.read_text(encoding="utf-8"))

    def raw(rows: Any) -> np.ndarray:
        return model.predict(rows, prediction_type="RawFormulaVal")

    return from_catboost(document, output, raw)


def from_catboost(document: Mapping[str, Any], output: int | None, raw: Any = None) -> ReadTrees:
    """The trees of an output of a model in CatBoost's JSON, on its raw scale.

    ``raw`` gives the model's own outputs. Raises `ModelError` for features that are no numbers.
    """
    features = document["features_info"]["float_features"]
    _refuse_others(document["features_info"])
    scale, biases = document["scale_and_bias"]
    biases = np.ravel(biases)
    outputs = max(1, biases.size)
    two_classes = _loss(document) in TWO_CLASSES
    chosen, sign = chosen_score(WHAT, outputs, two_classes, output)
    if "oblivious_trees" in document:
        parts = [_oblivious(tree, outputs, chosen) for tree in document["oblivious_trees"]]
    else:
        parts = [_nested(tree, chosen) for tree in document["trees"]]
    if not parts:
        raise ModelError(f"{WHAT} has no tree")
    nodes, roots, weight = joined(parts)
    places = np.zeros(1 + max(int(f["feature_index"]) for f in features), dtype=np.int64)
    rightwards = np.zeros(places.size, dtype=bool)
    for feature in features:
        places[feature["feature_index"]] = feature["flat_feature_index"]
        rightwards[feature["feature_index"]] = feature["nan_value_treatment"] == "AsTrue"
    split = nodes.feature != LEAF
    feature = np.where(split, nodes.feature, 0)
    nodes = nodes._replace(
        feature=np.where(split, places[feature], LEAF),
        default_left=~rightwards[feature],
        value=sign * scale * nodes.value,
    )
    base = sign * float(biases[chosen]) if biases.size else 0.0
    ensemble = TreeEnsemble(nodes, roots, base, len(features), weight)
    names = [str(entry.get("feature_id", "")) for entry in sorted(features, key=_flat)]
    made_up = not all(names) or names == [str(j) for j in range(len(names))]
    own = column_of(raw, output, two_classes) if raw else None
    return from_parts(ensemble, () if made_up else names, None, own, WHAT)


def _flat(feature: Mapping[str, Any]) -> int:
    return int(feature["flat_feature_index"])


def _loss(document: Mapping[str, Any]) -> str:
    """Name of the loss; empty where the file does not tell."""
    info = document.get("model_info", {})
    params = info.get("params", {})
    params = json.loads(params) if isinstance(params, str) else params
    return str(params.get("loss_function", {}).get("type", ""))


def _refuse_others(info: Mapping[str, Any]) -> None:
    for kind in ("categorical", "text", "embedding"):
        if others := info.get(f"{kind}_features"):
            names = [
                feature.get("feature_id") or feature["flat_feature_index"] for feature in others
            ]
            raise ModelError(
                f"{WHAT} encodes {kind} features itself, {listed(map(str, names))}, which is not "
                "read; its predictions can be explained as those of any model, by fast-shap or by "
                "an estimator"
            )


def _oblivious(tree: Mapping[str, Any], outputs: int, chosen: int) -> Tree:
    """Nodes by level from the root, those of a level in the order of the bits above them."""
    splits = list(reversed(tree.get("splits") or []))  # the highest bit is split first
    depth = len(splits)
    inner = (1 << depth) - 1
    values = np.asarray(tree["leaf_values"], dtype=np.float64)[chosen::outputs]
    weights = [np.asarray(tree.get("leaf_weights") or np.ones(1 << depth), dtype=np.float64)]
    for _ in splits:
        weights.append(weights[-1].reshape(-1, 2).sum(axis=1))
    levels = np.repeat(np.arange(depth), 1 << np.arange(depth))
    places = np.arange(inner)
    none = np.full(1 << depth, LEAF)
    nodes = Nodes(
        feature=np.concatenate([_features(splits)[levels], none]),
        threshold=np.concatenate([_borders(splits)[levels], np.zeros(1 << depth)]),
        left=np.concatenate([2 * places + 1, none]),
        right=np.concatenate([2 * places + 2, none]),
        default_left=np.ones(inner + (1 << depth), dtype=bool),
        value=np.concatenate([np.zeros(inner), values]),
    )
    return Tree(nodes, np.concatenate(weights[::-1]))


def _features(splits: Sequence[Mapping[str, Any]]) -> np.ndarray:
    return np.array([split["float_feature_index"] for split in splits], dtype=np.int64)


def _borders(splits: Sequence[Mapping[str, Any]]) -> np.ndarray:
    return just_above(np.array([split["border"] for split in splits], dtype=np.float64))


def _nested(root: Mapping[str, Any], chosen: int) -> Tree:
    columns: list[list[Any]] = []
    splits: dict[int, Mapping[str, Any]] = {}
    waiting = [(root, -1, 0)]
    while waiting:
        node, parent, side = waiting.pop()
        place = len(columns)
        if parent >= 0:
            columns[parent][side] = place
        if "value" in node:
            output = float(np.ravel(node["value"])[chosen])
            columns.append([LEAF, LEAF, output, float(node.get("weight", 1.0))])
            continue
        splits[place] = node["split"]
        columns.append([0, 0, 0.0, 0.0])
        waiting += [(node["right"], place, 1), (node["left"], place, 0)]
    left, right, value, weight = (np.array(column) for column in zip(*columns, strict=True))
    for k in reversed(range(len(weight))):  # children come after their parents
        if left[k] != LEAF:
            weight[k] = weight[left[k]] + weight[right[k]]
    feature, threshold = np.full(len(weight), LEAF), np.zeros(len(weight))
    if splits:
        own = list(splits)
        feature[own] = _features(list(splits.values()))
        threshold[own] = _borders(list(splits.values()))
    ones = np.ones(len(weight), dtype=bool)
    return Tree(Nodes(feature, threshold, left, right, ones, value), weight)
