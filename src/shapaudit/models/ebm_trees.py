"""Explainable boosting machines of the package interpret, whose terms are step functions, as trees.

A term looks at one feature or at several, each cut into bins; its scores are a grid over the bins.
Bin 0 is that of missing entries, the last one that of categories that were not met. A number is in
the bin after the last cut that it reaches. Each term becomes one tree, which is the same function.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .agreement import column_of
from .base import ModelError
from .binned import CATEGORY, Tree, binned_trees, chosen_score
from .category_sets import split_by_sets
from .nodes import LEAF, Nodes
from .scikit_rows import as_fitted, names_of
from .trees_read import ReadTrees, from_parts


class Axis(NamedTuple):
    """A feature of a term: its cuts, or the bin of each of its categories."""

    feature: int
    bins: np.ndarray | Mapping[Any, int]


def read_ebm(model: Any, output: int | None = None) -> ReadTrees:
    """The terms of a fitted model as trees, on the scale on which they are added.

    Raises `ModelError` for a model that is not fitted.
    """
    kind = type(model).__name__
    if not hasattr(model, "term_scores_"):
        raise ModelError(f"{kind} is no fitted explainable boosting machine; call fit first")
    classes, intercept = len(getattr(model, "classes_", ())), np.ravel(model.intercept_)
    chosen, sign = chosen_score(kind, intercept.size, classes == 2, output)
    trees, missing = [], ["nan"] * len(model.bins_)
    texts: dict[int, list[Any]] = {}
    for term, scores, weights in zip(
        model.term_features_, model.term_scores_, model.bin_weights_, strict=True
    ):
        axes = [_axis(model, int(feature), len(term)) for feature in term]
        for axis in axes:
            if isinstance(axis.bins, Mapping):
                missing[axis.feature], texts[axis.feature] = (
                    CATEGORY,
                    list(model.bins_[axis.feature][0]),
                )
        own = np.asarray(scores)[..., chosen] if intercept.size > 1 else np.asarray(scores)
        trees.append(_Growing(list(texts.items())).tree(axes, sign * own, np.asarray(weights)))
    if not trees:
        raise ModelError(f"{kind} has no term")
    base = sign * float(intercept[chosen])
    raw = getattr(model, "decision_function", None) or model.predict
    scores_of = column_of(raw, output, classes == 2)
    return from_parts(
        binned_trees(trees, base, missing), names_of(model), texts,
        lambda rows: scores_of(as_fitted(model, rows, texts)), f"this {kind}",
    )  # fmt: skip


def _axis(model: Any, feature: int, together: int) -> Axis:
    """Terms of several features have coarser bins, where the model keeps some."""
    levels = model.bins_[feature]
    return Axis(feature, levels[min(len(levels), together) - 1])


class _Growing:
    """Nodes of one tree, the root first."""

    def __init__(self, texts: Sequence[tuple[int, list[Any]]]):
        self.places = {j: {category: k for k, category in enumerate(known)} for j, known in texts}
        self.columns: list[list[Any]] = []
        self.sets: dict[int, np.ndarray] = {}

    def tree(self, axes: Sequence[Axis], scores: np.ndarray, weights: np.ndarray) -> Tree:
        self._grow(axes, scores, weights)
        *arrays, weight = (np.array(column) for column in zip(*self.columns, strict=True))
        nodes = split_by_sets(Nodes(*arrays), list(self.sets), list(self.sets.values()))
        return Tree(nodes, weight.astype(np.float64))

    def _grow(self, axes: Sequence[Axis], scores: np.ndarray, weights: np.ndarray) -> int:
        if not axes:
            return self._add([LEAF, 0.0, LEAF, LEAF, False, float(scores), float(weights)])
        axis, rest = axes[0], axes[1:]
        place = self._add([axis.feature, -np.inf, 0, 0, True, 0.0, float(weights.sum())])
        self.columns[place][2] = self._grow(rest, scores[0], weights[0])
        by_category = isinstance(axis.bins, Mapping)
        last = len(scores) - (not by_category)  # no number is in the bin of unknown ones
        self.columns[place][3] = self._halve(
            axis, 1, last, lambda k: self._grow(rest, scores[k], weights[k]), weights
        )
        if by_category:
            self.sets[place] = np.array([], dtype=np.int64)
        return place

    def _halve(
        self, axis: Axis, first: int, last: int, grow: Callable[[int], int], weights: np.ndarray
    ) -> int:
        """The bins from the first to before the last."""
        if last - first == 1:
            return grow(first)
        middle = (first + last) // 2
        own = float(weights[first:last].sum())
        place = self._add([axis.feature, 0.0, 0, 0, False, 0.0, own])
        if isinstance(axis.bins, Mapping):
            codes = [
                self.places[axis.feature][category]
                for category, k in axis.bins.items()
                if k < middle
            ]
            self.sets[place] = np.array(codes, dtype=np.int64)
        else:
            self.columns[place][1] = np.nextafter(axis.bins[middle - 2], -np.inf)
        self.columns[place][2] = self._halve(axis, first, middle, grow, weights)
        self.columns[place][3] = self._halve(axis, middle, last, grow, weights)
        return place

    def _add(self, node: list[Any]) -> int:
        self.columns.append(node)
        return len(self.columns) - 1
