"""Trees of scikit-learn's histogram boosting, which compares features in float64.

Features by category come first in its trees, numbered by the encoder that it fits. Categories that
are numbers stay as they are in the rows; of texts the rows hold the place among the categories. A
category that the model does not know is missing, and goes where missing ones go.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .base import ModelError
from .binned import KNOWN, BinnedTrees, Tree, binned_trees, chosen_score
from .category_sets import bits_set, split_by_sets
from .nodes import LEAF, Nodes

Categories = dict[int, Sequence[Any]]


def from_histograms(model: Any, output: int | None = None) -> tuple[BinnedTrees, Categories]:
    """The trees of an output, and the categories of the features that are taken as texts.

    Raises `ModelError` for a model that is not fitted.
    """
    kind = type(model).__name__
    if not hasattr(model, "_predictors"):
        raise ModelError(f"{kind} is not fitted; call fit first")
    rounds = model._predictors
    chosen, sign = chosen_score(kind, len(rounds[0]), hasattr(model, "classes_"), output)
    base = sign * float(np.ravel(model._baseline_prediction)[chosen])
    by_category = getattr(model, "is_categorical_", None)
    places = np.arange(int(model.n_features_in_))
    if by_category is not None:
        places = np.concatenate([np.flatnonzero(by_category), np.flatnonzero(~by_category)])
    trees = [_tree(of_round[chosen], sign, places) for of_round in rounds]
    texts: Categories = {}
    known: dict[int, np.ndarray] = {}
    missing = ["nan"] * len(places)
    for j, categories in _categories(model):
        missing[j] = KNOWN
        try:
            known[j] = np.array(categories, dtype=np.float64)
        except (TypeError, ValueError):
            known[j], texts[j] = np.arange(float(len(categories))), categories
    return binned_trees(trees, base, missing, known), texts


def _categories(model: Any) -> list[tuple[int, Sequence[Any]]]:
    """Features that are taken by category, with the categories in the order of their numbers."""
    if getattr(model, "is_categorical_", None) is None:
        return []
    encoder = model._preprocessor.named_transformers_["encoder"]
    return [
        (
            int(j),
            [category for category in categories if category == category and category is not None],
        )  # without NaN
        for j, categories in zip(
            np.flatnonzero(model.is_categorical_), encoder.categories_, strict=True
        )
    ]


def _tree(predictor: Any, sign: float, places: np.ndarray) -> Tree:
    nodes = predictor.nodes
    leaf = nodes["is_leaf"].astype(bool)
    # Unsigned numbers, into which a leaf's -1 does not fit.
    feature, left, right = (nodes[key].astype(np.int64) for key in ("feature_idx", "left", "right"))
    columns = Nodes(
        feature=np.where(leaf, LEAF, places[np.where(leaf, 0, feature)]),
        threshold=np.where(leaf, 0.0, nodes["num_threshold"]),
        left=np.where(leaf, LEAF, left),
        right=np.where(leaf, LEAF, right),
        default_left=nodes["missing_go_to_left"].astype(bool),
        value=np.where(leaf, sign * nodes["value"], 0.0),
    )
    by_set = np.flatnonzero(nodes["is_categorical"].astype(bool) & ~leaf)
    words = predictor.raw_left_cat_bitsets
    sets = [bits_set(words[nodes["bitset_idx"][node]]) for node in by_set]
    columns = split_by_sets(columns, by_set.tolist(), sets)
    return Tree(columns, nodes["count"].astype(np.float64))
