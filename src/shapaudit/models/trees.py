"""Ensembles of binary decision trees as flat arrays, and their predictions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..archives import UNREADABLE
from ..datasets.base import save_arrays
from ..registers import reader
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .nodes import LEAF, Nodes

ARRAYS = "ensemble.npz"

_DTYPES: tuple[type, ...] = (
    np.int32, np.float32, np.int32, np.int32, np.bool_, np.float64, np.int32, np.bool_,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class TreeEnsemble:
    """f(x) = base_score + the sum over trees of the value of the leaf that x falls into.

    Parameters
    ----------
    nodes : Nodes
    roots : ndarray (n_trees,) of int32
        Index of each tree's first node.
    base_score : float
        In the units of the output.
    n_features : int
    weight : ndarray (n,) of float64, or None
        How much of the training data reached each node, as the file tells it; XGBoost's is the sum
        of second derivatives of the loss, a count of rows for squared errors only. None where the
        file does not tell; `reweighted` counts rows instead.

    Raises
    ------
    ModelError
        When the arrays do not describe trees over n_features features.
    """

    nodes: Nodes
    roots: np.ndarray
    base_score: float
    n_features: int
    weight: np.ndarray | None = None

    def __post_init__(self) -> None:
        arrays: Iterator[np.ndarray] = (
            np.ascontiguousarray(array, dtype=dtype)
            for array, dtype in zip(self.nodes, _DTYPES, strict=True)
        )
        object.__setattr__(self, "nodes", Nodes(*arrays))
        object.__setattr__(self, "roots", np.ascontiguousarray(self.roots, dtype=np.int32))
        object.__setattr__(self, "base_score", float(self.base_score))
        if self.weight is not None:
            weight = np.ascontiguousarray(self.weight, dtype=np.float64)
            object.__setattr__(self, "weight", weight)
        self._check_indices()

    @cached_property
    def depth(self) -> int:
        """Splits on the longest path from a root to a leaf."""
        depth, level = -1, self.roots
        while level.size:
            splits = level[self.nodes.feature[level] != LEAF]
            level = np.concatenate([self.nodes.left[splits], self.nodes.right[splits]])
            depth += 1
        return depth

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d), summed in float64.

        Raises
        ------
        ModelError
            When the rows have another number of features.
        """
        rows = checked_rows(rows, self.n_features).astype(np.float32)
        from .tree_kernels import predict  # Numba takes a sixth of a second, only where it is used

        return predict(self.nodes, self.roots, self.base_score, rows)

    def reweighted(self, rows: np.ndarray) -> "TreeEnsemble":
        """The same trees, the weight of a node being the number of rows (m, d) that reach it.

        Raises
        ------
        ModelError
            When the rows have another number of features.
        """
        rows = checked_rows(rows, self.n_features).astype(np.float32)
        from .tree_kernels import count

        return replace(self, weight=count(self.nodes, self.roots, rows))

    def negated(self) -> "TreeEnsemble":
        """The same trees with the other sign: log-odds of the other of two classes."""
        nodes = self.nodes._replace(value=-self.nodes.value)
        return replace(self, nodes=nodes, base_score=-self.base_score)

    def score(self, rows: np.ndarray, target: np.ndarray) -> dict[str, float]:
        """R^2 and RMSE on rows (m, d) with target (m,)."""
        return regression_scores(target, self.predict(rows))

    def save(self, directory: str | Path) -> None:
        """Write the arrays, without pickled objects."""
        directory = write_manifest(
            directory,
            "tree-ensemble",
            ARRAYS,
            base_score=self.base_score,
            n_features=int(self.n_features),
        )
        weight = {} if self.weight is None else {"weight": self.weight}
        save_arrays(directory / ARRAYS, {"roots": self.roots, **self.nodes.stored(), **weight})

    @classmethod
    def from_xgboost(cls, document: Mapping[str, Any]) -> "TreeEnsemble":
        """The trees of a model in XGBoost's JSON schema; the output is the untransformed margin.

        Of a model that was stopped early, those up to its best iteration, see
        `xgboost_trees.rounds_used`.

        Parameters
        ----------
        document : mapping
            The parsed JSON of `Booster.save_model`.

        Raises
        ------
        ModelError
            For linear boosters, several outputs, categorical splits, or objectives whose base
            score has an unknown scale.
        """
        from .xgboost_trees import single_output

        return single_output(document)

    @property
    def categorical(self) -> bool:
        """Whether some split is by category."""
        return self.nodes.members.size > 0

    def _check_indices(self) -> None:
        nodes, size = self.nodes, self.nodes.feature.size
        weight = () if self.weight is None else (self.weight,)
        if any(array.shape != (size,) for array in (*nodes.by_node().values(), *weight)):
            raise ModelError("the arrays of a tree ensemble must have one entry per node")
        self._check_sets()
        if self.roots.ndim != 1 or self.roots.size == 0:
            raise ModelError("a tree ensemble needs at least one tree")
        split = nodes.feature != LEAF
        children = np.concatenate([self.roots, nodes.left[split], nodes.right[split]])
        if not _within(children, size):
            raise ModelError(f"a tree ensemble of {size} nodes refers to a node it does not have")
        if np.unique(children).size < children.size:
            raise ModelError("a node of a tree ensemble is reached in two ways: it is no tree")
        if split.any() and not _within(nodes.feature[split], self.n_features):
            raise ModelError(
                f"a tree ensemble over {self.n_features} features splits on another feature"
            )

    def _check_sets(self) -> None:
        nodes = self.nodes
        by_set = np.isnan(nodes.threshold) & (nodes.feature != LEAF)
        if nodes.members.shape != ((nodes.feature.size,) if by_set.any() else (0,)):
            raise ModelError("each split by category of a tree ensemble, and no other, has a set")
        if by_set.any() and not (
            nodes.sets.ndim == 2 and _within(nodes.members[by_set], len(nodes.sets))
        ):
            raise ModelError("a split by category refers to a set that is not there")


@reader("tree-ensemble")
def read_tree_ensemble(directory: Path, manifest: dict[str, Any]) -> TreeEnsemble:
    """The ensemble that `TreeEnsemble.save` wrote."""
    path = directory / ARRAYS
    try:
        with np.load(path, allow_pickle=False) as file:
            nodes = Nodes.made(file)
            roots = file["roots"]
            weight = file.get("weight")
    except UNREADABLE as error:
        raise ModelError(f"{path} is no tree ensemble ({error}); train the model again") from error
    return TreeEnsemble(nodes, roots, manifest["base_score"], manifest["n_features"], weight)


def _within(indices: np.ndarray, size: int) -> bool:
    return bool(indices.min() >= 0 and indices.max() < size)
