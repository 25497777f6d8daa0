"""Trees whose thresholds are float64, as ensembles over the intervals between their thresholds.

`TreeEnsemble` compares in float32, as XGBoost does. LightGBM and scikit-learn's histogram boosting
compare in float64, where rounding a feature could send it to another side. So a feature is replaced
by the number of the interval that it lies in, which keeps every comparison.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from .base import ModelError, checked_rows
from .category_sets import joined_sets
from .linear_leaves import Line, LinearLeaves, leaves_of, outputs_of
from .nodes import BY_NODE, LEAF, Nodes
from .trees import TreeEnsemble

TINY = 1e-35  # LightGBM takes numbers up to it for zero
MISSING = ("none", "zero", "nan")  # what is taken for missing: nothing, zero and NaN, or NaN
CATEGORY = "category"  # a feature is the number of a category, cut off; in no set below 0
KNOWN = "known"  # a feature is one of its edges, and the number of its category that edge's place


class Tree(NamedTuple):
    """One tree from elsewhere: its nodes from the root on, and their weights (n,).

    ``lines`` are the linear functions of some leaves.
    """

    nodes: Nodes
    weight: np.ndarray
    lines: Mapping[int, Line] | None = None


@dataclass(frozen=True, eq=False)
class BinnedTrees:
    """Trees over intervals, and how features become numbers of intervals.

    Attributes
    ----------
    ensemble : TreeEnsemble over the numbers of the intervals
    edges : d increasing arrays; interval k of a feature ends with its edge k, which belongs to it
    missing : d of `MISSING`, or `CATEGORY`, or `KNOWN`, of which what is no category is missing
    leaves : linear functions of the features, where there are some
    """

    ensemble: TreeEnsemble
    edges: tuple[np.ndarray, ...]
    missing: tuple[str, ...]
    leaves: LinearLeaves | None = None

    def encode(self, rows: np.ndarray) -> np.ndarray:
        """Numbers of intervals (m, d) of rows (m, d); what is missing stays NaN.

        Raises `ModelError` for another number of features.
        """
        rows = checked_rows(rows, self.ensemble.n_features)
        encoded = np.empty_like(rows)
        for j, (edges, missing) in enumerate(zip(self.edges, self.missing, strict=True)):
            column = rows[:, j]
            if missing == CATEGORY:
                encoded[:, j] = np.trunc(column)
                continue
            if missing == "none":
                column = np.where(np.isnan(column), 0.0, column)
            elif missing == "zero":
                column = np.where(np.abs(column) <= TINY, np.nan, column)
            places = np.searchsorted(edges, column)
            there = ~np.isnan(column)
            if missing == KNOWN:
                there &= np.append(edges, np.nan)[places] == column
            encoded[:, j] = np.where(there, places, np.nan)
        return encoded

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return outputs_of(self.ensemble, self.leaves, self.encode(rows), rows)


def binned_trees(
    trees: Sequence[Tree],
    base_score: float,
    missing: Sequence[str],
    known: Mapping[int, np.ndarray] | None = None,
) -> BinnedTrees:
    """Trees over d features that go left when a feature is at most the float64 threshold.

    Splits by category stay as they are, see `Nodes`; ``known`` has the categories of `KNOWN`
    features.
    """
    nodes, roots, weight = joined(trees)
    binned = binned_nodes(nodes, roots, weight, base_score, missing, known)
    lines = {
        root + node: line
        for root, tree in zip(roots.tolist(), trees, strict=True)
        for node, line in (tree.lines or {}).items()
    }
    return replace(binned, leaves=leaves_of(lines, nodes.value)) if lines else binned


def binned_nodes(
    nodes: Nodes,
    roots: np.ndarray,
    weight: np.ndarray | None,
    base_score: float,
    missing: Sequence[str],
    known: Mapping[int, np.ndarray] | None = None,
) -> BinnedTrees:
    """As `binned_trees`, of the nodes (n,) of all trees."""
    threshold = np.asarray(nodes.threshold, dtype=np.float64)
    by_set = np.isnan(threshold)
    places = np.where(by_set, np.nan, 0.0)
    edges = []
    for j in range(len(missing)):
        own = (nodes.feature == j) & ~by_set
        edges.append(np.unique(threshold[own]))
        places[own] = np.searchsorted(edges[-1], threshold[own]) + 1
        if known and j in known:
            edges[-1] = np.asarray(known[j], dtype=np.float64)
    nodes = nodes._replace(threshold=places)
    ensemble = TreeEnsemble(nodes, roots, base_score, len(missing), weight)
    return BinnedTrees(ensemble, tuple(edges), tuple(missing))


def joined(trees: Sequence[Tree]) -> tuple[Nodes, np.ndarray, np.ndarray]:
    """Nodes of all trees, the children of each shifted to its place, the roots, and the weights."""
    roots = np.cumsum([0, *(len(tree.weight) for tree in trees[:-1])])
    shifted = []
    for (nodes, *_), root in zip(trees, roots, strict=True):
        leaf = nodes.feature == LEAF
        left, right = (np.where(leaf, LEAF, side + root) for side in (nodes.left, nodes.right))
        shifted.append(nodes._replace(left=left, right=right))
    arrays = (np.concatenate([getattr(nodes, name) for nodes in shifted]) for name in BY_NODE)
    members, sets = joined_sets(shifted)
    nodes = Nodes(*arrays)._replace(members=members, sets=sets)
    return nodes, roots, np.concatenate([tree.weight for tree in trees])


def chosen_output(what: str, outputs: int, output: int | None) -> int:
    """Which of a model's outputs: the one asked for, or the only one.

    Raises `ModelError` where there are several and none is named, or none of that number.
    """
    if output is None and outputs > 1:
        raise ModelError(f"{what} has {outputs} outputs; say which, as output=0 to {outputs - 1}")
    chosen = 0 if output is None else output
    if not 0 <= chosen < outputs:
        raise ModelError(f"{what} has outputs 0 to {outputs - 1}, not {output}")
    return chosen


def chosen_score(
    what: str, scores: int, two_classes: bool, output: int | None
) -> tuple[int, float]:
    """Which of the scores that a boosted model sums, and the sign by which it counts.

    A classifier of two classes has one score, the log-odds of the second, which is asked for by
    default; those of the first are the same with the other sign. Raises `ModelError` as
    `chosen_output` does.
    """
    if scores > 1 or not two_classes:
        return chosen_output(what, scores, output), 1.0
    return 0, -1.0 if chosen_output(what, 2, 1 if output is None else output) == 0 else 1.0
