"""Sums of models of trees and of linear models, as one ensemble.

The parts may compare in float32, as XGBoost and scikit-learn's forests do, or in float64, as
histogram boosting does: a comparison in float32 is one in float64 with another threshold. A linear
model is a single leaf with a linear function.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from .base import ModelError
from .binned import CATEGORY, KNOWN, BinnedTrees, binned_nodes
from .float_thresholds import last_below
from .linear import LinearModel
from .linear_leaves import LinearLeaves, leaves_of
from .nodes import BY_NODE, LEAF, Nodes
from .trees import TreeEnsemble
from .trees_read import ReadTrees, from_parts


class Part(NamedTuple):
    """A model of trees, what its output is multiplied by, and the columns that are its features.

    A linear model is one of trees, see `single_leaf`.
    """

    factor: float
    trees: ReadTrees
    columns: np.ndarray


def weighted_sum(what: str, parts: Sequence[Part], base: float, n_features: int) -> BinnedTrees:
    """A constant and the outputs of several models, each times a factor.

    Raises `ModelError` where the parts take other entries for missing, or take categories.
    """
    kinds = [_kinds(what, part.trees) for part in parts]
    missing = ["nan"] * n_features
    told: dict[int, str] = {}
    for part, own in zip(parts, kinds, strict=True):
        used = np.unique(part.trees.ensemble.nodes.feature)
        for j in used[used != LEAF]:
            column = int(part.columns[j])
            missing[column] = kind = "zero" if own[j] == "zero" else "nan"
            if told.setdefault(column, kind) != kind:
                raise ModelError(f"the parts of {what} take different entries for missing")
    nodes = [_in_float64(part, own) for part, own in zip(parts, kinds, strict=True)]
    ends = np.cumsum([0, *(len(each.feature) for each in nodes)])
    shifted = [
        each._replace(
            left=np.where(each.feature == LEAF, LEAF, each.left + first),
            right=np.where(each.feature == LEAF, LEAF, each.right + first),
        )
        for each, first in zip(nodes, ends[:-1], strict=True)
    ]
    joined = Nodes(*(np.concatenate([getattr(each, name) for each in shifted]) for name in BY_NODE))
    ensembles = [part.trees.ensemble for part in parts]
    roots = [each.roots + first for each, first in zip(ensembles, ends[:-1], strict=True)]
    weights = [each.weight for each in ensembles if each.weight is not None]
    weight = np.concatenate(weights) if len(weights) == len(parts) else None
    start = base + sum(part.factor * part.trees.ensemble.base_score for part in parts)
    summed = binned_nodes(joined, np.concatenate(roots), weight, start, missing)
    return replace(summed, leaves=_leaves(parts))


def single_leaf(linear: LinearModel) -> ReadTrees:
    """A linear model as trees: a leaf that gives its function."""
    d = linear.coefficients.size
    sides = np.array([LEAF])
    nodes = Nodes(sides, np.zeros(1), sides, sides, np.zeros(1, dtype=bool), np.zeros(1))
    trees = from_parts(TreeEnsemble(nodes, np.zeros(1), 0.0, d, np.ones(1)))
    line = linear.intercept, range(d), linear.coefficients.tolist()
    return replace(trees, leaves=leaves_of({0: line}, nodes.value))


def _leaves(parts: Sequence[Part]) -> LinearLeaves | None:
    """The linear functions of the leaves of all parts, over the columns of the sum."""
    if all(part.trees.leaves is None for part in parts):
        return None
    constants, numbers, features, coefficients = [], [], [], []
    for factor, trees, columns in parts:
        leaves = trees.leaves or leaves_of({}, trees.ensemble.nodes.value)
        constants.append(factor * leaves.constant)
        numbers.append(np.diff(leaves.first))
        features.append(columns[leaves.feature])
        coefficients.append(factor * leaves.coefficient)
    return LinearLeaves(
        np.concatenate(constants),
        np.concatenate([[0], *numbers]).cumsum(),
        np.concatenate(features),
        np.concatenate(coefficients),
    )


def _source(trees: ReadTrees) -> object:
    return getattr(trees.encode, "__self__", None)


def _kinds(what: str, trees: ReadTrees) -> Sequence[str]:
    """What is missing, by feature."""
    source, d = _source(trees), trees.ensemble.n_features
    if trees.ensemble.categorical or trees.categories:
        raise ModelError(f"a part of {what} takes categories, which sums of models are not read of")
    if isinstance(source, BinnedTrees) and not {CATEGORY, KNOWN} & set(source.missing):
        return source.missing
    if trees.encode is np.asarray:
        return ["nan"] * d
    raise ModelError(f"a part of {what} changes its features before it compares them")


def _in_float64(part: Part, kinds: Sequence[str]) -> Nodes:
    """Nodes that go left where a feature is at most a float64 threshold.

    ``kinds`` is what is missing, by feature. Where nothing is, NaN counts as 0 and goes its way.
    """
    nodes, source = part.trees.ensemble.nodes, _source(part.trees)
    split = nodes.feature != LEAF
    if isinstance(source, BinnedTrees):
        threshold = np.zeros(len(split))
        for j, edges in enumerate(source.edges):
            own = nodes.feature == j
            threshold[own] = edges[nodes.threshold[own].astype(np.int64) - 1]
    else:
        threshold = np.where(split, last_below(nodes.threshold), 0.0)
    feature = np.where(split, part.columns[np.where(split, nodes.feature, 0)], LEAF)
    value = part.factor * nodes.value
    as_zero = np.array([kind == "none" for kind in kinds])[np.where(split, nodes.feature, 0)]
    default = np.where(as_zero & split, threshold >= 0.0, nodes.default_left)
    return Nodes(feature, threshold, nodes.left, nodes.right, default, value)
