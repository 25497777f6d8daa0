"""Ensembles of binary decision trees as flat arrays, and their predictions."""

import math
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..datasets.base import save_arrays
from ..parameters import listed
from ..registers import reader
from .base import ModelError, checked_rows, regression_scores, write_manifest
from .nodes import LEAF, Nodes

ARRAYS = "ensemble.npz"

_DTYPES: tuple[type, ...] = (np.int32, np.float32, np.int32, np.int32, np.bool_, np.float64)


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
        save_arrays(directory / ARRAYS, {"roots": self.roots, **self.nodes._asdict(), **weight})

    @classmethod
    def from_xgboost(cls, document: Mapping[str, Any]) -> "TreeEnsemble":
        """The trees of a model in XGBoost's JSON schema; the output is the untransformed margin.

        Of a model that was stopped early, those up to its best iteration, see `rounds_used`.

        Parameters
        ----------
        document : mapping
            The parsed JSON of `Booster.save_model`.

        Raises
        ------
        ModelError
            For other boosters than gbtree, several outputs, categorical splits, or objectives
            whose base score has an unknown scale.
        """
        learner = document["learner"]
        booster, shape = learner["gradient_booster"], learner["learner_model_param"]
        if booster["name"] != "gbtree":
            raise ModelError(f"XGBoost booster {booster['name']!r} is not read, only 'gbtree'")
        if int(shape["num_class"]) > 1 or int(shape.get("num_target", 1)) > 1:
            raise ModelError("an XGBoost model with several outputs is not read, only with one")
        trees = booster["model"]["trees"]
        used, there = rounds_used(document)
        trees = trees[: len(trees) // there * used]
        _refuse_categorical(trees, learner.get("feature_names") or ())
        sizes = [len(tree["left_children"]) for tree in trees]
        roots = np.concatenate([[0], np.cumsum(sizes)])[: len(sizes)]
        nodes = _xgboost_nodes(trees, np.repeat(roots, sizes))
        base = _xgboost_margin(shape["base_score"], learner["objective"]["name"])
        told = all("sum_hessian" in tree for tree in trees)
        weight = np.concatenate([tree["sum_hessian"] for tree in trees]) if told else None
        return cls(nodes, roots, base, int(shape["num_feature"]), weight)

    def _check_indices(self) -> None:
        nodes, size = self.nodes, self.nodes.feature.size
        weight = () if self.weight is None else (self.weight,)
        if any(array.shape != (size,) for array in (*nodes, *weight)):
            raise ModelError("the arrays of a tree ensemble must have one entry per node")
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


@reader("tree-ensemble")
def read_tree_ensemble(directory: Path, manifest: dict[str, Any]) -> TreeEnsemble:
    """The ensemble that `TreeEnsemble.save` wrote."""
    path = directory / ARRAYS
    try:
        with np.load(path, allow_pickle=False) as file:
            nodes = Nodes(*(file[name] for name in Nodes._fields))
            roots = file["roots"]
            weight = file.get("weight")
    except (KeyError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ModelError(f"{path} is no tree ensemble ({error}); train the model again") from error
    return TreeEnsemble(nodes, roots, manifest["base_score"], manifest["n_features"], weight)


def _within(indices: np.ndarray, size: int) -> bool:
    return bool(indices.min() >= 0 and indices.max() < size)


def _refuse_categorical(trees: Sequence[Mapping[str, Any]], names: Sequence[str]) -> None:
    """Raise `ModelError` naming the features by whose categories XGBoost's trees split."""
    categorical = {
        feature
        for tree in trees
        for feature, kind in zip(tree["split_indices"], tree.get("split_type", ()), strict=False)
        if kind
    }
    if categorical:
        told = listed(names[k] if names else f"f{k}" for k in sorted(categorical))
        raise ModelError(
            "an XGBoost model with categorical splits is not read, only with numerical ones; it "
            f"splits by category on {told}: encode these as numbers and train it again"
        )


def _xgboost_nodes(trees: Sequence[Mapping[str, Any]], roots: np.ndarray) -> Nodes:
    """The nodes of all trees, their children shifted by the root (n,) of the tree of each node."""

    def joined(key: str) -> np.ndarray:
        return np.concatenate([tree[key] for tree in trees])

    left, right = joined("left_children"), joined("right_children")
    leaf = left == -1
    conditions = joined("split_conditions")  # thresholds of splits, values of leaves
    return Nodes(
        feature=np.where(leaf, LEAF, joined("split_indices")),
        threshold=np.where(leaf, 0.0, conditions),
        left=np.where(leaf, LEAF, left + roots),
        right=np.where(leaf, LEAF, right + roots),
        default_left=joined("default_left").astype(bool),
        value=np.where(leaf, conditions.astype(np.float32), 0.0),
    )


def rounds_used(document: Mapping[str, Any]) -> tuple[int, int]:
    """Rounds of boosting that count, and those that are there, of a model in XGBoost's schema.

    Where training stopped early it went on for some rounds beyond the best one, which XGBoost's
    scikit-learn interface does not use either.
    """
    learner = document["learner"]
    model = learner["gradient_booster"]["model"]
    each = int(model["gbtree_model_param"].get("num_parallel_tree", 1))
    there = max(len(model["trees"]) // max(each, 1), 1)
    best = learner.get("attributes", {}).get("best_iteration")
    return there if best is None else min(int(best) + 1, there), there


def _xgboost_margin(base_score: str, objective: str) -> float:
    """XGBoost keeps the base score on the scale of its predictions; "1E2" and "[1E2]" occur."""
    base = float(np.float32(base_score.strip("[]")))
    if objective == "reg:squarederror":
        return base
    if objective == "binary:logistic":
        if not 0.0 < base < 1.0:
            raise ModelError(
                f"the base score of an XGBoost classifier is {base:g}: its target was the same in "
                "all rows, and its log-odds are infinite; train it on rows of both classes"
            )
        return math.log(base / (1.0 - base))
    raise ModelError(
        f"XGBoost objective {objective!r} is not read, only 'reg:squarederror' and "
        "'binary:logistic'"
    )
