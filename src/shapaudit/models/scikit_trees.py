"""Trees, forests and gradient boosting of scikit-learn, read from the fitted objects.

Random forests, extra trees and single trees predict the mean of their trees: a number, or the
share of a class. Gradient boosting sums them, on the log-odds scale for a classifier. They round
features to float32 and send a row to the left when it is at most the float64 threshold.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .base import ModelError
from .binned import Tree, chosen_output, chosen_score, joined
from .float_thresholds import just_above
from .nodes import LEAF, Nodes
from .scikit_rows import as_fitted
from .trees import TreeEnsemble


def output_of(model: Any, output: int | None) -> int:
    """Which class, by default the second of two; 0 for a regression with one target.

    Raises `ModelError` for a classifier of several targets, and where several outputs leave it
    open which.
    """
    kind = type(model).__name__
    if not hasattr(model, "classes_"):
        return chosen_output(kind, int(getattr(model, "n_outputs_", 1)), output)
    if isinstance(model.classes_, list):
        raise ModelError(f"{kind} has several targets; fit it to one of them")
    classes = len(model.classes_)
    return chosen_output(kind, classes, 1 if output is None and classes == 2 else output)


def mean_of_trees(
    trees: Sequence[Any] | np.ndarray, model: Any, output: int | None
) -> TreeEnsemble:
    """The mean of the outputs, or of the shares of a class, of trees of a model."""
    chosen, classifier = output_of(model, output), hasattr(model, "classes_")
    parts = []
    for tree in trees:
        value = np.array(tree.tree_.value)  # (nodes, targets, classes), or (nodes, targets, 1)
        value = (
            value[:, 0] / value[:, 0].sum(axis=1, keepdims=True) if classifier else value[..., 0]
        )
        parts.append(tree_of(tree.tree_, value[:, chosen] / len(trees)))
    return ensemble_of_trees(parts, 0.0, model)


def boosted_trees(trees: np.ndarray, model: Any, output: int | None) -> TreeEnsemble:
    """The sum of trees (rounds, outputs) of gradient boosting, for a classifier on its raw scale.

    Raises `ModelError` for a start that is no constant.
    """
    outputs = trees.shape[1]
    classifier = hasattr(model, "classes_")
    chosen, sign = chosen_score(type(model).__name__, outputs, classifier, output)
    scale = sign * model.learning_rate
    parts = [tree_of(t.tree_, scale * np.array(t.tree_.value)[:, 0, 0]) for t in trees[:, chosen]]
    ensemble = ensemble_of_trees(parts, 0.0, model)
    if hasattr(model.init_, "predict") and not type(model.init_).__name__.startswith("Dummy"):
        raise ModelError(
            f"{type(model).__name__} starts from {type(model.init_).__name__}, which is no "
            "constant; leave init as it is"
        )
    # What it starts from is what its sum has beyond the trees, at any row.
    row = np.zeros((1, model.n_features_in_), dtype=np.float32)
    raw = np.atleast_2d(_raw(model)(as_fitted(model, row))).reshape(1, outputs)[0, chosen]
    base = sign * float(raw) - float(ensemble.predict(row)[0])
    return TreeEnsemble(ensemble.nodes, ensemble.roots, base, ensemble.n_features, ensemble.weight)


def _raw(model: Any) -> Any:
    return model.decision_function if hasattr(model, "classes_") else model.predict


def tree_of(tree: Any, value: np.ndarray) -> Tree:
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


def ensemble_of_trees(parts: Sequence[Tree], base: float, model: Any) -> TreeEnsemble:
    """Trees over the features of a model."""
    nodes, roots, weight = joined(parts)
    return TreeEnsemble(nodes, roots, base, int(model.n_features_in_), weight)


def votes_of_trees(tree: Any, classes: int, chosen: int) -> np.ndarray:
    """1 at the nodes (nodes,) of a tree whose largest class is the chosen one, and otherwise less.

    What all classes get sums to 0. Raises `ModelError` for a member that is no tree.
    """
    if not hasattr(tree, "tree_"):
        raise ModelError(f"AdaBoost of {type(tree).__name__} is not read, only of trees")
    largest = np.array(tree.tree_.value)[:, 0].argmax(axis=1)
    voted = np.asarray(tree.classes_)[largest] == tree.classes_[chosen]
    return np.where(voted, 1.0, -1.0 / (classes - 1))
