"""Removal inside trees: splits on absent features are followed both ways, by weight."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numba import njit

from ..games import Game
from ..models import CountedModel, ModelError, Predicts
from ..models.nodes import LEAF, Nodes
from ..models.read_trees import ReadTrees, read_trees
from ..models.stored_trees import stored_trees, trees_of_arrays
from ..models.tree_kernels import goes_left
from ..models.trees import TreeEnsemble
from ..parameters import listed
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .columns import TableModel

REMEDY = "take a removal for any model, as kernel or surrogate"


@runtime_checkable
class OfTrees(Protocol):
    """A model that says itself which trees its output is the sum of."""

    def trees(self) -> ReadTrees:
        """The trees, which are compared with the output; raises `ModelError` for another model."""
        ...


@dataclass(frozen=True)
class PathDependent(Removal):
    """v(S) follows x at splits on S, and both children of other splits, by their weights.

    Lundberg, Erion & Lee 2018; Chen et al. 2023, Section 5.2.3. The trees are read, so that a value
    takes no row of the model. Models are read as by the explainer path-dependent-tree: those of
    this package, XGBoost, LightGBM, CatBoost (numbers) and scikit-learn, on the scale on which
    their trees are added, which for boosters of classes is the log-odds. Their sum is compared with
    the model's own at the training rows. Children of which neither has any weight count for a half
    each.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    weights : "file", those that the model brings: counts of its training rows, or of XGBoost sums
        of second derivatives of its loss, which are counts for squared errors only; or "rows",
        numbers of the rows that the removal is fitted to
    """

    id: ClassVar = "path-dependent"
    card: ClassVar = RemovalCard(
        definition="Splits on absent features are followed to both sides, by their weights.",
        source="Lundberg, Erion & Lee 2018; Chen et al. 2023, Section 5.2.3",
        target="conditional",
        noise="none",
        uses="expectation",
        exact_for="trees of depth one",
    )

    weights: Literal["rows", "file"] = "rows"

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The trees and their weights; raises `RemovalError` for a model that has none."""
        trees = self._read(model, background)
        ensemble = trees.ensemble
        if self.weights == "rows":
            ensemble = ensemble.reweighted(trees.encode(background.rows))
        elif ensemble.weight is None:
            raise RemovalError(
                f"{self.id}: the model's file tells no weights of its nodes; set weights 'rows' to "
                "count the training rows."
            )
        elif not (np.isfinite(ensemble.weight) & (ensemble.weight >= 0)).all():
            raise RemovalError(
                f"{self.id}: some weights of the model's nodes are negative or not finite; set "
                "weights 'rows' to count the training rows."
            )
        try:
            return stored_trees(replace(trees, ensemble=ensemble))
        except ModelError as error:
            raise RemovalError(f"{self.id}: {error}; {REMEDY}.") from error

    def _read(self, model: Predicts, background: TrainingData) -> ReadTrees:
        """The trees of a model, whose features are the columns of the background."""
        given: Any = background.rows
        while isinstance(model, CountedModel | TableModel):
            if isinstance(model, TableModel):
                given = model.columns.table(given)
            model = model.model
        try:
            trees = model.trees() if isinstance(model, OfTrees) else read_trees(model)
        except ModelError as error:
            raise RemovalError(
                f"{self.id}: the model is no ensemble of trees that is read ({error}); {REMEDY}."
            ) from error
        features, columns = trees.ensemble.n_features, background.rows.shape[1]
        if features != columns:
            raise RemovalError(
                f"{self.id}: the model has {features} features, and the training rows have "
                f"{columns}."
            )
        known = trees.names if hasattr(given, "columns") else ()
        written = [name.replace(" ", "_") for name in background.names]
        if known and written != [name.replace(" ", "_") for name in known]:
            raise RemovalError(
                f"{self.id}: the model's features are {listed(known)}, in this order; give the "
                "columns of the training rows in it."
            )
        try:
            trees.check(given, background.rows)
        except ModelError as error:
            raise RemovalError(f"{self.id}: {error}.") from error
        return trees

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> "PathDependentGame":
        """The game on the trees, without noise."""
        trees = trees_of_arrays(fitted.arrays, fitted.n_features)
        return PathDependentGame(trees.ensemble, trees.encode(explicand[None])[0], self.id)


class PathDependentGame:
    """v(S) = the expected leaf where splits on absent features go to either side by weight.

    ``ensemble`` has weights; ``explicand`` is (d,), as its trees compare it.
    """

    prepared_rows = 0

    def __init__(self, ensemble: TreeEnsemble, explicand: np.ndarray, name: str):
        self.ensemble, self.explicand, self.name = ensemble, explicand, name
        self.n_players = explicand.size

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        e = self.ensemble
        row = self.explicand.astype(np.float32)
        return _expected(e.nodes, e.weight, e.roots, e.base_score, row, coalitions, e.depth)

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,): none."""
        return np.zeros(len(coalitions), dtype=np.int64)

    def realisation(self, rng: np.random.Generator) -> Game:
        """The game itself: it has no noise."""
        return self


@njit(cache=True, nogil=True)
def _expected(
    nodes: Nodes,
    weight: np.ndarray,
    roots: np.ndarray,
    base: float,
    explicand: np.ndarray,
    coalitions: np.ndarray,
    depth: int,
) -> np.ndarray:
    values = np.full(coalitions.shape[0], base)
    waiting = np.empty(depth + 2, dtype=np.int64)
    shares = np.empty(depth + 2)
    for k in range(coalitions.shape[0]):
        for root in roots:
            waiting[0], shares[0] = root, 1.0
            top = 1
            while top:
                top -= 1
                node, share = waiting[top], shares[top]
                j = nodes.feature[node]
                if j == LEAF:
                    values[k] += share * nodes.value[node]
                    continue
                left = 1.0 if goes_left(nodes, node, explicand[j]) else 0.0
                if not coalitions[k, j]:
                    mass = weight[nodes.left[node]] + weight[nodes.right[node]]
                    left = weight[nodes.left[node]] / mass if mass > 0.0 else 0.5
                if left < 1.0:
                    waiting[top], shares[top] = nodes.right[node], share * (1.0 - left)
                    top += 1
                if left > 0.0:
                    waiting[top], shares[top] = nodes.left[node], share * left
                    top += 1
    return values
