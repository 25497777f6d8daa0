"""Trees of CatBoost, read from the JSON that it exports; CatBoost itself is needed for objects.

The splits of an oblivious tree are the same at all nodes of a level: the bits of a leaf's place,
the lowest first. Other trees are nested. A feature, in float32, goes right where it is above the
border; `catboost_splits` has the splits by category.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..parameters import listed
from .agreement import column_of
from .base import ModelError
from .binned import Tree, chosen_score, joined
from .catboost_hashes import HashedCategories
from .catboost_splits import WHAT, Splits, flat
from .catboost_unfolding import Unfolding
from .category_sets import HASHED
from .nodes import LEAF, Nodes
from .trees import TreeEnsemble
from .trees_read import ReadTrees, from_parts

BINARY = (
    "the trees of CatBoost are read from its objects and from its JSON, not from its binary file; "
    "load it with CatBoost().load_model, or save it with save_model(path, format='json')"
)
TWO_CLASSES = ("Logloss", "CrossEntropy")


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

    ``raw`` gives the model's own outputs. Raises `ModelError` for texts and embeddings, and for
    combinations of categories that are too many, or not all known from the file.
    """
    _refuse_others(document["features_info"])
    scale, biases = document["scale_and_bias"]
    biases = np.ravel(biases)
    outputs = max(1, biases.size)
    two_classes = _loss(document) in TWO_CLASSES
    chosen, sign = chosen_score(WHAT, outputs, two_classes, output)
    splits = Splits(document)
    if "oblivious_trees" in document:
        reader = _Oblivious(splits, outputs, chosen)
        parts = [reader.tree(tree) for tree in document["oblivious_trees"]]
    else:
        parts = [_nested(splits, tree, chosen) for tree in document["trees"]]
    if not parts:
        raise ModelError(f"{WHAT} has no tree")
    nodes, roots, weight = joined(parts)
    nodes = splits.applied(nodes)
    nodes = nodes._replace(value=sign * scale * nodes.value)
    base = sign * float(biases[chosen]) if biases.size else 0.0
    known = None if np.isnan(weight).any() else weight
    ensemble = TreeEnsemble(nodes, roots, base, splits.n_features, known)
    own = column_of(raw, output, two_classes) if raw else None
    names = _names(document["features_info"])
    if not splits.hashes:
        return from_parts(ensemble, names, None, own, WHAT)
    hashes = tuple(splits.hashes.get(j) for j in range(splits.n_features))
    categories = dict.fromkeys(splits.hashes, HASHED)
    return from_parts(HashedCategories(ensemble, hashes), names, categories, own, WHAT)


def _names(info: Mapping[str, Any]) -> list[str]:
    """Names of the features; none where CatBoost has made them up."""
    features = [*info.get("float_features", []), *info.get("categorical_features", [])]
    names = [str(entry.get("feature_id", "")) for entry in sorted(features, key=flat)]
    made_up = not all(names) or names == [str(j) for j in range(len(names))]
    return [] if made_up else names


def _loss(document: Mapping[str, Any]) -> str:
    """Name of the loss; empty where the file does not tell."""
    info = document.get("model_info", {})
    params = info.get("params", {})
    params = json.loads(params) if isinstance(params, str) else params
    return str(params.get("loss_function", {}).get("type", ""))


def _refuse_others(info: Mapping[str, Any]) -> None:
    for kind in ("text", "embedding"):
        if others := info.get(f"{kind}_features"):
            names = [
                feature.get("feature_id") or feature["flat_feature_index"] for feature in others
            ]
            raise ModelError(
                f"{WHAT} encodes {kind} features itself, {listed(map(str, names))}, which is not "
                "read; its predictions can be explained as those of any model, by fast-shap or by "
                "an estimator"
            )


class _Oblivious:
    """Reads trees of the kind, whose features become numbers of tests."""

    def __init__(self, splits: Splits, outputs: int, chosen: int):
        self._splits, self._unfolding = splits, Unfolding(splits)
        self._outputs, self._chosen = outputs, chosen

    def tree(self, tree: Mapping[str, Any]) -> Tree:
        """Nodes by level from the root, those of a level in the order of the bits above them."""
        # The highest bit is split first.
        numbers = [self._splits.number(split) for split in reversed(tree.get("splits") or [])]
        depth = len(numbers)
        inner = (1 << depth) - 1
        values = np.asarray(tree["leaf_values"], dtype=np.float64)[self._chosen :: self._outputs]
        if not all(self._splits.is_of_one_axis(number) for number in numbers):
            return self._unfolding.tree((0, 0), partial(_of_level, numbers, values))
        weights = [np.asarray(tree.get("leaf_weights") or np.ones(1 << depth), dtype=np.float64)]
        for _ in numbers:
            weights.append(weights[-1].reshape(-1, 2).sum(axis=1))
        levels = np.repeat(np.arange(depth), 1 << np.arange(depth))
        places = np.arange(inner)
        none = np.full(1 << depth, LEAF)
        nodes = Nodes(
            feature=np.concatenate([np.array(numbers, dtype=np.int64)[levels], none]),
            threshold=np.zeros(inner + (1 << depth)),
            left=np.concatenate([2 * places + 1, none]),
            right=np.concatenate([2 * places + 2, none]),
            default_left=np.ones(inner + (1 << depth), dtype=bool),
            value=np.concatenate([np.zeros(inner), values]),
        )
        return Tree(nodes, np.concatenate(weights[::-1]))


def _of_level(
    numbers: Sequence[int], values: np.ndarray, node: tuple[int, int]
) -> tuple[int, Any, Any] | float:
    """The split of a node, given by its level and the bits above it, or the output of a leaf."""
    level, bits = node
    if level == len(numbers):
        return float(values[bits])
    return numbers[level], (level + 1, 2 * bits), (level + 1, 2 * bits + 1)


def _nested(splits: Splits, root: Mapping[str, Any], chosen: int) -> Tree:
    columns: list[list[Any]] = []
    waiting = [(root, -1, 0)]
    one_axis = True
    while waiting:
        node, parent, side = waiting.pop()
        place = len(columns)
        if parent >= 0:
            columns[parent][side] = place
        if "value" in node:
            columns.append([LEAF, LEAF, LEAF, _value(node, chosen), float(node.get("weight", 1.0))])
            continue
        number = splits.number(node["split"])
        one_axis &= splits.is_of_one_axis(number)
        columns.append([0, 0, number, 0.0, 0.0])
        waiting += [(node["right"], place, 1), (node["left"], place, 0)]
    if not one_axis:
        return Unfolding(splits).tree(root, partial(_of_node, splits, chosen))
    left, right, feature, value, weight = (
        np.array(column) for column in zip(*columns, strict=True)
    )
    for k in reversed(range(len(weight))):  # children come after their parents
        if left[k] != LEAF:
            weight[k] = weight[left[k]] + weight[right[k]]
    none, ones = np.zeros(len(weight)), np.ones(len(weight), dtype=bool)
    return Tree(Nodes(feature, none, left, right, ones, value), weight)


def _of_node(splits: Splits, chosen: int, node: Mapping[str, Any]) -> tuple[int, Any, Any] | float:
    """The split of a node, or the output of a leaf."""
    if "value" in node:
        return _value(node, chosen)
    return splits.number(node["split"]), node["left"], node["right"]


def _value(leaf: Mapping[str, Any], chosen: int) -> float:
    return float(np.ravel(leaf["value"])[chosen])
