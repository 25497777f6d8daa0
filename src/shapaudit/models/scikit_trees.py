"""Trees and forests of scikit-learn, read from the fitted objects.

Random forests, extra trees and single trees predict the mean of their trees: a number, or the
share of a class. Gradient boosting sums them, on the log-odds scale for a classifier. They round
features to float32 and send a row to the left when it is at most the float64 threshold; histogram
boosting compares in float64.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..parameters import listed
from .base import ModelError
from .binned import BinnedTrees, Tree, binned_trees, chosen_output, chosen_score, joined
from .nodes import LEAF, Nodes
from .trees import TreeEnsemble

MEANS = ("RandomForest", "ExtraTrees")
SUMS = ("GradientBoosting",)
HISTOGRAM = "HistGradientBoosting"
READ = "trees, random forests, extra trees and gradient boosting (histogram-based too)"


def from_scikit_learn(model: Any, output: int | None = None) -> TreeEnsemble | BinnedTrees:
    """The trees of a fitted object of scikit-learn.

    Parameters
    ----------
    output : class of a classifier that is explained; by default the second of two

    Raises `ModelError` for an object that is not fitted, several outputs of a regression,
    categorical splits, a start of boosting that is no constant, and other estimators.
    """
    kind = type(model).__name__
    if kind.startswith(HISTOGRAM):
        return _of_histograms(model, output)
    if hasattr(model, "tree_"):
        return _mean_of([model], model, output)
    trees = np.asarray(getattr(model, "estimators_", []), dtype=object)
    if not trees.size:
        raise ModelError(
            f"{kind} is no fitted model of trees of scikit-learn; read are {READ}, after fit"
        )
    if kind.startswith(MEANS):
        return _mean_of(trees.ravel(), model, output)
    if kind.startswith(SUMS):
        return _boosted(trees, model, output)
    raise ModelError(f"{kind} of scikit-learn is not read, only {READ}")


def _output(model: Any, output: int | None) -> int:
    """Which class; 0 for a regression."""
    kind = type(model).__name__
    if not hasattr(model, "classes_"):
        return chosen_output(kind, int(getattr(model, "n_outputs_", 1)), output)
    if isinstance(model.classes_, list):
        raise ModelError(f"{kind} has several targets; fit it to one of them")
    classes = len(model.classes_)
    return chosen_output(kind, classes, 1 if output is None and classes == 2 else output)


def _mean_of(trees: Sequence[Any] | np.ndarray, model: Any, output: int | None) -> TreeEnsemble:
    chosen, classifier = _output(model, output), hasattr(model, "classes_")
    parts = []
    for tree in trees:
        value = np.array(tree.tree_.value)  # (nodes, targets, classes), or (nodes, targets, 1)
        value = (
            value[:, 0] / value[:, 0].sum(axis=1, keepdims=True) if classifier else value[..., 0]
        )
        parts.append(_tree(tree.tree_, value[:, chosen] / len(trees)))
    return _ensemble(parts, 0.0, model)


def _boosted(trees: np.ndarray, model: Any, output: int | None) -> TreeEnsemble:
    outputs = trees.shape[1]
    classifier = hasattr(model, "classes_")
    chosen, sign = chosen_score(type(model).__name__, outputs, classifier, output)
    scale = sign * model.learning_rate
    parts = [_tree(t.tree_, scale * np.array(t.tree_.value)[:, 0, 0]) for t in trees[:, chosen]]
    ensemble = _ensemble(parts, 0.0, model)
    if hasattr(model.init_, "predict") and not type(model.init_).__name__.startswith("Dummy"):
        raise ModelError(
            f"{type(model).__name__} starts from {type(model.init_).__name__}, which is no "
            "constant; leave init as it is"
        )
    # What it starts from is what its sum has beyond the trees, at any row.
    row = np.zeros((1, model.n_features_in_), dtype=np.float32)
    raw = np.atleast_2d(_raw(model)(row)).reshape(1, outputs)[0, chosen]
    base = sign * float(raw) - float(ensemble.predict(row)[0])
    return TreeEnsemble(ensemble.nodes, ensemble.roots, base, ensemble.n_features, ensemble.weight)


def _raw(model: Any) -> Any:
    return model.decision_function if hasattr(model, "classes_") else model.predict


def _tree(tree: Any, value: np.ndarray) -> Tree:
    """Nodes of one tree of scikit-learn, with the values (nodes,) of its leaves."""
    leaf = np.asarray(tree.children_left) == -1
    nodes = Nodes(
        feature=np.where(leaf, LEAF, tree.feature),
        threshold=np.where(leaf, 0.0, just_above(np.asarray(tree.threshold))),
        left=np.where(leaf, LEAF, tree.children_left),
        right=np.where(leaf, LEAF, tree.children_right),
        default_left=np.asarray(tree.missing_go_to_left, dtype=bool),
        value=np.where(leaf, value, 0.0),
    )
    return Tree(nodes, np.asarray(tree.weighted_n_node_samples, dtype=np.float64))


def just_above(thresholds: np.ndarray) -> np.ndarray:
    """The float32 t' with x <= t just where x < t', for float32 x and float64 thresholds t."""
    rounded = thresholds.astype(np.float32)
    below = np.where(rounded > thresholds, np.nextafter(rounded, np.float32(-np.inf)), rounded)
    return np.nextafter(below, np.float32(np.inf))


def _ensemble(parts: Sequence[Tree], base: float, model: Any) -> TreeEnsemble:
    nodes, roots, weight = joined(parts)
    return TreeEnsemble(nodes, roots, base, int(model.n_features_in_), weight)


def _of_histograms(model: Any, output: int | None) -> BinnedTrees:
    kind = type(model).__name__
    if not hasattr(model, "_predictors"):
        raise ModelError(f"{kind} is not fitted; call fit first")
    if getattr(model, "is_categorical_", None) is not None:
        places = np.flatnonzero(model.is_categorical_)
        names = getattr(model, "feature_names_in_", None)
        told = listed(places if names is None else names[places])
        raise ModelError(
            f"{kind} with categorical splits is not read, only with numerical ones; it takes "
            f"{told} for categories: encode these as numbers, with categorical_features=None"
        )
    rounds = model._predictors
    chosen, sign = chosen_score(kind, len(rounds[0]), hasattr(model, "classes_"), output)
    base = sign * float(np.ravel(model._baseline_prediction)[chosen])
    trees = [_histogram_tree(trees_of_round[chosen].nodes, sign) for trees_of_round in rounds]
    return binned_trees(trees, base, ["nan"] * int(model.n_features_in_))


def _histogram_tree(nodes: np.ndarray, sign: float) -> Tree:
    leaf = nodes["is_leaf"].astype(bool)
    columns = Nodes(
        feature=np.where(leaf, LEAF, nodes["feature_idx"]),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]),
        left=np.where(leaf, LEAF, nodes["left"]),
        right=np.where(leaf, LEAF, nodes["right"]),
        default_left=nodes["missing_go_to_left"].astype(bool),
        value=np.where(leaf, sign * nodes["value"], 0.0),
    )
    return Tree(columns, nodes["count"].astype(np.float64))
