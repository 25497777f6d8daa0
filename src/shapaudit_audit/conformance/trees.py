"""Trees of other packages, written plainly: what a node asks, where it leads, how many rows it saw.

Read from what the packages document: JSON dumps of XGBoost, ``dump_model`` of LightGBM, the arrays
``tree_`` of scikit-learn, the JSON of CatBoost. Tests compare sums of leaves with the models.
"""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Left = Callable[[Any], bool]


class Tree(NamedTuple):
    """A node with what follows it.

    ``column`` is None at a leaf, whose ``value`` counts. ``goes_left`` tells whether an entry goes
    to the left; ``cover`` is the weight of the rows that a node saw in training.
    """

    cover: Fraction
    value: Fraction = Fraction(0)
    column: int | None = None
    goes_left: Any = None  # a `Left`
    left: Any = None  # trees
    right: Any = None


def leaf_value(tree: Tree, row: Sequence[Any]) -> Fraction:
    """Value of the leaf that a row (d,) reaches."""
    while tree.column is not None:
        tree = tree.left if tree.goes_left(row[tree.column]) else tree.right
    return tree.value


def mean_value(tree: Tree, row: Sequence[Any], present: frozenset[int]) -> Fraction:
    """Mean leaf of a row of which some columns are present: the others split by cover."""
    if tree.column is None:
        return tree.value
    if tree.column in present:
        follows = tree.left if tree.goes_left(row[tree.column]) else tree.right
        return mean_value(follows, row, present)
    left, right = (mean_value(part, row, present) for part in (tree.left, tree.right))
    total = tree.left.cover + tree.right.cover
    return (tree.left.cover * left + tree.right.cover * right) / total


def is_missing(entry: Any) -> bool:
    """Whether an entry is NaN or None."""
    return entry is None or entry != entry


def below(threshold: float, default: bool, kind: type = np.float32) -> Left:
    """Whether an entry, as a number of a kind, is less than a threshold."""
    limit = kind(threshold)
    return lambda entry: default if is_missing(entry) else bool(kind(entry) < limit)


def at_most(threshold: float, default: bool, kind: type = np.float64) -> Left:
    """The same where a threshold itself goes to the left; scikit-learn compares with float64."""
    return lambda entry: default if is_missing(entry) else bool(float(kind(entry)) <= threshold)


def one_of(members: Sequence[Any], default: bool, inside: bool = True) -> Left:
    """Whether an entry is one of some, or with ``inside`` False is not."""
    known = set(members)
    return lambda entry: default if is_missing(entry) else (entry in known) == inside


def of_xgboost(
    model: Any, trees: Callable[[int], bool] = lambda k: True, names: Sequence[str] | None = None
) -> list[Tree]:
    """Trees of a booster that are chosen by number, by default all; DART's have their weights."""
    booster = model.get_booster() if hasattr(model, "get_booster") else model
    dump = booster.get_dump(with_stats=True, dump_format="json")
    names = names or booster.feature_names or [f"f{j}" for j in range(booster.num_features())]
    document = json.loads(bytes(booster.save_raw("json")))["learner"]["gradient_booster"]
    dropped = document.get("weight_drop") or document["model"].get("weight_drop")  # by version
    dropped = dropped or [1.0] * len(dump)

    def node(part: Mapping[str, Any], weight: float) -> Tree:
        cover = Fraction(part["cover"])
        if "leaf" in part:
            return Tree(cover, Fraction(part["leaf"]) * Fraction(weight))
        children = {child["nodeid"]: child for child in part["children"]}
        yes, no = part["yes"], part["no"]
        default = part["missing"] == yes
        if isinstance(part["split_condition"], list):  # categories that take the branch "yes"
            goes = one_of(part["split_condition"], default)
        else:
            goes = below(part["split_condition"], default)
        left, right = (node(children[key], weight) for key in (yes, no))
        return Tree(cover, Fraction(0), names.index(part["split"]), goes, left, right)

    return [
        node(json.loads(text), weight)
        for k, (text, weight) in enumerate(zip(dump, dropped, strict=True))
        if trees(k)
    ]


def of_lightgbm(model: Any, trees: Callable[[int], bool] = lambda k: True) -> list[Tree]:
    """Trees of LightGBM that are chosen by number; covers are counts of rows."""
    booster = getattr(model, "booster_", model)

    def goes(part: Mapping[str, Any]) -> Left:
        default, kind = part["default_left"], part["missing_type"]
        if part["decision_type"] == "==":
            return one_of([int(code) for code in part["threshold"].split("||")], False)
        limit = part["threshold"]

        def left(entry: Any) -> bool:
            missing = is_missing(entry)
            if missing and kind != "NaN":
                entry, missing = 0.0, False
            if missing or (kind == "Zero" and abs(entry) <= 1e-35):
                return default
            return float(entry) <= limit

        return left

    def node(part: Mapping[str, Any]) -> Tree:
        if "leaf_value" in part:
            return Tree(Fraction(part.get("leaf_count", 1)), Fraction(part["leaf_value"]))
        left, right = node(part["left_child"]), node(part["right_child"])
        cover = Fraction(part["internal_count"])
        return Tree(cover, Fraction(0), part["split_feature"], goes(part), left, right)

    parts = booster.dump_model()["tree_info"]
    return [node(part["tree_structure"]) for part in parts if trees(part["tree_index"])]


def of_scikit_tree(
    tree: Any, value: Callable[[np.ndarray], float], share: Fraction = Fraction(1)
) -> Tree:
    """A tree of scikit-learn: a leaf is worth a function of its array of values, times a share."""
    arrays = tree.tree_

    def node(k: int) -> Tree:
        cover = Fraction(float(arrays.weighted_n_node_samples[k]))
        if arrays.children_left[k] < 0:
            return Tree(cover, Fraction(float(value(arrays.value[k]))) * share)
        left, right = node(arrays.children_left[k]), node(arrays.children_right[k])
        default = bool(arrays.missing_go_to_left[k])
        goes = at_most(float(arrays.threshold[k]), default, np.float32)
        return Tree(cover, Fraction(0), int(arrays.feature[k]), goes, left, right)

    return node(0)


def of_catboost(model: Any, output: int = 0, from_first: bool = False) -> list[Tree]:
    """Symmetric trees of CatBoost for numbers; empty leaves have the cover 0.

    All nodes of a level share a split, so that any of them may be the root: the last one, as in
    CatBoost's own values, or the first one.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(str(path), format="json")
        document = json.loads(path.read_text(encoding="utf-8"))
    columns = [
        feature["flat_feature_index"] for feature in document["features_info"]["float_features"]
    ]
    treatment = [
        feature["nan_value_treatment"] for feature in document["features_info"]["float_features"]
    ]

    def node(part: Mapping[str, Any], left_out: int, first: int) -> Tree:
        if left_out == 0:
            values, weights = part["leaf_values"], part["leaf_weights"]
            outputs = len(values) // len(weights)
            return Tree(Fraction(weights[first]), Fraction(values[first * outputs + output]))
        level = len(part["splits"]) - left_out if from_first else left_out - 1
        split = part["splits"][level]
        j = split["float_feature_index"]
        left, right = (node(part, left_out - 1, first + (side << level)) for side in (0, 1))
        goes = at_most(float(np.float32(split["border"])), treatment[j] != "AsTrue", np.float32)
        return Tree(left.cover + right.cover, Fraction(0), columns[j], goes, left, right)

    return [node(tree, len(tree["splits"]), 0) for tree in document["oblivious_trees"]]
