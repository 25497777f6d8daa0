"""Sums of models of trees, as one ensemble.

The parts may compare in float32, as XGBoost and scikit-learn's forests do, or in float64, as
histogram boosting does: a comparison in float32 is one in float64 with another threshold.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .base import ModelError
from .binned import CATEGORY, KNOWN, BinnedTrees, binned_nodes
from .float_thresholds import last_below
from .nodes import BY_NODE, LEAF, Nodes
from .trees_read import ReadTrees


class Part(NamedTuple):
    """A model of trees, what its output is multiplied by, and the columns that are its features."""

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
    return binned_nodes(joined, np.concatenate(roots), weight, start, missing)


def _source(trees: ReadTrees) -> object:
    return getattr(trees.encode, "__self__", None)


def _kinds(what: str, trees: ReadTrees) -> Sequence[str]:
    """What is missing, by feature."""
    source, d = _source(trees), trees.ensemble.n_features
    if trees.leaves is not None:
        raise ModelError(
            f"a part of {what} has linear leaves, which sums of models are not read of"
        )
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
