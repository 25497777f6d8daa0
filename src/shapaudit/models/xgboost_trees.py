"""Boosters in XGBoost's JSON schema: trees, DART and linear ones; XGBoost itself is not needed.

The output is the untransformed margin, a sum of leaves whatever the objective is. Up to XGBoost 3.3
DART is a kind of booster of its own, from 3.4 on trees with a weight each (``weight_drop``). A tree
belongs to one output (``tree_info``), or its leaves hold a number for each output. A split by
category sends those of its set to the right, and numbers the categories as in training.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..parameters import listed
from .base import ModelError
from .binned import chosen_score
from .category_sets import split_by_sets, swapped
from .nodes import LEAF, Nodes
from .trees import TreeEnsemble

MARGIN_IS_PREDICTION = (
    "reg:squarederror", "reg:linear", "reg:squaredlogerror", "reg:absoluteerror",
    "reg:quantileerror", "reg:pseudohubererror", "reg:expectileerror", "binary:hinge",
    "binary:logitraw",
    "multi:softmax", "multi:softprob", "rank:pairwise", "rank:ndcg", "rank:map",
)  # fmt: skip
LOG_ODDS = ("binary:logistic", "reg:logistic")
LOGARITHM = ("count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft")


def from_xgboost(
    document: Mapping[str, Any], output: int | None = None, *, all_rounds: bool = False
) -> TreeEnsemble:
    """The trees of one output of a model in XGBoost's schema.

    Of a model that was stopped early, those up to its best iteration, unless ``all_rounds``.
    ``output``: its number where there are several; a class, by default the second of two.
    Raises `ModelError` for linear boosters, and for objectives whose base score has an unknown
    scale.
    """
    learner = document["learner"]
    objective = learner["objective"]["name"]
    two_classes = objective.startswith("binary:")
    chosen, sign = chosen_score("this XGBoost model", outputs_of(document), two_classes, output)
    trees, weights = _trees_of(document, chosen, all_rounds)
    sizes = [len(tree["left_children"]) for tree in trees]
    roots = np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)]
    nodes = _nodes(trees, chosen, np.repeat(roots, sizes), np.repeat(weights, sizes))
    shape = learner["learner_model_param"]
    base = margin_of(shape["base_score"], objective, chosen)
    told = all("sum_hessian" in tree for tree in trees)
    weight = np.concatenate([tree["sum_hessian"] for tree in trees]) if told else None
    nodes = _with_sets(nodes, trees, roots)
    ensemble = TreeEnsemble(nodes, roots, base, int(shape["num_feature"]), weight)
    return ensemble if sign > 0 else ensemble.negated()


def single_output(document: Mapping[str, Any]) -> TreeEnsemble:
    """The trees of a model with one output and splits by numbers; `ModelError` for others."""
    if outputs_of(document) > 1:
        raise ModelError("an XGBoost model with several outputs is not read, only with one")
    ensemble = from_xgboost(document)
    if ensemble.categorical:
        by_set = np.isnan(ensemble.nodes.threshold) & (ensemble.nodes.feature != LEAF)
        names = document["learner"].get("feature_names") or ()
        places = np.unique(ensemble.nodes.feature[by_set])
        told = listed(names[k] if names else f"f{k}" for k in places)
        raise ModelError(
            "an XGBoost model with categorical splits is not read, only with numerical ones; it "
            f"splits by category on {told}: encode these as numbers and train it again"
        )
    return ensemble


def outputs_of(document: Mapping[str, Any]) -> int:
    """Number of outputs: classes, targets or quantiles."""
    shape = document["learner"]["learner_model_param"]
    return max(int(shape["num_class"]), int(shape.get("num_target", 1)), 1)


def names_of(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the features; none where it was trained on an array."""
    return tuple(document["learner"].get("feature_names") or ())


def categories_of(document: Mapping[str, Any]) -> dict[int, Sequence[Any] | None]:
    """Categories in the order of their numbers, by feature; None where the model keeps none.

    XGBoost keeps them from 3.1 on, for models that were trained on a data frame.
    """
    kinds = document["learner"].get("feature_types") or ()
    model, _ = model_of(document)
    kept = (model.get("cats") or {}).get("enc") or [{}] * len(kinds)
    return {j: _kept(kept[j]) for j, kind in enumerate(kinds) if kind == "c"}


def _kept(column: Mapping[str, Any]) -> Sequence[Any] | None:
    """Categories of a column: numbers, or texts as bytes one after the other."""
    values, ends = column.get("values", []), column.get("offsets")
    if ends is None or not values:
        return list(values) or None
    text = bytes(byte % 256 for byte in values)
    return [text[first:last].decode() for first, last in pairwise(ends)]


def rounds_used(document: Mapping[str, Any]) -> tuple[int, int]:
    """Rounds of boosting that count, and those that are there, of a model in XGBoost's schema.

    Where training stopped early it went on for some rounds beyond the best one, which XGBoost's
    scikit-learn interface does not use either.
    """
    learner = document["learner"]
    there = len(_ends_of_rounds(document)) - 1
    best = learner.get("attributes", {}).get("best_iteration")
    return there if best is None else min(int(best) + 1, there), there


def model_of(document: Mapping[str, Any]) -> tuple[Mapping[str, Any], Sequence[float] | None]:
    """The part that holds the trees, and what DART multiplies each of them by."""
    booster = document["learner"]["gradient_booster"]
    if booster["name"] == "dart":
        return booster["gbtree"]["model"], booster["weight_drop"]
    if booster["name"] != "gbtree":
        raise ModelError(
            f"XGBoost booster {booster['name']!r} is not read as trees, only 'gbtree' and 'dart'"
        )
    return booster["model"], booster["model"].get("weight_drop") or None


def _ends_of_rounds(document: Mapping[str, Any]) -> Sequence[int]:
    """0, and the number of trees after each round."""
    model, _ = model_of(document)
    if ends := model.get("iteration_indptr"):
        return ends
    each = int(model["gbtree_model_param"].get("num_parallel_tree", 1)) or 1
    if not _vector_leaves(model["trees"]):
        each *= outputs_of(document)
    return range(0, len(model["trees"]) + 1, each)


def _trees_of(
    document: Mapping[str, Any], chosen: int, all_rounds: bool
) -> tuple[list[Mapping[str, Any]], np.ndarray]:
    """Trees of an output, and what each is multiplied by."""
    model, weights = model_of(document)
    ends = _ends_of_rounds(document)
    last = ends[-1] if all_rounds else ends[rounds_used(document)[0]]
    own = np.arange(last)
    if not _vector_leaves(model["trees"]):
        own = own[np.asarray(model["tree_info"][:last]) == chosen]
    if not own.size:
        raise ModelError("this XGBoost model has no tree")
    scale = np.ones(own.size) if weights is None else np.asarray(weights, dtype=np.float64)[own]
    return [model["trees"][k] for k in own], scale


def _vector_leaves(trees: Sequence[Mapping[str, Any]]) -> bool:
    return bool(trees) and _leaf_size(trees[0]) > 1


def _leaf_size(tree: Mapping[str, Any]) -> int:
    return int(tree["tree_param"].get("size_leaf_vector", 1))


def _nodes(
    trees: Sequence[Mapping[str, Any]], chosen: int, shift: np.ndarray, scale: np.ndarray
) -> Nodes:
    """Nodes of all trees, by the root (n,) of each node's tree, and what DART multiplies it by."""

    def joined(key: str) -> np.ndarray:
        return np.concatenate([tree[key] for tree in trees])

    left, right = joined("left_children"), joined("right_children")
    leaf = left == -1
    conditions = joined("split_conditions")  # thresholds of splits, values of leaves
    value = conditions
    if _vector_leaves(trees):
        value = np.concatenate([_values(tree, chosen) for tree in trees])
    return Nodes(
        feature=np.where(leaf, LEAF, joined("split_indices")),
        threshold=np.where(leaf, 0.0, conditions),
        left=np.where(leaf, LEAF, left + shift),
        right=np.where(leaf, LEAF, right + shift),
        default_left=joined("default_left").astype(bool),
        value=np.where(leaf, value.astype(np.float32) * scale, 0.0),
    )


def _values(tree: Mapping[str, Any], chosen: int) -> np.ndarray:
    """What the nodes of a tree with several outputs hold for one of them; its leaves count."""
    outputs = _leaf_size(tree)
    if "leaf_weights" not in tree:
        return np.asarray(tree["base_weights"])[chosen::outputs]
    left, right = np.asarray(tree["left_children"]), np.asarray(tree["right_children"])
    place = np.where(left == -1, right, 0)  # a leaf's right child is its place among the leaves
    return np.asarray(tree["leaf_weights"])[place * outputs + chosen]


def _with_sets(nodes: Nodes, trees: Sequence[Mapping[str, Any]], roots: np.ndarray) -> Nodes:
    """The nodes with the sets of their splits by category, whose children change sides."""
    places: list[int] = []
    chosen: list[np.ndarray] = []
    for root, tree in zip(roots, trees, strict=True):
        if not any(tree.get("split_type", ())):
            continue
        own = zip(
            tree["categories_nodes"], tree["categories_segments"], tree["categories_sizes"],
            strict=True,
        )  # fmt: skip
        for node, first, size in own:
            places.append(root + node)
            chosen.append(np.asarray(tree["categories"][first : first + size], dtype=np.int64))
    return split_by_sets(swapped(nodes, places), places, chosen) if places else nodes


def margin_of(base_score: str, objective: str, output: int = 0) -> float:
    """The base score as a margin; it is kept as a prediction, such as "1E2", "[1E2]", "[1,2]"."""
    scores = np.array(base_score.strip("[]").split(","), dtype=np.float32).astype(np.float64)
    base = float(scores[output if scores.size > 1 else 0])
    if objective in MARGIN_IS_PREDICTION:
        return base
    if objective in LOGARITHM and base > 0.0:
        return float(np.log(base))
    if objective in LOG_ODDS and 0.0 < base < 1.0:
        return float(np.log(base / (1.0 - base)))
    if objective in (*LOGARITHM, *LOG_ODDS):
        raise ModelError(
            f"the base score of an XGBoost model of {objective!r} is {base:g}: its target was the "
            "same in all rows, and the margin is infinite; train it on rows of both classes"
        )
    raise ModelError(
        f"XGBoost objective {objective!r} is not read: how its base score becomes a margin is not "
        f"known; known are {listed((*MARGIN_IS_PREDICTION, *LOG_ODDS, *LOGARITHM))}"
    )
